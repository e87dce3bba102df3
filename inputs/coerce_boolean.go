package inputs

import (
	"reflect"
	"strings"
)

type booleanCoercion string

// Boolean gives a bool. It takes bools; in any case the texts true, t, yes, y,
// on, 1 and false, f, no, n, off, 0; the numbers 1 and 0; and pointers to
// these. nil is false. "" and everything else is refused.
const Boolean booleanCoercion = "boolean"

func init() { inferable = append(inferable, Boolean) }

func (c booleanCoercion) Name() string   { return string(c) }
func (c booleanCoercion) Phrase() string { return "a boolean" }

func (booleanCoercion) Types() []reflect.Type { return []reflect.Type{reflect.TypeFor[bool]()} }

func (booleanCoercion) Stores(field reflect.Type) bool { return field.Kind() == reflect.Bool }

func (c booleanCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

func (booleanCoercion) Coerce(v any) (any, bool) {
	if _, ok := v.(bool); ok {
		return v, true
	}
	b, ok := booleanOf(v)
	if !ok {
		return nil, false
	}
	return b, true
}

func booleanOf(v any) (b, ok bool) {
	value, is := plain(v)
	switch is {
	case broken:
		return false, false
	case nothing:
		return false, isNoValue(value)
	}
	if value.Kind() == reflect.Bool {
		return value.Bool(), true
	}
	if text, ok := textIn(value); ok {
		return booleanOfText(text)
	}
	w, ok := wholeOfValue(value)
	return w.size == 1, ok && w.size <= 1 && !w.negative
}

func booleanOfText(text string) (b, ok bool) {
	if len(text) > len("false") {
		return false, false
	}
	switch strings.ToLower(text) {
	case "true", "t", "yes", "y", "on", "1":
		return true, true
	case "false", "f", "no", "n", "off", "0":
		return false, true
	}
	return false, false
}
