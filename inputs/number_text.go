package inputs

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// whole is a whole number from -(2^64-1) to 2^64-1. Zero is never negative.
type whole struct {
	negative bool
	size     uint64
}

func (w whole) int64() (int64, bool) {
	if w.negative {
		return int64(-w.size), w.size <= 1<<63
	}
	return int64(w.size), w.size <= math.MaxInt64
}

// shifted is w·10^zeros + digit, with w's sign.
func (w whole) shifted(zeros int64, digit byte) (whole, bool) {
	if w.size == 0 {
		return whole{w.negative, uint64(digit)}, true
	}
	if zeros > 19 { // 10^20 is beyond 2^64
		return w, false
	}
	for range zeros {
		high, low := bits.Mul64(w.size, 10)
		if high != 0 {
			return w, false
		}
		w.size = low
	}
	sum, carry := bits.Add64(w.size, uint64(digit), 0)
	w.size = sum
	return w, carry == 0
}

func (w whole) normal() whole {
	w.negative = w.negative && w.size != 0
	return w
}

// cutSign returns text without its sign.
func cutSign(text string, plus bool) (rest string, negative bool) {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return rest, true
	}
	if plus {
		text = strings.TrimPrefix(text, "+")
	}
	return text, false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// betweenDigits tells whether text[i] stands between two digits.
func betweenDigits(text string, i int) bool {
	return i > 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1])
}

// parseWhole reads decimal digits with a sign, surrounding space and single
// underscores between digits.
func parseWhole(text string) (whole, bool) {
	digits, negative := cutSign(strings.TrimSpace(text), true)
	if digits == "" {
		return whole{}, false
	}
	w, ok := whole{negative: negative}, true
	for i := range len(digits) {
		c := digits[i]
		switch {
		case c == '_' && betweenDigits(digits, i):
		case isDigit(c):
			if w, ok = w.shifted(1, c-'0'); !ok {
				return whole{}, false
			}
		default:
			return whole{}, false
		}
	}
	return w.normal(), true
}

// parseJSONWhole reads a number of JSON that is whole, in any notation. It
// costs one pass over the text, whatever the exponent says.
func parseJSONWhole(text string) (whole, bool) {
	n, ok := scanNumber(text)
	if !ok {
		return whole{}, false
	}
	return n.whole()
}

// whole is refused where n has a fraction.
func (n number) whole() (w whole, ok bool) {
	w = whole{negative: n.negative}
	if n.digits == "" {
		return w.normal(), true
	}
	// The digits end where the zeros begin that only carry the place.
	significant := strings.TrimRight(n.digits, "0.")
	var zeros, behindPoint int64
	point := false
	for i := range len(n.digits) {
		switch {
		case n.digits[i] == '.':
			point = true
			continue
		case i < len(significant):
			if w, ok = w.shifted(1, n.digits[i]-'0'); !ok {
				return whole{}, false
			}
		default:
			zeros++
		}
		if point {
			behindPoint++
		}
	}
	if w.size == 0 {
		return w.normal(), true
	}
	places := n.exponent + zeros - behindPoint
	if places < 0 {
		return whole{}, false
	}
	return w.shifted(places, 0)
}

// number is the text of a number in its parts.
type number struct {
	negative bool
	digits   string // with a point or without
	exponent int64  // stops far beyond every length of digits
}

const maxExponent = 1 << 50

// scanNumber takes a text apart that reads like a number of JSON; leading
// zeros are allowed.
func scanNumber(text string) (number, bool) { return scan(text, false) }

// scanText takes a text apart as people write numbers: with surrounding space,
// a plus, single underscores between digits, a point at the end or beginning.
func scanText(text string) (number, bool) {
	text, ok := withoutUnderscores(strings.TrimSpace(text))
	if !ok {
		return number{}, false
	}
	return scan(text, true)
}

// withoutUnderscores refuses those that do not stand alone between digits.
func withoutUnderscores(text string) (string, bool) {
	if strings.IndexByte(text, '_') < 0 {
		return text, true
	}
	for i := range len(text) {
		if text[i] == '_' && !betweenDigits(text, i) {
			return "", false
		}
	}
	return strings.ReplaceAll(text, "_", ""), true
}

func scan(text string, loose bool) (number, bool) {
	rest, negative := cutSign(text, loose)
	n := number{negative: negative}
	i := digitsEnd(rest, 0)
	if i == 0 && !loose {
		return n, false
	}
	before := i
	if i < len(rest) && rest[i] == '.' {
		end := digitsEnd(rest, i+1)
		if end == i+1 && (!loose || before == 0) {
			return n, false
		}
		i = end
	}
	if i == 0 {
		return n, false
	}
	n.digits = rest[:i]
	if i == len(rest) {
		return n, true
	}
	if rest[i] != 'e' && rest[i] != 'E' {
		return n, false
	}
	exponent, down := cutSign(rest[i+1:], true)
	if exponent == "" || digitsEnd(exponent, 0) != len(exponent) {
		return n, false
	}
	for j := range len(exponent) {
		n.exponent = min(n.exponent*10+int64(exponent[j]-'0'), maxExponent)
	}
	if down {
		n.exponent = -n.exponent
	}
	return n, true
}

func digitsEnd(text string, from int) int {
	for from < len(text) && isDigit(text[from]) {
		from++
	}
	return from
}

// parseFloat reads decimal text with a fraction and an exponent. A fraction
// becomes the nearest float; whole digits that no float holds, and what would
// become infinite or zero, are refused.
func parseFloat(text string) (float64, bool) {
	text, ok := withoutUnderscores(strings.TrimSpace(text))
	if !ok {
		return 0, false
	}
	unsigned, _ := cutSign(text, true)
	if !isDecimal(unsigned) {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	mantissa, _, scientific := strings.Cut(strings.ToLower(unsigned), "e")
	if f == 0 {
		return f, strings.Trim(mantissa, "0.") == ""
	}
	if scientific || strings.Contains(mantissa, ".") {
		return f, true
	}
	return f, strconv.FormatFloat(math.Abs(f), 'f', 0, 64) == strings.TrimLeft(mantissa, "0")
}

// isDecimal tells hexadecimal and named floats from decimal ones.
func isDecimal(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isDigit(c) && !strings.ContainsRune(".eE+-", rune(c)) {
			return false
		}
	}
	return true
}
