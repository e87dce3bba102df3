package cmdxctx

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// field is an exported field of a struct under the key that it goes by.
type field struct {
	key   string
	index []int // through embedded structs
	typ   reflect.Type
}

// fields are the fields of a struct type, those of embedded structs included.
type fields struct {
	list []field
	// twice is a key that two fields go by, "" when there is none.
	twice string
}

var fieldsByType sync.Map // reflect.Type → *fields

// fieldsOf returns the fields of the struct type t.
func fieldsOf(t reflect.Type) *fields {
	if known, ok := fieldsByType.Load(t); ok {
		return known.(*fields)
	}
	f := &fields{}
	f.add(t, nil, nil)
	seen := make(map[string]bool, len(f.list))
	for _, one := range f.list {
		if seen[one.key] {
			f.twice = one.key
			break
		}
		seen[one.key] = true
	}
	known, _ := fieldsByType.LoadOrStore(t, f)
	return known.(*fields)
}

// add lists the fields of t; within holds the types that t is embedded in, so
// that a type that embeds itself comes to an end.
func (f *fields) add(t reflect.Type, index []int, within []reflect.Type) {
	within = append(slices.Clip(within), t)
	for i := range t.NumField() {
		one := t.Field(i)
		key, tagged := keyOf(one)
		if key == "" {
			continue
		}
		at := append(slices.Clip(index), i)
		if embedded := structOf(one.Type); one.Anonymous && !tagged && embedded != nil && !opaque(embedded) {
			if !slices.Contains(within, embedded) {
				f.add(embedded, at, within)
			}
			continue
		}
		if one.IsExported() {
			f.list = append(f.list, field{key, at, one.Type})
		}
	}
}

// keyOf returns the key of a field: the name in its cmdx tag, else in its json
// tag, else the field's own; "" when a tag says "-".
func keyOf(f reflect.StructField) (key string, tagged bool) {
	for _, tag := range [...]string{f.Tag.Get("cmdx"), f.Tag.Get("json")} {
		if tag == "-" {
			return "", false
		}
		if name, _, _ := strings.Cut(tag, ","); name != "" {
			return name, true
		}
	}
	return f.Name, false
}

// structOf returns the struct that t is or points to; nil for other types.
func structOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// opaque tells whether the struct type t shows nothing of its fields, as
// time.Time and big.Int do: such a value is handed on as it is.
func opaque(t reflect.Type) bool { return t.NumField() > 0 && !shows(t, nil) }

func shows(t reflect.Type, within []reflect.Type) bool {
	if slices.Contains(within, t) {
		return false
	}
	within = append(slices.Clip(within), t)
	for i := range t.NumField() {
		one := t.Field(i)
		if one.IsExported() {
			return true
		}
		if embedded := structOf(one.Type); one.Anonymous && embedded != nil && shows(embedded, within) {
			return true
		}
	}
	return false
}

// read returns the field of v, which is invalid behind a nil embedded pointer.
func (f field) read(v reflect.Value) reflect.Value {
	for i, at := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v
}

// reachable tells whether write can be called. It cannot for a field behind a
// nil pointer to an unexported struct, which only its own package can fill.
func (f field) reachable(v reflect.Value) bool {
	for i, at := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					return false
				}
				v = reflect.New(v.Type().Elem())
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return true
}

// write returns the field of v to be set; embedded pointers that are nil are
// filled. The field must be reachable.
func (f field) write(v reflect.Value) reflect.Value {
	for i, at := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v
}
