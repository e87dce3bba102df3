package cmdxctx

import (
	"encoding"
	"reflect"
	"strconv"
)

// hook is called for every value before the decoder works on it. It returns a
// value that the decoder can store without changing it.
func (d *decoding) hook(from, to reflect.Value) (any, error) {
	if d.err != nil {
		return nil, d.err
	}
	t := to.Type()
	if d.step != nil {
		made, done, err := d.stepped(from, t)
		if done || err != nil {
			return made, err
		}
		from = reflect.ValueOf(made)
	}
	from = d.behind(from, t)
	if from.IsValid() && from.Type() == formType && t.Kind() == reflect.String {
		from = reflect.ValueOf(from.Interface().(Form).First())
	}
	if !from.IsValid() {
		return reflect.Zero(t).Interface(), nil
	}
	switch {
	case t.Kind() == reflect.Interface:
		return cloneOf(from).Interface(), nil
	case from.Type() == t, t.Kind() == reflect.Pointer:
		return from.Interface(), nil
	case from.Kind() == reflect.String && readsText(t):
		return d.text(from, t)
	case isNumber(t):
		number, problem := exactNumber(from, t)
		if problem != "" {
			return nil, d.fail(t, from.Type(), problem)
		}
		return number.Interface(), nil
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool:
		if from.Kind() == t.Kind() {
			return from.Convert(t).Interface(), nil
		}
	case reflect.Struct:
		return d.structure(from, to)
	case reflect.Map:
		return d.mapping(from, t)
	case reflect.Slice, reflect.Array:
		if from.Kind() == reflect.Slice || from.Kind() == reflect.Array {
			return d.list(from, t)
		}
	}
	return nil, d.fail(t, from.Type(), "the value is of another kind")
}

// behind follows pointers to the value that a t can be made of; it is invalid
// when one of them is nil.
func (d *decoding) behind(from reflect.Value, t reflect.Type) reflect.Value {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return from
	}
	for range deepest {
		if from.Kind() != reflect.Pointer && from.Kind() != reflect.Interface {
			break
		}
		from = from.Elem()
	}
	return from
}

// stepped lets the caller of DecodeWith make the value.
func (d *decoding) stepped(from reflect.Value, t reflect.Type) (made any, done bool, err error) {
	if !from.IsValid() {
		return reflect.Zero(t).Interface(), true, nil
	}
	made, done, ok := d.step(from.Interface(), t)
	if !ok {
		return nil, true, d.fail(t, from.Type(), "the value is of another kind")
	}
	return made, done, nil
}

// list decodes element by element, so that a failure tells which it was. An
// array takes a list of its own length.
func (d *decoding) list(from reflect.Value, t reflect.Type) (any, error) {
	if d.step == nil {
		return from.Interface(), nil
	}
	made := reflect.New(t).Elem()
	if t.Kind() == reflect.Slice {
		made.Set(reflect.MakeSlice(t, from.Len(), from.Len()))
	} else if t.Len() != from.Len() {
		return nil, d.fail(t, from.Type(), "the array has another length")
	}
	if len(d.path) >= deepest {
		return nil, d.fail(t, from.Type(), "the data lies in itself or is nested too deeply")
	}
	for i := range from.Len() {
		d.path = append(d.path, "["+strconv.Itoa(i)+"]")
		if !d.value(from.Index(i).Interface(), made.Index(i)) {
			return nil, d.err
		}
		d.path = d.path[:len(d.path)-1]
	}
	return made.Interface(), nil
}

// structure decodes a map or another struct into the struct at to.
func (d *decoding) structure(from, to reflect.Value) (any, error) {
	t := to.Type()
	if opaque(t) {
		return nil, d.fail(t, from.Type(), "the type takes only a value of its own")
	}
	var values map[string]any
	switch {
	case stringKeyed(from.Type()):
		values = asValues(from)
	case from.Kind() == reflect.Struct && !opaque(from.Type()):
		values = structValues(from)
	default:
		return nil, d.fail(t, from.Type(), "a struct takes a map with string keys or another struct")
	}
	fresh := reflect.New(t).Elem()
	if !d.fields(values, fresh) {
		return nil, d.err
	}
	return fresh.Interface(), nil
}

// mapping prepares what a map can be made of.
func (d *decoding) mapping(from reflect.Value, t reflect.Type) (any, error) {
	switch {
	case from.Kind() == reflect.Struct && !opaque(from.Type()):
		return structValues(from), nil
	case from.Kind() != reflect.Map:
		return nil, d.fail(t, from.Type(), "a map takes a map or a struct")
	case from.IsNil():
		return reflect.Zero(t).Interface(), nil
	}
	return from.Interface(), nil
}

// readsText tells whether a *t reads itself from text.
func readsText(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// text lets the type read the text; what it says of a text that it does not
// take may hold the text and is dropped.
func (d *decoding) text(from reflect.Value, t reflect.Type) (any, error) {
	fresh := reflect.New(t)
	if !unmarshalText(fresh.Interface().(encoding.TextUnmarshaler), from.String()) {
		return nil, d.fail(t, from.Type(), "the type does not take this text")
	}
	return fresh.Elem().Interface(), nil
}

func unmarshalText(to encoding.TextUnmarshaler, text string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return to.UnmarshalText([]byte(text)) == nil
}
