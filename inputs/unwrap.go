package inputs

import (
	"bytes"
	"encoding/json"
	"reflect"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

// maxPointers ends a walk through pointers that lead back to themselves.
const maxPointers = 16

// isNil tells whether v is nil or a nil pointer, map, slice, func or channel.
func isNil(v any) bool {
	switch v.(type) {
	case nil:
		return true
	case string, bool, int, int64, float64:
		return false
	}
	return isNilValue(reflect.ValueOf(v))
}

func isNilValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

// isNoValue tells nil and nil pointers from empty collections that happen to
// be nil.
func isNoValue(v reflect.Value) bool {
	kind := v.Kind()
	return kind == reflect.Invalid || (kind == reflect.Pointer || kind == reflect.Interface) && v.IsNil()
}

// isAbsent is true for nil, for what says of itself that it is null, raw JSON
// too, and for a form's key without a text.
func isAbsent(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string, bool, int, int64, float64:
		return false
	case cmdxctx.Form:
		return len(v) == 0
	case json.RawMessage:
		return v == nil || string(bytes.TrimSpace(v)) == "null"
	}
	if isNil(v) {
		return true
	}
	value := reflect.ValueOf(v)
	if value.Kind() != reflect.Struct {
		return false
	}
	n, ok := nullOf(value.Type())
	return ok && !value.FieldByIndex(n.valid.Index).Bool()
}

// behindPointers returns what v leads to; ok is false when that is nil.
func behindPointers(v reflect.Value) (value reflect.Value, ok bool) {
	for range maxPointers {
		if isNilValue(v) {
			return v, false
		}
		if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
			return v, true
		}
		v = v.Elem()
	}
	return v, false
}

// firstOfForm is the first text of a form; other values are themselves.
func firstOfForm(v any) any {
	if form, ok := v.(cmdxctx.Form); ok {
		if len(form) == 0 {
			return nil
		}
		return form[0]
	}
	return v
}
