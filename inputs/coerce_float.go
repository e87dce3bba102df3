package inputs

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
)

type floatCoercion string

// Float takes numbers and gives a float64: numbers of any kind, json.Number,
// decimal text with a fraction, an exponent, a sign, surrounding space and
// single underscores between digits, and pointers to these. It refuses
// booleans, NaN and infinity as text, numbers beyond its range, and whole
// numbers that no float64 holds exactly. A fraction becomes the nearest float.
const Float floatCoercion = "float"

func init() { inferable = append(inferable, Float) }

func (c floatCoercion) Name() string   { return string(c) }
func (c floatCoercion) Phrase() string { return "a float" }

func (floatCoercion) Types() []reflect.Type { return []reflect.Type{reflect.TypeFor[float64]()} }

func (floatCoercion) Stores(field reflect.Type) bool {
	return field.Kind() == reflect.Float32 || field.Kind() == reflect.Float64
}

func (c floatCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

func (floatCoercion) Coerce(v any) (any, bool) {
	if _, ok := v.(float64); ok {
		return v, true
	}
	f, ok := floatOf(v)
	if !ok {
		return nil, false
	}
	return f, true
}

func floatOf(v any) (float64, bool) {
	switch v := v.(type) {
	case string:
		return parseFloat(v)
	case json.Number:
		return floatOfJSON(string(v))
	}
	value, is := plain(v)
	if is != something {
		return 0, false
	}
	switch value.Kind() {
	case reflect.Float32, reflect.Float64:
		return value.Float(), true
	case reflect.Struct:
		return floatOfStruct(value)
	case reflect.String:
		if value.Type() == jsonNumberType {
			return floatOfJSON(value.String())
		}
		return parseFloat(value.String())
	case reflect.Slice:
		if text, ok := textIn(value); ok {
			return parseFloat(text)
		}
	}
	w, ok := wholeOfValue(value)
	if !ok {
		return 0, false
	}
	return w.float64()
}

// floatOfStruct reads decimals and big numbers. A fraction whose digits never
// end has a nearest float too.
func floatOfStruct(value reflect.Value) (float64, bool) {
	if value.Type() == bigRatType {
		if r := pointerTo[big.Rat](value); !r.IsInt() {
			f, _ := r.Float64()
			return f, f != 0 && !math.IsInf(f, 0)
		}
	}
	n, ok := numberOf(value)
	if !ok {
		return 0, false
	}
	return n.float64()
}

func floatOfJSON(text string) (float64, bool) {
	if _, ok := scanNumber(text); !ok {
		return 0, false
	}
	return parseFloat(text)
}

// float64 is exact or refused.
func (w whole) float64() (float64, bool) {
	f := float64(w.size)
	exact := f < 1<<64 && uint64(f) == w.size
	if w.negative {
		f = -f
	}
	return f, exact
}
