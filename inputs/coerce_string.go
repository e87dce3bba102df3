package inputs

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"
)

type stringCoercion string

// String takes anything with a plain text form and gives a string: text, also
// as UTF-8 bytes; what has MarshalText or String; booleans and numbers, floats
// by their shortest text; and pointers to these. It refuses nil, maps, other
// slices, and structs without a text of their own. Text of a named type is
// taken as it is, without asking its methods.
const String stringCoercion = "string"

func init() { inferable = append(inferable, String) }

func (c stringCoercion) Name() string   { return string(c) }
func (c stringCoercion) Phrase() string { return "a string" }

func (stringCoercion) Types() []reflect.Type { return []reflect.Type{reflect.TypeFor[string]()} }

func (stringCoercion) Stores(field reflect.Type) bool {
	return field.Kind() == reflect.String && field != jsonNumberType
}

func (c stringCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

func (stringCoercion) Coerce(v any) (any, bool) {
	if _, ok := v.(string); ok {
		return v, true
	}
	text, ok := plainText(reflect.ValueOf(firstOfForm(v)))
	if !ok {
		return nil, false
	}
	return text, true
}

// plainText goes through pointers one by one, because each may have a text.
func plainText(v reflect.Value) (string, bool) {
	for range maxPointers {
		if isNilValue(v) {
			return "", false
		}
		if v.Kind() == reflect.String {
			return v.String(), true
		}
		if v.Type() == rawMessageType {
			return textOfRaw(v)
		}
		if n, ok := nullOf(v.Type()); ok {
			if !v.FieldByIndex(n.valid.Index).Bool() {
				return "", false
			}
			v = v.FieldByIndex(n.value.Index)
			continue
		}
		if text, ok, has := ownText(v); has {
			return text, ok
		}
		if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
			return textOfKind(v)
		}
		v = v.Elem()
	}
	return "", false
}

// textOfRaw reads what the JSON says; objects and arrays stay as they are
// written.
func textOfRaw(v reflect.Value) (string, bool) {
	decoded, ok := fromJSON(v.Bytes())
	if !ok {
		return "", false
	}
	switch decoded.(type) {
	case map[string]any, []any:
		return string(v.Bytes()), true
	}
	return plainText(reflect.ValueOf(decoded))
}

func textOfKind(v reflect.Value) (string, bool) {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10), true
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.Trunc(f) == f && math.Abs(f) >= exactBelow(v.Kind()) && !math.IsInf(f, 0) {
			return "", false // its digits may be another number's
		}
		return floatText(v.Float(), v.Type().Bits()), true
	case reflect.Complex64, reflect.Complex128:
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()), true
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 && utf8.Valid(v.Bytes()) {
			return string(v.Bytes()), true
		}
	}
	return "", false
}

// floatText writes digits as people do, and an exponent only where the digits
// would be many.
func floatText(f float64, bits int) string {
	format := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(f, format, -1, bits)
}

var stringerType = reflect.TypeFor[fmt.Stringer]()

// ownText asks a value for its text; has is false when it has no method for
// that. A struct whose methods belong to its pointer is asked through a copy.
func ownText(v reflect.Value) (text string, ok, has bool) {
	t := v.Type()
	if value := reflect.Indirect(v); value.Type() == bigFloatType || value.Type() == decimalType {
		if n, ok := numberOf(value); !ok || !n.isShort() { // how much they write is up to an exponent
			return "", false, true
		}
	}
	if !t.Implements(textMarshalerType) && !t.Implements(stringerType) {
		p := reflect.PointerTo(t)
		if t.Kind() != reflect.Struct || !p.Implements(textMarshalerType) && !p.Implements(stringerType) {
			return "", false, false
		}
		copied := reflect.New(t)
		copied.Elem().Set(v)
		v = copied
	}
	text, ok = askForText(v.Interface())
	return text, ok, true
}

func askForText(v any) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	if m, is := v.(encoding.TextMarshaler); is {
		b, err := m.MarshalText()
		return string(b), err == nil
	}
	return v.(fmt.Stringer).String(), true
}
