package stores

import (
	"encoding/json"
	"strings"
)

// maxPadding is how many characters a canonical text may be longer than the
// number it stands for. It bounds what an exponent can cost; every float64
// fits.
const maxPadding = 1024

// maxExponent is far beyond maxPadding and far from overflow when digits are
// counted.
const maxExponent = 1 << 40

// numberSegment writes a JSON number in its only canonical form: a minus sign
// for what is not zero, whole digits without leading zeros, and a fraction
// without trailing ones when there is a fraction. No digit is rounded.
func numberSegment(n json.Number) (string, error) {
	text := string(n)
	if text == "" {
		return "", nil
	}
	parts, ok := splitNumber(text)
	if !ok {
		return "", &SegmentError{Type: "json.Number", Reason: "its text is not a JSON number: pass other text as a string"}
	}
	if sign := text[:len(text)-len(parts.whole)]; sign == "" || sign == "-" && parts.whole != "0" {
		return text, nil // JSON allows no leading zeros: plain digits are canonical
	}

	digits := strings.TrimLeft(parts.whole+parts.fraction, "0")
	if digits == "" {
		return "0", nil
	}
	// The value is 0.digits times ten to the power of point.
	point := int64(len(digits)) - int64(len(parts.fraction)) + parts.exponent
	digits = strings.TrimRight(digits, "0")
	if point > int64(len(text))+maxPadding || -point > maxPadding {
		return "", &SegmentError{Type: "json.Number", Reason: "its exponent is too large for plain digits: pass the number as a string"}
	}

	length := int64(len(digits))
	var plain strings.Builder
	plain.Grow(int(max(point, length, length-point)) + len("-0."))
	if parts.negative {
		plain.WriteByte('-')
	}
	switch {
	case point <= 0:
		plain.WriteString("0.")
		writeZeros(&plain, -point)
		plain.WriteString(digits)
	case point >= length:
		plain.WriteString(digits)
		writeZeros(&plain, point-length)
	default:
		plain.WriteString(digits[:point])
		plain.WriteByte('.')
		plain.WriteString(digits[point:])
	}
	return plain.String(), nil
}

func writeZeros(to *strings.Builder, n int64) {
	for range n {
		to.WriteByte('0')
	}
}

// numberParts are the parts of a JSON number.
type numberParts struct {
	negative        bool
	whole, fraction string // digits only
	exponent        int64  // cut to ±maxExponent
}

// splitNumber cuts a text by the grammar of JSON numbers, leading zeros and
// bare points refused.
func splitNumber(text string) (parts numberParts, ok bool) {
	parts.negative = strings.HasPrefix(text, "-")
	rest := strings.TrimPrefix(text, "-")
	parts.whole, rest = leadingDigits(rest)
	if parts.whole == "" || len(parts.whole) > 1 && parts.whole[0] == '0' {
		return parts, false
	}
	if strings.HasPrefix(rest, ".") {
		if parts.fraction, rest = leadingDigits(rest[1:]); parts.fraction == "" {
			return parts, false
		}
	}
	if rest == "" {
		return parts, true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return parts, false
	}
	rest = rest[1:]
	negative := strings.HasPrefix(rest, "-")
	if negative || strings.HasPrefix(rest, "+") {
		rest = rest[1:]
	}
	exponent, rest := leadingDigits(rest)
	if exponent == "" || rest != "" {
		return parts, false
	}
	for _, digit := range []byte(exponent) {
		parts.exponent = min(parts.exponent*10+int64(digit-'0'), maxExponent)
	}
	if negative {
		parts.exponent = -parts.exponent
	}
	return parts, true
}

func leadingDigits(text string) (digits, rest string) {
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	return text[:i], text[i:]
}
