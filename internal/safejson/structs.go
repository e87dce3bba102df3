package safejson

import (
	"reflect"
	"slices"
	"strings"
)

// structure writes the exported fields of a struct under the names in their
// json tags. The fields of embedded structs count as the struct's own; of two
// with one name the outer one is written.
func (w *writer) structure(v reflect.Value) {
	w.raw("{")
	first := true
	for _, f := range w.members(v) {
		if !first {
			w.raw(",")
		}
		first = false
		w.string(f.name)
		w.raw(":")
		if !f.quote {
			w.value(f.value)
			continue
		}
		inner := writer{depth: w.depth}
		inner.value(f.value)
		w.string(string(inner.out))
	}
	w.raw("}")
}

type member struct {
	name  string
	value reflect.Value
	quote bool // a number or bool that is to be written as a string
}

// members walks embedded structs level by level, so that outer names win.
func (w *writer) members(v reflect.Value) []member {
	var list []member
	names := map[string]bool{}
	types := []reflect.Type{v.Type()}
	for level := []reflect.Value{v}; len(level) > 0; {
		var next []reflect.Value
		for _, s := range level {
			for i := range s.NumField() {
				f, value := s.Type().Field(i), s.Field(i)
				tag := f.Tag.Get("json")
				name, options, _ := strings.Cut(tag, ",")
				if tag == "-" {
					continue
				}
				if inner := embedded(f, name, value); inner.IsValid() {
					if inner.Kind() == reflect.Struct && !slices.Contains(types, inner.Type()) {
						types = append(types, inner.Type())
						next = append(next, inner)
					}
					continue
				}
				if name == "" {
					name = f.Name
				}
				if !f.IsExported() || names[name] || omitted(value, options) {
					continue
				}
				names[name] = true
				list = append(list, member{name, value, has(options, "string") && scalar(value)})
			}
		}
		level = next
	}
	return list
}

// embedded returns the struct that a field embeds, or the nil pointer to one;
// it is invalid for a field that stands under a name.
func embedded(f reflect.StructField, name string, v reflect.Value) reflect.Value {
	if !f.Anonymous || name != "" {
		return reflect.Value{}
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		return v.Elem()
	}
	return v
}

func omitted(v reflect.Value, options string) bool {
	if has(options, "omitzero") && zero(v) {
		return true
	}
	if !has(options, "omitempty") {
		return false
	}
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// zero asks the value itself first, as encoding/json does.
func zero(v reflect.Value) bool {
	if !isNil(v) && v.CanInterface() {
		if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
			is, _ := guarded(z.IsZero)
			return is
		}
	}
	return v.IsZero()
}

func has(options, option string) bool {
	return slices.Contains(strings.Split(options, ","), option)
}

func scalar(v reflect.Value) bool {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.String:
		return true
	}
	return false
}
