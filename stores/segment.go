package stores

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
)

// SegmentError says that a value cannot be a key's segment. It tells the
// value's type, never the value.
type SegmentError struct {
	// Type is the Go type of the value.
	Type string
	// Reason says what is wrong and what to use instead.
	Reason string
	// Err is what the value's own MarshalText returned or panicked with, and
	// what its String panicked with, when that was an error; else nil. The
	// text of a SegmentError leaves it out, since it may hold the value.
	Err error
}

// Error names the type and the reason.
func (e *SegmentError) Error() string {
	return fmt.Sprintf("stores: a %s cannot be a key: %s", e.Type, e.Reason)
}

// Unwrap returns Err.
func (e *SegmentError) Unwrap() error { return e.Err }

// maxPointers is how many pointers Segment follows; a type can point to itself.
const maxPointers = 8

// Segment turns a value into the last part of a key. These are taken, in this
// order of precedence:
//
//   - string as it is, [encoding/json.Number] in canonical plain digits
//     ("9900.0" and "9.9e3" are "9900", "1.50" is "1.5")
//   - an [encoding.TextMarshaler], then a [fmt.Stringer], by its text
//   - bool, the int and uint kinds
//   - float64 below 2^53 and float32 below 2^24 without a fraction, in plain
//     digits; minus zero is 0
//   - named types over these, and pointers to all of them
//
// Blank is whatever stands for nothing: nil, a nil pointer (of any type, with
// any method), any other nil of a type that has one, and an empty text. It
// gives "" and no error. " ", "0" and "false" are not blank.
//
// Everything else gives a [*SegmentError]: other types, larger floats and
// floats with a fraction, a json.Number that is no JSON number or whose plain
// text would be more than 1,024 characters longer than the number itself, a
// method that fails or panics. Equal numbers of the number types above give
// equal texts.
func Segment(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case json.Number:
		return numberSegment(v)
	case *json.Number: // has a String method by promotion, which is not canonical
		if v == nil {
			return "", nil
		}
		return numberSegment(*v)
	}
	return reflectedSegment(v)
}

// reflectedSegment follows pointers until a value has a text or a kind that
// Segment takes.
func reflectedSegment(v any) (string, error) {
	value := reflect.ValueOf(v)
	for range maxPointers {
		if isNil(value) {
			return "", nil
		}
		if value.CanInterface() {
			switch v := value.Interface().(type) {
			case json.Number:
				return numberSegment(v)
			case *json.Number:
				return numberSegment(*v)
			case encoding.TextMarshaler:
				return marshalledSegment(v)
			case fmt.Stringer:
				return stringerSegment(v)
			}
		}
		if value.Kind() != reflect.Pointer && value.Kind() != reflect.Interface {
			return kindSegment(value)
		}
		value = value.Elem()
	}
	return "", &SegmentError{Type: typeName(v), Reason: "it is a pointer to a pointer too deep: pass the value"}
}

// isNil tells whether a value is the nil of its type.
func isNil(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return value.IsNil()
	}
	return false
}

// kindSegment converts by kind, for values without a text of their own.
func kindSegment(value reflect.Value) (string, error) {
	switch value.Kind() {
	case reflect.String:
		return value.String(), nil
	case reflect.Bool:
		return strconv.FormatBool(value.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(value.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(value.Uint(), 10), nil
	case reflect.Float64:
		return floatSegment(value, 1<<53)
	case reflect.Float32:
		return floatSegment(value, 1<<24)
	}
	return "", &SegmentError{
		Type:   value.Type().String(),
		Reason: "it has no plain text form: use a string, a whole number, a bool, or a type with MarshalText or String",
	}
}

// floatSegment takes whole numbers below the limit from which on neighbours
// of a float are one float.
func floatSegment(value reflect.Value, limit float64) (string, error) {
	f := value.Float()
	if !(f > -limit && f < limit) { // NaN too
		return "", &SegmentError{
			Type:   value.Type().String(),
			Reason: "it is too large to tell neighbouring numbers apart: decode JSON with UseNumber and pass the json.Number, or use an integer or a string",
		}
	}
	whole := int64(f)
	if float64(whole) != f {
		return "", &SegmentError{
			Type:   value.Type().String(),
			Reason: "it has a fraction: pass it as a json.Number (decode JSON with UseNumber) or as a string",
		}
	}
	return strconv.FormatInt(whole, 10), nil
}

func marshalledSegment(v encoding.TextMarshaler) (segment string, err error) {
	defer methodPanicked(v, "MarshalText", &err)()
	text, failed := v.MarshalText()
	if failed != nil {
		return "", &SegmentError{Type: typeName(v), Reason: "its MarshalText returned an error", Err: failed}
	}
	return string(text), nil
}

func stringerSegment(v fmt.Stringer) (segment string, err error) {
	defer methodPanicked(v, "String", &err)()
	return v.String(), nil
}
