package inputs

import (
	"context"
	"math"
	"reflect"
	"strconv"
)

// tagTest is one rule of a tag.
type tagTest struct {
	text      string // as it was written
	name      string
	parameter string
	classes   class
	limit     whole // the parameter, when it is a whole number
	limited   bool
}

// holds asks no rule about a value that it does not know.
func (t *tagTest) holds(ctx context.Context, v any) bool {
	switch {
	case t.asksPresence():
		return isPresent(v) == (t.name == "required")
	case isNil(v):
		return false
	case t.compares(classInteger):
		if w, ok := integerOf(v); ok {
			return t.limited && t.keepsLimit(w)
		}
	}
	return t.classes&classOfValue(v) != 0 && keeps(ctx, v, t.text)
}

// asksPresence tells the rules that fit every type. They are worked out here:
// validator/v10 does not ask them of structs.
func (t *tagTest) asksPresence() bool { return t.name == "required" || t.name == "isdefault" }

// compares tells the rules that are worked out here for integers: those of
// validator/v10 panic when the limit is beyond the range of the value's type.
func (t *tagTest) compares(c class) bool {
	return c == classInteger && measures(t.name)
}

func integerOf(v any) (whole, bool) {
	if n, ok := v.(int64); ok {
		return wholeOfInt(n), true
	}
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok || classOf(value.Type()) != classInteger {
		return whole{}, false
	}
	return wholeOfValue(value)
}

func (t *tagTest) keepsLimit(w whole) bool {
	order := w.compare(t.limit)
	switch t.name {
	case "gt":
		return order > 0
	case "gte", "min":
		return order >= 0
	case "lt":
		return order < 0
	case "lte", "max":
		return order <= 0
	case "ne":
		return order != 0
	}
	return order == 0 // eq, len
}

// compare is negative, zero or positive as w is less than, equal to or greater
// than other.
func (w whole) compare(other whole) int {
	switch {
	case w.negative != other.negative:
		if w.negative {
			return -1
		}
		return 1
	case w.size == other.size:
		return 0
	case (w.size < other.size) != w.negative:
		return -1
	}
	return 1
}

// parseLimit reads a whole number as Go writes it, in any base.
func parseLimit(text string) (whole, bool) {
	digits, negative := cutSign(text, true)
	size, err := strconv.ParseUint(digits, 0, 64)
	if err != nil || negative && size > -math.MinInt64 {
		return whole{}, false
	}
	return whole{negative: negative, size: size}.normal(), true
}
