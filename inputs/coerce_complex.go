package inputs

import (
	"reflect"
	"strings"
	"unicode"
)

type complexCoercion string

// Complex gives a complex128. It takes complex numbers, text such as "1+2i",
// "2i" and "(1.5-2e3i)", what [Float] takes, and pointers to these.
const Complex complexCoercion = "complex"

func init() { inferable = append(inferable, Complex) }

func (c complexCoercion) Name() string   { return string(c) }
func (c complexCoercion) Phrase() string { return "a complex" }

func (complexCoercion) Types() []reflect.Type { return []reflect.Type{reflect.TypeFor[complex128]()} }

func (complexCoercion) Stores(field reflect.Type) bool {
	return field.Kind() == reflect.Complex64 || field.Kind() == reflect.Complex128
}

func (c complexCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

func (complexCoercion) Coerce(v any) (any, bool) {
	value, is := plain(v)
	if is != something {
		return nil, false
	}
	if value.CanComplex() {
		return value.Complex(), true
	}
	if text, ok := textIn(value); ok {
		z, ok := parseComplex(strings.TrimSpace(text))
		if !ok {
			return nil, false
		}
		return z, true
	}
	f, ok := floatOf(value.Interface())
	if !ok {
		return nil, false
	}
	return complex(f, 0), true
}

func parseComplex(text string) (complex128, bool) {
	if inner, ok := strings.CutPrefix(text, "("); ok {
		if text, ok = strings.CutSuffix(inner, ")"); !ok {
			return 0, false
		}
	}
	before, isImaginary := strings.CutSuffix(text, "i")
	if text == "" || strings.IndexFunc(text, unicode.IsSpace) >= 0 {
		return 0, false
	}
	if !isImaginary {
		f, ok := parseFloat(text)
		return complex(f, 0), ok
	}
	at := lastSign(before)
	real, ok := 0.0, true
	if at > 0 {
		if real, ok = parseFloat(before[:at]); !ok {
			return 0, false
		}
	}
	imaginary := before[max(at, 0):]
	switch imaginary { // "i" is one
	case "", "+":
		return complex(real, 1), true
	case "-":
		return complex(real, -1), true
	}
	f, ok := parseFloat(imaginary)
	return complex(real, f), ok
}

// lastSign finds the sign between two parts, which is not that of an exponent;
// -1 when there is none.
func lastSign(text string) int {
	for i := len(text) - 1; i > 0; i-- {
		if (text[i] == '+' || text[i] == '-') && text[i-1] != 'e' && text[i-1] != 'E' {
			return i
		}
	}
	return -1
}
