package inputs

import (
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// integerVariant is Integer for fields that reach beyond int64, and for text
// in another base than ten.
type integerVariant struct {
	integerCoercion // its name is not used: there is one word for all
	base            int
	based           bool
	reach           reach
}

type reach int

const (
	reachInt64 reach = iota
	reachUint64
	reachBig
)

func (integerVariant) Name() string { return Integer.Name() }

func (c integerVariant) withBase(base int) Coercion {
	c.base, c.based = base, true
	return c
}

func (c integerVariant) fit(field reflect.Type) Coercion {
	switch {
	case field == bigIntType:
		c.reach = reachBig
	case field.Kind() >= reflect.Uint && field.Kind() <= reflect.Uint64:
		c.reach = reachUint64
	case !c.based:
		return Integer
	}
	return c
}

func (c integerVariant) Types() []reflect.Type {
	switch c.reach {
	case reachUint64:
		return []reflect.Type{reflect.TypeFor[int64](), reflect.TypeFor[uint64]()}
	case reachBig:
		return []reflect.Type{reflect.PointerTo(bigIntType)}
	}
	return Integer.Types()
}

func (c integerVariant) Coerce(v any) (any, bool) {
	if c.reach == reachBig {
		n, ok := c.bigOf(v)
		if !ok {
			return nil, false
		}
		return n, true
	}
	w, ok := c.wholeOf(v)
	if !ok {
		return nil, false
	}
	if n, ok := w.int64(); ok {
		return n, true
	}
	if w.negative || c.reach != reachUint64 {
		return nil, false
	}
	return w.size, true
}

func (c integerVariant) wholeOf(v any) (whole, bool) {
	if !c.based {
		return wholeOf(v)
	}
	value, is := plain(v)
	if is != something {
		return whole{}, false
	}
	text, ok := textIn(value)
	if !ok {
		return wholeOfValue(value)
	}
	digits, negative, base, ok := cutBase(text, c.base)
	if !ok {
		return whole{}, false
	}
	size, err := strconv.ParseUint(digits, base, 64)
	return whole{negative, size}.normal(), err == nil
}

// bigOf gives a number of the caller's own.
func (c integerVariant) bigOf(v any) (*big.Int, bool) {
	value, is := plain(v)
	if is != something {
		return nil, false
	}
	text, isText := textIn(value)
	switch {
	case value.Kind() == reflect.Float32, value.Kind() == reflect.Float64:
		w, ok := wholeOfValue(value) // beyond that it may be another number
		n := new(big.Int).SetUint64(w.size)
		if w.negative {
			n.Neg(n)
		}
		return n, ok
	case !isText:
		n, ok := numberOf(value)
		if !ok {
			return nil, false
		}
		return n.bigInt()
	}
	base := c.base
	if !c.based {
		base = 10
	}
	digits, negative, base, ok := cutBase(text, base)
	if !ok || len(digits) > maxDigits {
		return nil, false
	}
	n, ok := new(big.Int).SetString(digits, base)
	if ok && negative {
		n.Neg(n)
	}
	return n, ok
}

// cutBase takes space, sign, prefix and underscores off a text. Base 0 asks
// the prefix, and without one it is ten: a leading zero makes nothing octal.
func cutBase(text string, base int) (digits string, negative bool, actual int, ok bool) {
	digits, negative = cutSign(strings.TrimSpace(text), true)
	for _, p := range [...]struct {
		letter byte
		base   int
	}{{'x', 16}, {'o', 8}, {'b', 2}} {
		if len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == p.letter && (base == 0 || base == p.base) {
			digits, base = digits[2:], p.base
			break
		}
	}
	if base == 0 {
		base = 10
	}
	for i := range len(digits) {
		if !isLetterOrDigit(digits[i]) && (digits[i] != '_' || i == 0 || i+1 == len(digits) || digits[i-1] == '_') {
			return "", false, 0, false
		}
	}
	digits = strings.ReplaceAll(digits, "_", "")
	return digits, negative, base, digits != ""
}

func isLetterOrDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }
