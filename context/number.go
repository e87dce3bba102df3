package cmdxctx

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// What keeps a number from becoming another type of number.
const (
	noNumber   = "the value is no number; convert it first, or decode into a field of its own type"
	outOfRange = "the number does not fit; use a wider field"
	inexact    = "the number would change; use a field that holds it exactly"
)

// exactNumber converts a value to a numeric type without changing the number:
// v is of an integer or float kind, or a json.Number. Otherwise it tells the
// problem.
func exactNumber(v reflect.Value, t reflect.Type) (number reflect.Value, problem string) {
	number = reflect.New(t).Elem()
	text, isText := v.Interface().(json.Number)
	switch {
	case isInt(t):
		var i int64
		if isText {
			i, problem = text64(string(text))
		} else {
			i, problem = toInt64(v)
		}
		if problem == "" && number.OverflowInt(i) {
			problem = outOfRange
		}
		if problem == "" {
			number.SetInt(i)
		}
	case isUint(t):
		var u uint64
		if isText {
			u, problem = textUint64(string(text))
		} else {
			u, problem = toUint64(v)
		}
		if problem == "" && number.OverflowUint(u) {
			problem = outOfRange
		}
		if problem == "" {
			number.SetUint(u)
		}
	default:
		var f float64
		if isText {
			f, problem = textFloat(string(text), t.Bits())
		} else if f, problem = toFloat64(v); problem == "" && t.Bits() == 32 {
			problem = fits32(f)
		}
		if problem == "" {
			number.SetFloat(f)
		}
	}
	return number, problem
}

func toInt64(v reflect.Value) (int64, string) {
	switch {
	case v.CanInt():
		return v.Int(), ""
	case v.CanUint():
		if v.Uint() > math.MaxInt64 {
			return 0, outOfRange
		}
		return int64(v.Uint()), ""
	case v.CanFloat():
		return wholeFloat(v)
	}
	return 0, noNumber
}

func toUint64(v reflect.Value) (uint64, string) {
	if v.CanUint() {
		return v.Uint(), ""
	}
	i, problem := toInt64(v)
	if problem == "" && i < 0 {
		problem = outOfRange
	}
	return uint64(i), problem
}

// wholeFloat takes whole numbers below the limit from which a float no longer
// tells neighbours apart: 2^53, for a float32 2^24.
func wholeFloat(v reflect.Value) (int64, string) {
	f, limit := v.Float(), float64(1<<53)
	if v.Kind() == reflect.Float32 {
		limit = 1 << 24
	}
	if f != math.Trunc(f) || !(math.Abs(f) < limit) { // NaN is not below either
		return 0, inexact
	}
	return int64(f), ""
}

func toFloat64(v reflect.Value) (float64, string) {
	switch {
	case v.CanFloat():
		return v.Float(), ""
	case v.CanInt():
		return wholeToFloat(v.Int(), v.Int() < 0)
	case v.CanUint():
		if v.Uint() <= math.MaxInt64 {
			return wholeToFloat(int64(v.Uint()), false)
		}
		f := float64(v.Uint())
		if f >= 1<<64 || uint64(f) != v.Uint() {
			return 0, inexact
		}
		return f, ""
	}
	return 0, noNumber
}

func wholeToFloat(i int64, negative bool) (float64, string) {
	f := float64(i)
	if (!negative && f >= 1<<63) || int64(f) != i {
		return 0, inexact
	}
	return f, ""
}

// fits32 tells why f is no float32.
func fits32(f float64) string {
	if narrow := float64(float32(f)); narrow == f || math.IsNaN(f) {
		return ""
	} else if math.IsInf(narrow, 0) {
		return outOfRange
	}
	return inexact
}

func text64(text string) (int64, string) {
	digits, problem := wholeDigits(text)
	if problem != "" {
		return 0, problem
	}
	i, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, outOfRange
	}
	return i, ""
}

func textUint64(text string) (uint64, string) {
	digits, problem := wholeDigits(text)
	if problem != "" {
		return 0, problem
	}
	u, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, outOfRange
	}
	return u, ""
}

// textFloat reads the float that lies nearest to the text, as JSON does. A
// whole number that an integer could hold must keep all its digits.
func textFloat(text string, bits int) (float64, string) {
	if !isJSONNumber(text) {
		return 0, noNumber
	}
	f, err := strconv.ParseFloat(text, bits)
	if err != nil {
		return 0, outOfRange
	}
	if u, problem := textUint64(strings.TrimPrefix(text, "-")); problem == "" {
		exact, problem := toFloat64(reflect.ValueOf(u))
		if problem != "" || exact != math.Abs(f) {
			return 0, inexact
		}
	}
	return f, ""
}

// wholeDigits writes a JSON number as a plain whole number: "9.9e3" is "9900".
func wholeDigits(text string) (digits, problem string) {
	if !isJSONNumber(text) {
		return "", noNumber
	}
	rest, negative := strings.CutPrefix(text, "-")
	mantissa, power := rest, "0"
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, power = rest[:i], rest[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	fraction = strings.TrimRight(fraction, "0")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", ""
	}
	exponent, err := strconv.Atoi(power)
	if err != nil { // more digits than an int has
		if strings.HasPrefix(power, "-") {
			return "", inexact
		}
		return "", outOfRange
	}
	trimmed := strings.TrimRight(digits, "0")
	zeros := exponent - len(fraction) + len(digits) - len(trimmed)
	const longest = 20 // digits of the largest uint64
	switch {
	case zeros < 0:
		return "", inexact
	case zeros > longest || len(trimmed)+zeros > longest:
		return "", outOfRange
	}
	digits = trimmed + strings.Repeat("0", zeros)
	if negative {
		digits = "-" + digits
	}
	return digits, ""
}

// isJSONNumber tells whether text is a number as JSON writes it. A json.Number
// can hold any text.
func isJSONNumber(text string) bool {
	if text == "" || (text[0] != '-' && (text[0] < '0' || text[0] > '9')) {
		return false
	}
	last := text[len(text)-1]
	return last >= '0' && last <= '9' && json.Valid([]byte(text))
}

func isInt(t reflect.Type) bool  { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64 }
func isUint(t reflect.Type) bool { return t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uintptr }
func isNumber(t reflect.Type) bool {
	return isInt(t) || isUint(t) || t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64
}
