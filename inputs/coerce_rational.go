package inputs

import (
	"math/big"
	"reflect"
	"strings"
)

type rationalCoercion string

// Rational gives a *big.Rat of the value's own. It takes fractions as text
// ("3/4") and what [Decimal] takes, exactly; floats by their shortest text.
const Rational rationalCoercion = "rational"

func init() { inferable = append(inferable, Rational) }

func (c rationalCoercion) Name() string   { return string(c) }
func (c rationalCoercion) Phrase() string { return "a rational" }

func (rationalCoercion) Types() []reflect.Type { return []reflect.Type{reflect.PointerTo(bigRatType)} }

func (rationalCoercion) Stores(field reflect.Type) bool { return field == bigRatType }

func (c rationalCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

func (rationalCoercion) Coerce(v any) (any, bool) {
	value, is := plain(v)
	if is != something {
		return nil, false
	}
	r, ok := rationalOf(value)
	if !ok {
		return nil, false
	}
	return r, true
}

func rationalOf(value reflect.Value) (*big.Rat, bool) {
	if value.Type() == bigRatType { // also one whose digits never end
		return new(big.Rat).Set(pointerTo[big.Rat](value)), true
	}
	if text, ok := textIn(value); ok && strings.Contains(text, "/") {
		return parseFraction(strings.TrimSpace(text))
	}
	n, ok := numberIn(value)
	if !ok {
		return nil, false
	}
	return n.rat()
}

// parseFraction reads two whole numbers around a stroke; the second has no
// sign and is not zero.
func parseFraction(text string) (*big.Rat, bool) {
	over, under, _ := strings.Cut(text, "/")
	numerator, ok := parseDigits(over)
	if !ok || under == "" || !isDigit(under[0]) {
		return nil, false
	}
	denominator, ok := parseDigits(under)
	if !ok || denominator.Sign() == 0 {
		return nil, false
	}
	return new(big.Rat).SetFrac(numerator, denominator), true
}

// parseDigits reads a whole number that is written with digits alone.
func parseDigits(text string) (*big.Int, bool) {
	if text == "" || strings.ContainsAny(text, ".eE") || text != strings.TrimSpace(text) {
		return nil, false
	}
	n, ok := scanText(text)
	if !ok {
		return nil, false
	}
	return n.bigInt()
}

func ratOf(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }
