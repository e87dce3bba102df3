package cmdxctx

import (
	"fmt"
	"reflect"
)

// Values turns the arguments of a task into a map. It takes
//
//   - nil, and nil maps and pointers: no arguments
//   - a map[string]any, which is returned itself, and any other map whose keys
//     are strings of some type; a map of lists of strings, such as url.Values,
//     gives a [Form] per key
//   - a struct or a pointer to one: its exported fields, each under the name in
//     its cmdx tag, else in its json tag, else under its own; "-" leaves it
//     out. The fields of embedded structs count as the struct's own. Values
//     are handed on as they are, structs such as time.Time too
//   - a *Context: returned as shared while its root run is under way; of one
//     that has ended the values are returned.
//
// The caller must not write to the map. Anything else, and a struct with two
// fields of one name, gives an [*ArgsError].
func Values(args any) (values map[string]any, shared *Context, err error) {
	switch args := args.(type) {
	case nil:
		return nil, nil, nil
	case map[string]any:
		return args, nil, nil
	case *Context:
		if args.Ended() {
			return args.values, nil, nil
		}
		return nil, args, nil
	case Context:
		return nil, nil, &ArgsError{Type: "Context", Problem: "it is a copy of the struct"}
	}
	v := reflect.ValueOf(args)
	if v.Kind() == reflect.Pointer && structOf(v.Type()) != nil {
		if v.IsNil() {
			return nil, nil, nil
		}
		v = v.Elem()
	}
	switch {
	case isForm(v.Type()) && v.Len() > 0:
		return formValues(v), nil, nil
	case stringKeyed(v.Type()):
		return asValues(v), nil, nil
	case v.Kind() == reflect.Struct && !opaque(v.Type()):
		if twice := fieldsOf(v.Type()).twice; twice != "" {
			return nil, nil, &ArgsError{Type: fmt.Sprintf("%T", args), Problem: fmt.Sprintf("two of its fields are called %q", twice)}
		}
		return structValues(v), nil, nil
	}
	return nil, nil, &ArgsError{Type: fmt.Sprintf("%T", args)}
}

// asValues returns a map with keys of some string type as a map[string]any,
// the same one where Go can convert it.
func asValues(v reflect.Value) map[string]any {
	if want := reflect.TypeFor[map[string]any](); v.Type().ConvertibleTo(want) {
		return v.Convert(want).Interface().(map[string]any)
	}
	if v.Len() == 0 {
		return nil
	}
	values := make(map[string]any, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		values[entries.Key().String()] = entries.Value().Interface()
	}
	return values
}

// structValues returns the fields of a struct that are there.
func structValues(v reflect.Value) map[string]any {
	list := fieldsOf(v.Type()).list
	values := make(map[string]any, len(list))
	for _, f := range list {
		if value := f.read(v); value.IsValid() {
			values[f.key] = value.Interface()
		}
	}
	return values
}
