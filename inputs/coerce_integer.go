package inputs

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
)

type integerCoercion string

// Integer takes whole numbers and gives an int64: ints and uints of any kind,
// big numbers and decimals, floats without a fraction, json.Number in any
// notation, decimal text with a sign, surrounding space and single underscores
// between digits, and pointers to these. Leading zeros are decimal; [Base]
// reads text otherwise. It refuses booleans, fractions, other notations in
// text, and what an int64 cannot hold. Bound to a field of an unsigned kind, it
// gives a uint64 where an int64 is too small; bound to a big.Int, a *big.Int.
const Integer integerCoercion = "integer"

func init() { inferable = append(inferable, Integer) }

func (c integerCoercion) Name() string   { return string(c) }
func (c integerCoercion) Phrase() string { return "an integer" }

func (integerCoercion) Types() []reflect.Type { return []reflect.Type{reflect.TypeFor[int64]()} }

// Stores leaves durations to their own coercion: a bare 90 would become 90 ns.
func (integerCoercion) Stores(field reflect.Type) bool {
	return field.Kind() >= reflect.Int && field.Kind() <= reflect.Uint64 && field != durationType || field == bigIntType
}

func (c integerCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

func (c integerCoercion) fit(field reflect.Type) Coercion { return integerVariant{}.fit(field) }

func (c integerCoercion) withBase(base int) Coercion { return integerVariant{}.withBase(base) }

func (integerCoercion) Coerce(v any) (any, bool) {
	if _, ok := v.(int64); ok {
		return v, true
	}
	w, ok := wholeOf(v)
	if !ok {
		return nil, false
	}
	n, ok := w.int64()
	if !ok {
		return nil, false
	}
	return n, true
}

// wholeOf reads v as a whole number, exactly.
func wholeOf(v any) (whole, bool) {
	switch v := v.(type) {
	case int:
		return wholeOfInt(int64(v)), true
	case string:
		return parseWhole(v)
	case json.Number:
		return parseJSONWhole(string(v))
	case float64:
		return wholeOfFloat(v, 1<<53)
	case *big.Int:
		return wholeOfBig(v)
	}
	value, is := plain(v)
	if is != something {
		return whole{}, false
	}
	return wholeOfValue(value)
}

func wholeOfValue(v reflect.Value) (whole, bool) {
	switch v.Kind() {
	case reflect.Struct:
		n, ok := numberOf(v)
		if !ok {
			return whole{}, false
		}
		return n.whole()
	case reflect.Slice:
		if text, ok := textIn(v); ok {
			return parseWhole(text)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return wholeOfInt(v.Int()), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return whole{size: v.Uint()}, true
	case reflect.Float32, reflect.Float64:
		return wholeOfFloat(v.Float(), exactBelow(v.Kind()))
	case reflect.String:
		if v.Type() == jsonNumberType {
			return parseJSONWhole(v.String())
		}
		return parseWhole(v.String())
	}
	return whole{}, false
}

func wholeOfInt(n int64) whole {
	if n < 0 {
		return whole{negative: true, size: -uint64(n)}
	}
	return whole{size: uint64(n)}
}

// exactBelow is the size from which floats of a kind leave out whole numbers:
// one of that size may stand for another number than the sender wrote.
func exactBelow(kind reflect.Kind) float64 {
	if kind == reflect.Float32 {
		return 1 << 24
	}
	return 1 << 53
}

func wholeOfFloat(f, limit float64) (whole, bool) {
	size := math.Abs(f)
	if math.Trunc(f) != f || !(size < limit) {
		return whole{}, false
	}
	return whole{negative: f < 0, size: uint64(size)}, true
}

func wholeOfBig(n *big.Int) (whole, bool) {
	if n == nil || n.BitLen() > 64 {
		return whole{}, false
	}
	return whole{negative: n.Sign() < 0, size: new(big.Int).Abs(n).Uint64()}, true
}
