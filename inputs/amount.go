package inputs

import (
	"encoding/json"
	"math"
	"math/big"
	"math/bits"
	"reflect"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// amount is a number of whatever kind, as it is: nothing is rounded before it
// is compared. A float counts as its shortest text, as it does where it is made
// a decimal.
type amount struct {
	whole    whole    // when neither of the next two is there
	digits   *big.Int // times 10 to the exponent
	exponent int64
	ratio    *big.Rat
	infinite int // -1 and 1 are the infinities
}

// isAmount tells the types whose values are amounts.
func isAmount(t reflect.Type) bool {
	t = behindPointerType(t)
	switch t {
	case durationType:
		return false
	case jsonNumberType, bigIntType, bigRatType, decimalType:
		return true
	}
	return isNumber(t)
}

// amountOf reads v; ok is false for what is no number, text and NaN included.
func amountOf(v any) (a amount, ok bool) {
	switch n := v.(type) {
	case int64:
		return amount{whole: wholeOfInt(n)}, true
	case int:
		return amount{whole: wholeOfInt(int64(n))}, true
	case float64:
		return amountOfFloat(n, 64)
	case json.Number:
		return parseAmount(string(n))
	}
	value := reflect.ValueOf(v)
	for range maxPointers {
		if isNilValue(value) {
			return amount{}, false
		}
		switch n := value.Interface().(type) {
		case *big.Int:
			return amountOfBig(n), true
		case big.Int:
			return amountOfBig(&n), true
		case *big.Rat:
			return amount{ratio: n}, true
		case big.Rat:
			return amount{ratio: &n}, true
		case decimal.Decimal:
			return amount{digits: n.Coefficient(), exponent: int64(n.Exponent())}, true
		}
		if value.Kind() != reflect.Pointer && value.Kind() != reflect.Interface {
			return amountOfKind(value)
		}
		value = value.Elem()
	}
	return amount{}, false
}

func amountOfKind(v reflect.Value) (amount, bool) {
	switch {
	case v.Type() == durationType:
		return amount{}, false
	case v.Type() == jsonNumberType:
		return parseAmount(v.String())
	case v.CanFloat():
		return amountOfFloat(v.Float(), v.Type().Bits())
	case v.CanInt() || v.CanUint():
		w, ok := wholeOfValue(v)
		return amount{whole: w}, ok
	}
	return amount{}, false
}

func amountOfFloat(f float64, bits int) (amount, bool) {
	switch {
	case math.IsNaN(f):
		return amount{}, false
	case math.IsInf(f, 0):
		return amount{infinite: int(math.Copysign(1, f))}, true
	}
	if w, ok := wholeOfFloat(f, 1<<53); ok {
		return amount{whole: w.normal()}, true
	}
	return parseAmount(strconv.FormatFloat(f, 'e', -1, bits))
}

func amountOfBig(n *big.Int) amount {
	if w, ok := wholeOfBig(n); ok {
		return amount{whole: w.normal()}
	}
	return amount{digits: n}
}

// parseAmount reads a number of JSON; a plus is let through.
func parseAmount(text string) (amount, bool) {
	unsigned, plus := strings.CutPrefix(text, "+")
	if plus && strings.HasPrefix(unsigned, "-") {
		return amount{}, false
	}
	n, ok := scanNumber(unsigned)
	if !ok {
		return amount{}, false
	}
	before, behind, _ := strings.Cut(n.digits, ".")
	exponent := n.exponent - int64(len(behind))
	if exponent == 0 && len(before)+len(behind) < 19 {
		size, err := strconv.ParseUint(before+behind, 10, 64)
		return amount{whole: whole{n.negative, size}.normal()}, err == nil
	}
	digits, ok := new(big.Int).SetString(before+behind, 10)
	if !ok {
		return amount{}, false
	}
	if n.negative {
		digits.Neg(digits)
	}
	return amount{digits: digits, exponent: exponent}, true
}

// compare is negative, zero or positive as a is less than, equal to or greater
// than b. An exponent costs nothing, however large it is: numbers of different
// size are told apart by their bits.
func (a amount) compare(b amount) int {
	if a.isWhole() && b.isWhole() {
		return a.whole.compare(b.whole)
	}
	sign := a.sign()
	switch {
	case sign != b.sign():
		return sign - b.sign()
	case sign == 0:
		return 0
	case a.infinite != 0 || b.infinite != 0:
		return a.infinite - b.infinite
	}
	size, other := a.size(), b.size()
	switch {
	case size > other+sizeError:
		return sign
	case size < other-sizeError:
		return -sign
	}
	return a.scaled(b).Cmp(b.scaled(a))
}

func (a amount) isWhole() bool { return a.digits == nil && a.ratio == nil && a.infinite == 0 }

func (a amount) sign() int {
	switch {
	case a.infinite != 0:
		return a.infinite
	case a.ratio != nil:
		return a.ratio.Sign()
	case a.digits != nil:
		return a.digits.Sign()
	case a.whole.size == 0:
		return 0
	case a.whole.negative:
		return -1
	}
	return 1
}

// sizeError is more than what size can be wrong by, for two of them.
const sizeError = 4

// size is about the logarithm to base 2.
func (a amount) size() float64 {
	switch {
	case a.ratio != nil:
		return float64(a.ratio.Num().BitLen() - a.ratio.Denom().BitLen())
	case a.digits != nil:
		return float64(a.digits.BitLen()) + float64(a.exponent)*math.Log2(10)
	}
	return float64(bits.Len64(a.whole.size))
}

// scaled is the numerator of a when a and b are brought to one denominator. It
// is asked only when both are of about one size, so that no exponent is larger
// than the digits that are there.
func (a amount) scaled(b amount) *big.Int {
	n := new(big.Int)
	switch {
	case a.ratio != nil:
		n.Set(a.ratio.Num())
	case a.digits != nil:
		n.Set(a.digits)
	default:
		n.SetUint64(a.whole.size)
		if a.whole.negative {
			n.Neg(n)
		}
	}
	if b.ratio != nil {
		n.Mul(n, b.ratio.Denom())
	}
	if shift := a.exponent - min(a.exponent, b.exponent); shift > 0 {
		n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(shift), nil))
	}
	return n
}
