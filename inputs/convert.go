package inputs

import (
	"fmt"
	"math"
	"reflect"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

// ConversionError says that a value cannot be had as the type asked for. It
// names types, never the value.
type ConversionError struct {
	// From is the value's type; nil for nil.
	From reflect.Type
	// To is the type asked for.
	To reflect.Type
	// Inexact tells that both are numbers and that To cannot hold this one
	// unchanged.
	Inexact bool
}

// Error names both types.
func (e *ConversionError) Error() string {
	from := "nil"
	if e.From != nil {
		from = "a value of type " + e.From.String()
	}
	if e.Inexact {
		return fmt.Sprintf("cannot turn %s into %s without changing the number: ask for a type that holds it", from, e.To)
	}
	return fmt.Sprintf("cannot turn %s into %s: ask for its own type, or declare a coercion", from, e.To)
}

// Convert returns v as a T. It takes what Go would let one assign, types of
// the same kind that Go converts, and numbers of every kind, json.Number too,
// as long as the number stays the same; pointers are followed and made. Of a
// [cmdxctx.Form] it takes the first text, unless T is a list. nil is
// the nil of a T that has one. Everything else is a [*ConversionError].
func Convert[T any](v any) (T, error) {
	if t, ok := v.(T); ok {
		return t, nil
	}
	var t T
	if err := convertInto(reflect.ValueOf(&t).Elem(), v); err != nil {
		var zero T
		return zero, err
	}
	return t, nil
}

func convertInto(target reflect.Value, v any) *ConversionError {
	to := target.Type()
	if isNil(v) {
		if isNilValue(target) {
			return nil
		}
		return &ConversionError{From: reflect.TypeOf(v), To: to}
	}
	if value, ok := assignable(v, to); ok {
		target.Set(value)
		return nil
	}
	if form, ok := v.(cmdxctx.Form); ok && len(form) > 0 {
		return convertInto(target, form[0])
	}
	if to.Kind() == reflect.Pointer && to.Elem().Kind() != reflect.Pointer {
		place := reflect.New(to.Elem())
		if failed := convertInto(place.Elem(), v); failed != nil {
			failed.To = to
			return failed
		}
		target.Set(place.Convert(to))
		return nil
	}
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok {
		return &ConversionError{From: reflect.TypeOf(v), To: to}
	}
	return convertValue(target, value)
}

func convertValue(target, value reflect.Value) *ConversionError {
	to, from := target.Type(), value.Type()
	failed := &ConversionError{From: from, To: to}
	if isNumber(to) && (isNumber(from) || from == jsonNumberType) {
		if !setNumber(target, value) {
			failed.Inexact = true
			return failed
		}
		return nil
	}
	if to == jsonNumberType || from.Kind() != to.Kind() || to.Kind() == reflect.Interface || !from.ConvertibleTo(to) {
		return failed
	}
	target.Set(value.Convert(to))
	return nil
}

func isNumber(t reflect.Type) bool { return classOfKind(t.Kind())&classKind != 0 }

// setNumber tells whether the target could hold the number unchanged.
func setNumber(target, value reflect.Value) bool {
	switch target.Kind() {
	case reflect.Float32, reflect.Float64:
		f, ok := floatOf(value.Interface())
		if !ok || target.Kind() == reflect.Float32 && float64(float32(f)) != f && !math.IsNaN(f) {
			return false
		}
		target.SetFloat(f)
		return true
	}
	w, ok := wholeOfValue(value)
	if !ok {
		return false
	}
	if target.CanInt() {
		n, ok := w.int64()
		if !ok || target.OverflowInt(n) {
			return false
		}
		target.SetInt(n)
		return true
	}
	if w.negative || target.OverflowUint(w.size) {
		return false
	}
	target.SetUint(w.size)
	return true
}
