package inputs

import (
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// maxDigits is how many digits a number may have when it is written out. What
// an exponent says beyond that is refused: 1e999999999 is ten characters to
// send and a gigabyte to hold.
const maxDigits = 10_000

// maxBits is more than maxDigits digits need.
const maxBits = maxDigits * 10 / 3

// numberOf reads a value that is a number, exactly; floats by their shortest
// text.
func numberOf(value reflect.Value) (n number, ok bool) {
	switch value.Type() {
	case jsonNumberType:
		return scanNumber(value.String())
	case bigIntType:
		return numberOfBig(pointerTo[big.Int](value), 0)
	case bigRatType:
		return numberOfRat(pointerTo[big.Rat](value))
	case bigFloatType:
		return numberOfBigFloat(pointerTo[big.Float](value))
	case decimalType:
		d := value.Interface().(decimal.Decimal)
		return numberOfBig(d.Coefficient(), int64(d.Exponent()))
	}
	switch value.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return scanNumber(strconv.FormatInt(value.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return scanNumber(strconv.FormatUint(value.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		return scanNumber(strconv.FormatFloat(value.Float(), 'e', -1, value.Type().Bits()))
	}
	return number{}, false
}

// numberIn is numberOf for values that may also be text.
func numberIn(value reflect.Value) (number, bool) {
	if text, ok := textIn(value); ok {
		return scanText(text)
	}
	return numberOf(value)
}

func numberOfBig(n *big.Int, power int64) (number, bool) {
	if n.BitLen() > maxBits {
		return number{}, false
	}
	digits, negative := cutSign(n.String(), false)
	return number{negative: negative, digits: digits, exponent: power}, true
}

func numberOfBigFloat(f *big.Float) (number, bool) {
	if !isModerate(f) {
		return number{}, false
	}
	return scanNumber(f.Text('e', -1))
}

// isModerate tells whether f can be written out; trying to would take the
// memory that its exponent asks for.
func isModerate(f *big.Float) bool {
	power := f.MantExp(nil)
	return !f.IsInf() && power <= maxBits && power >= -maxBits && f.Prec() <= maxBits
}

// numberOfRat refuses fractions whose digits never end.
func numberOfRat(r *big.Rat) (number, bool) {
	if r.Num().BitLen() > maxBits || r.Denom().BitLen() > maxBits {
		return number{}, false
	}
	places, exact := r.FloatPrec()
	if !exact || places > maxDigits {
		return number{}, false
	}
	return scanNumber(r.FloatString(places))
}

// pointerTo is a pointer to what value holds, or to a copy of it.
func pointerTo[T any](value reflect.Value) *T {
	if value.CanAddr() {
		return value.Addr().Interface().(*T)
	}
	place := reflect.New(value.Type())
	place.Elem().Set(value)
	return place.Interface().(*T)
}

// scaled is n as digits·10^power, without a point and leading zeros; ok is
// false when it cannot be written out in maxDigits digits.
func (n number) scaled() (digits string, power int64, ok bool) {
	digits, power = n.digits, n.exponent
	if i := strings.IndexByte(digits, '.'); i >= 0 {
		power -= int64(len(digits) - i - 1)
		digits = digits[:i] + digits[i+1:]
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return "0", 0, true
	}
	size := int64(len(digits))
	return digits, power, size <= maxDigits && size+power <= maxDigits && -power <= maxDigits
}

// isShort tells whether n can be written out in maxDigits digits, zeros too.
func (n number) isShort() bool {
	_, _, ok := n.scaled()
	return ok && n.exponent <= maxDigits && n.exponent >= -maxDigits
}

// bigInt is refused where n has a fraction.
func (n number) bigInt() (*big.Int, bool) {
	digits, power, ok := n.scaled()
	if !ok {
		return nil, false
	}
	if power < 0 {
		keep := int64(len(digits)) + power
		if keep < 1 || strings.Trim(digits[keep:], "0") != "" {
			return nil, false
		}
		digits = digits[:keep]
	} else {
		digits += strings.Repeat("0", int(power))
	}
	return n.signed(digits), true
}

func (n number) signed(digits string) *big.Int {
	size, _ := new(big.Int).SetString(digits, 10) // nothing but digits
	if n.negative {
		size.Neg(size)
	}
	return size
}

func (n number) decimal() (decimal.Decimal, bool) {
	digits, power, ok := n.scaled()
	if !ok {
		return decimal.Decimal{}, false
	}
	return decimal.NewFromBigInt(n.signed(digits), int32(power)), true
}

func (n number) rat() (*big.Rat, bool) {
	digits, power, ok := n.scaled()
	if !ok {
		return nil, false
	}
	r, scale := new(big.Rat).SetInt(n.signed(digits)), powerOfTen(max(power, -power))
	if power < 0 {
		return r.Quo(r, scale), true
	}
	return r.Mul(r, scale), true
}

func powerOfTen(n int64) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil))
}

// float64 is the nearest float; whole numbers that no float holds, and what
// would become infinite or zero, are refused.
func (n number) float64() (float64, bool) {
	digits, power, ok := n.scaled()
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(digits+"e"+strconv.FormatInt(power, 10), 64)
	if err != nil || f == 0 && digits != "0" {
		return 0, false
	}
	if math.Trunc(f) == f {
		whole, isWhole := n.bigInt()
		if exact, _ := big.NewFloat(f).Int(nil); isWhole && exact.CmpAbs(whole) != 0 {
			return 0, false
		}
	}
	if n.negative {
		f = -f
	}
	return f, true
}

// nanoseconds is n seconds. What is finer than a nanosecond is refused.
func (n number) nanoseconds() (whole, bool) {
	n.exponent += 9
	return n.whole()
}

// split is n as whole seconds and nanoseconds, of n's sign both.
func (n number) split() (seconds, nanos int64, ok bool) {
	digits, power, ok := n.scaled()
	if !ok {
		return 0, 0, false
	}
	before, after := digits, ""
	if power < 0 {
		places := int(-power)
		if missing := places - len(digits); missing > 0 {
			digits = strings.Repeat("0", missing) + digits
		}
		before, after = digits[:len(digits)-places], strings.TrimRight(digits[len(digits)-places:], "0")
	} else {
		before += strings.Repeat("0", int(power))
	}
	if len(after) > 9 {
		return 0, 0, false
	}
	seconds, err := strconv.ParseInt("0"+before, 10, 64)
	nanos, _ = strconv.ParseInt("0"+after+strings.Repeat("0", 9-len(after)), 10, 64)
	if n.negative {
		seconds, nanos = -seconds, -nanos
	}
	return seconds, nanos, err == nil
}
