package inputs

import (
	"reflect"
	"strconv"
	"strings"
	"time"
)

type durationCoercion string

// Duration gives a time.Duration. It takes durations, text as Go writes them
// ("1h30m", "250ms"), numbers of seconds with a fraction, and pointers to
// these. A float is rounded to the nanosecond; text and json.Number that are
// finer than that, numbers as text, and what no duration can hold are refused.
const Duration durationCoercion = "duration"

func init() { inferable = append(inferable, Duration) }

func (c durationCoercion) Name() string   { return string(c) }
func (c durationCoercion) Phrase() string { return "a duration" }

func (durationCoercion) Types() []reflect.Type { return []reflect.Type{durationType} }

func (durationCoercion) Stores(field reflect.Type) bool { return field == durationType }

func (c durationCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

func (durationCoercion) Coerce(v any) (any, bool) {
	if _, ok := v.(time.Duration); ok {
		return v, true
	}
	value, is := plain(v)
	if is != something {
		return nil, false
	}
	d, ok := durationOf(value)
	if !ok {
		return nil, false
	}
	return d, true
}

func durationOf(value reflect.Value) (time.Duration, bool) {
	if value.Type() == durationType {
		return time.Duration(value.Int()), true
	}
	if text, ok := textIn(value); ok {
		return parseDuration(strings.TrimSpace(text))
	}
	n, ok := numberOf(value)
	if !ok {
		return 0, false
	}
	w, ok := n.nanoseconds()
	if !ok && isFloat(value) {
		n, _ = scanNumber(fixedText(value))
		w, ok = n.nanoseconds()
	}
	if !ok {
		return 0, false
	}
	nanos, ok := w.int64()
	return time.Duration(nanos), ok
}

func isFloat(value reflect.Value) bool {
	return value.Kind() == reflect.Float32 || value.Kind() == reflect.Float64
}

// fixedText is a float rounded to nine places.
func fixedText(value reflect.Value) string {
	return strconv.FormatFloat(value.Float(), 'f', 9, value.Type().Bits())
}

// parseDuration lets package time decide what is a duration, and refuses what
// it would round.
func parseDuration(text string) (time.Duration, bool) {
	d, err := time.ParseDuration(text)
	return d, err == nil && (strings.IndexByte(text, '.') < 0 || isExactDuration(text))
}

// isExactDuration tells whether every part of a duration's text is a whole
// number of nanoseconds.
func isExactDuration(text string) bool {
	rest, _ := cutSign(text, true)
	for rest != "" {
		i := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if i < 0 {
			return true // "0"
		}
		amount := rest[:i]
		rest = rest[i:]
		end := strings.IndexFunc(rest, func(r rune) bool { return r == '.' || r >= '0' && r <= '9' })
		if end < 0 {
			end = len(rest)
		}
		unit, err := time.ParseDuration("1" + rest[:end])
		if err != nil || !isWholeIn(amount, unit) {
			return false
		}
		rest = rest[end:]
	}
	return true
}

// isWholeIn tells whether amount times unit has no fraction.
func isWholeIn(amount string, unit time.Duration) bool {
	_, fraction, _ := strings.Cut(amount, ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > 18 {
		return false
	}
	n, ok := scan("0."+fraction+"0", false)
	if !ok {
		return false
	}
	product, ok := n.rat()
	if !ok {
		return false
	}
	return product.Mul(product, ratOf(int64(unit))).IsInt()
}
