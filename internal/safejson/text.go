package safejson

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
)

// Text returns v as plain text: a string itself, else what its Error, String or
// MarshalText method says, else a number or bool as Go prints it, else its
// JSON. What has none of them (channels, functions) gives the name of its type
// in parentheses, as does a value whose method panics. A nil gives "<nil>".
func Text(v any) string {
	r := reflect.ValueOf(v)
	if !r.IsValid() || isNil(r) {
		return "<nil>"
	}
	if text, ok := methodText(v); ok {
		return text
	}
	switch r.Kind() {
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct, reflect.Pointer:
		data := Marshal(v)
		var text string
		if data[0] == '"' && json.Unmarshal(data, &text) == nil {
			return text
		}
		return string(data)
	}
	return plain(r)
}

// methodText is what v says of itself; ok is false when it has no method for
// it. It does not look into v.
func methodText(v any) (text string, ok bool) {
	var say func() string
	switch v := v.(type) {
	case error:
		say = v.Error
	case fmt.Stringer:
		say = v.String
	case encoding.TextMarshaler:
		return marshalledText(v)
	default:
		return "", false
	}
	if text, ok = guarded(say); !ok {
		text = "(" + typeName(v) + ")"
	}
	return text, true
}

// fallback is the text of what could not be encoded.
func fallback(v any) string {
	if text, ok := methodText(v); ok {
		return text
	}
	return plain(reflect.ValueOf(v))
}

// plain is the text of a value without asking its methods.
func plain(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return fmt.Sprint(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprint(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return fmt.Sprint(v.Uint())
	case reflect.Float32:
		return fmt.Sprint(float32(v.Float()))
	case reflect.Float64:
		return fmt.Sprint(v.Float())
	case reflect.Complex64:
		return fmt.Sprint(complex64(v.Complex()))
	case reflect.Complex128:
		return fmt.Sprint(v.Complex())
	case reflect.String:
		return v.String()
	}
	return "(" + v.Type().String() + ")"
}

func typeName(v any) string { return fmt.Sprintf("%T", v) }

// guarded calls a method of the user's; ok is false when it panicked.
func guarded[T any](call func() T) (value T, ok bool) {
	methods.Add(1)
	defer func() {
		methods.Add(-1)
		if recover() != nil {
			ok = false
		}
	}()
	return call(), true
}

// marshalled returns what MarshalJSON wrote, when that is valid.
func marshalled(m json.Marshaler) ([]byte, bool) {
	data, ok := guarded(func() []byte {
		data, err := m.MarshalJSON()
		if err != nil {
			return nil
		}
		return data
	})
	var compact bytes.Buffer
	if !ok || len(data) == 0 || json.Compact(&compact, data) != nil {
		return nil, false
	}
	return compact.Bytes(), true
}

func marshalledText(m encoding.TextMarshaler) (string, bool) {
	type answer struct {
		text string
		err  error
	}
	a, ok := guarded(func() answer {
		text, err := m.MarshalText()
		return answer{string(text), err}
	})
	return a.text, ok && a.err == nil
}
