package inputs

import (
	"reflect"

	"github.com/shopspring/decimal"
)

type decimalCoercion string

// Decimal gives a decimal.Decimal of github.com/shopspring/decimal, for money
// and whatever else must keep its digits. It takes decimals, numbers of any
// kind and json.Number exactly, floats by their shortest text, text with a
// fraction, an exponent, a sign, surrounding space and single underscores
// between digits, and pointers to these. It refuses booleans, NaN, infinity
// and numbers of more than ten thousand digits.
const Decimal decimalCoercion = "decimal"

func init() { inferable = append(inferable, Decimal) }

func (c decimalCoercion) Name() string   { return string(c) }
func (c decimalCoercion) Phrase() string { return "a decimal" }

func (decimalCoercion) Types() []reflect.Type { return []reflect.Type{decimalType} }

func (decimalCoercion) Stores(field reflect.Type) bool { return field == decimalType }

func (c decimalCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

// maxExactPlaces is where a decimal is no longer taken as it is, but read and
// made again: what it takes to write it out has to be found.
const maxExactPlaces = 100

func (decimalCoercion) Coerce(v any) (any, bool) {
	if d, ok := v.(decimal.Decimal); ok && d.Exponent() <= 0 && d.Exponent() >= -maxExactPlaces {
		return v, true
	}
	value, is := plain(v)
	if is != something {
		return nil, false
	}
	n, ok := numberIn(value)
	if !ok {
		return nil, false
	}
	d, ok := n.decimal()
	if !ok {
		return nil, false
	}
	return d, true
}
