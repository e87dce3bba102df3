package inputs

import (
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
	limit     amount // the parameter, when it is a number
	limited   bool
	items     []amount // the parameter's items, when all are numbers
	other     int      // the input that it is compared with
}

// holds asks no rule about a value that it does not know.
func (t *tagTest) holds(w walk, v any) bool {
	switch {
	case comparesInputs(t.name):
		return t.holdsBeside(w, v)
	case t.asksPresence():
		return isPresent(v) == (t.name == "required")
	case isNil(v):
		return false
	}
	class := classOfValue(v)
	switch {
	case t.classes&class == 0:
		return false
	case t.compares(class):
		a, ok := amountOf(v)
		return ok && t.limited && t.keepsLimit(a)
	case class == classExact:
		a, ok := amountOf(v)
		return ok && t.items != nil && t.lists(a) == (t.name == "oneof")
	}
	return keeps(w.ctx, v, t.text)
}

// asksPresence tells the rules that fit every type. They are worked out here:
// validator/v10 does not ask them of structs.
func (t *tagTest) asksPresence() bool { return t.name == "required" || t.name == "isdefault" }

// compares tells the rules that are worked out here for numbers: those of
// validator/v10 panic when the limit is beyond the range of the value's type,
// and know nothing of numbers that Go has no kind for.
func (t *tagTest) compares(c class) bool {
	return c&classNumber != 0 && measures(t.name)
}

func (t *tagTest) keepsLimit(a amount) bool {
	order := a.compare(t.limit)
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

func (t *tagTest) lists(a amount) bool {
	for _, item := range t.items {
		if a.compare(item) == 0 {
			return true
		}
	}
	return false
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

// parseLimit reads a whole number as Go writes it, in any base, or a decimal.
func parseLimit(text string) (amount, bool) {
	digits, negative := cutSign(text, true)
	size, err := strconv.ParseUint(digits, 0, 64)
	if err != nil || negative && size > -math.MinInt64 {
		return parseAmount(text)
	}
	return amount{whole: whole{negative: negative, size: size}.normal()}, true
}

// parseItems reads the items of a oneof as numbers; nil when one is none.
func parseItems(t *tagTest) []amount {
	if t.name != "oneof" && t.name != "noneof" {
		return nil
	}
	var items []amount
	for _, text := range tagItems(t.parameter) {
		a, ok := parseAmount(text)
		if !ok {
			return nil
		}
		items = append(items, a)
	}
	return items
}

// typesSuit tells whether one of the types passes.
func typesSuit(types []reflect.Type, suits func(reflect.Type) bool) bool {
	for _, t := range types {
		if t.Kind() == reflect.Interface || suits(t) {
			return true
		}
	}
	return len(types) == 0
}
