package inputs

import (
	"reflect"
	"strings"
	"time"
)

type timeCoercion string

// Date, DateTime and Time give a time.Time. They take times, RFC 3339 text,
// "2006-01-02" and "2006-01-02 15:04:05", with or without a zone and a
// fraction of the second, and pointers to these. Text without a zone is UTC,
// and so is "Z" and an offset of zero; another offset is kept. Dates and
// clocks that do not exist are refused, and so is more than a nanosecond can
// hold. With [Layout], text is read by that instead.
const (
	// Date gives the day: midnight UTC of the day as it is written, whatever
	// the zone, so that equal days are equal times.
	Date timeCoercion = "date"
	// DateTime gives the moment. A time.Time stays as it is.
	DateTime timeCoercion = "date_time"
	// Time is DateTime that also takes numbers: Unix seconds, with a
	// fraction, of the years 1 to 9999. Digits as text are no number.
	Time timeCoercion = "time"
)

func init() { inferable = append(inferable, Time) }

// Name is the word for the coercion.
func (c timeCoercion) Name() string { return string(c) }

// Phrase is the name with its article.
func (c timeCoercion) Phrase() string { return "a " + string(c) }

// Types has time.Time alone.
func (timeCoercion) Types() []reflect.Type { return []reflect.Type{timeType} }

// Stores is true for fields of type time.Time.
func (timeCoercion) Stores(field reflect.Type) bool { return field == timeType }

func (c timeCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

// Coerce returns v as a time.Time.
func (c timeCoercion) Coerce(v any) (any, bool) { return c.coerce(v, parseTime) }

func (c timeCoercion) withLayouts(layouts []string) Coercion { return laidOutCoercion{c, layouts} }

// laidOutCoercion reads text by layouts alone.
type laidOutCoercion struct {
	timeCoercion
	layouts []string
}

func (c laidOutCoercion) Coerce(v any) (any, bool) {
	return c.coerce(v, func(text string) (time.Time, bool) { return parseLayouts(text, c.layouts) })
}

func (c timeCoercion) coerce(v any, parse func(string) (time.Time, bool)) (any, bool) {
	t, ok := v.(time.Time)
	if !ok {
		if t, ok = c.timeOf(v, parse); !ok {
			return nil, false
		}
	}
	if c == Date {
		return day(t), true
	}
	return t, true
}

func day(t time.Time) time.Time {
	year, month, date := t.Date()
	return time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
}

func (c timeCoercion) timeOf(v any, parse func(string) (time.Time, bool)) (time.Time, bool) {
	value, is := plain(v)
	if is != something {
		return time.Time{}, false
	}
	if value.Type() == timeType {
		return value.Interface().(time.Time), true
	}
	if text, ok := textIn(value); ok {
		return parse(strings.TrimSpace(text))
	}
	if c != Time || value.Type() == durationType { // which counts nanoseconds
		return time.Time{}, false
	}
	return unixTime(value)
}

// The years 1 to 9999: what lies outside has no RFC 3339, and is rather a
// count of milliseconds.
var (
	firstSecond = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastSecond  = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
)

// unixTime reads seconds with a fraction of nanoseconds. The seconds alone may
// fill an int64, so that the two are read apart.
func unixTime(value reflect.Value) (time.Time, bool) {
	n, ok := numberOf(value)
	if !ok {
		return time.Time{}, false
	}
	seconds, fraction, ok := n.split()
	if !ok && isFloat(value) { // finer than a nanosecond only by its binary form
		n, _ = scanNumber(fixedText(value))
		seconds, fraction, ok = n.split()
	}
	if !ok || seconds < firstSecond || seconds > lastSecond {
		return time.Time{}, false
	}
	return time.Unix(seconds, fraction).UTC(), true
}
