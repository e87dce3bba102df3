package inputs

import (
	"github.com/cmdx-go/cmdx/internal/messages"
)

// Limit bounds a length or a number: [Within], [NotWithin], [AtLeast],
// [AtMost], [GreaterThan], [LessThan], [Is] and [IsNot]. The bounds of a number
// may be of any number type, also json.Number, *big.Int, *big.Rat and decimals,
// or durations for a duration. What is compared is never rounded.
type Limit interface{ limit() limit }

// limit is a Limit as it was declared.
type limit struct {
	name     string // as in messages' keys
	min, max any    // max for two bounds only
}

func (l limit) limit() limit { return l }

// Range is made by [Within]. It fits [Length] and [Numeric], and [Inclusion]
// and [Exclusion], where its bounds may also be times or texts.
type Range struct{ min, max any }

func (r Range) limit() limit     { return limit{name: "within", min: r.min, max: r.max} }
func (r Range) members() members { return members{inside: &r} }

// Within holds from min to max, both included.
func Within(min, max any) Range { return Range{min, max} }

// NotWithin holds below min and above max.
func NotWithin(min, max any) Limit { return limit{name: "not_within", min: min, max: max} }

// AtLeast holds from min on.
func AtLeast(min any) Limit { return limit{name: "min", min: min} }

// AtMost holds up to max.
func AtMost(max any) Limit { return limit{name: "max", min: max} }

// GreaterThan holds above bound.
func GreaterThan(bound any) Limit { return limit{name: "gt", min: bound} }

// LessThan holds below bound.
func LessThan(bound any) Limit { return limit{name: "lt", min: bound} }

// Is holds for n only.
func Is(n any) Limit { return limit{name: "is", min: n} }

// IsNot holds for everything but n.
func IsNot(n any) Limit { return limit{name: "is_not", min: n} }

// hasTwo tells limits with two bounds.
func (l limit) hasTwo() bool { return l.name == "within" || l.name == "not_within" }

// options are the bounds as data.
func (l limit) options() map[string]any {
	if l.hasTwo() {
		return map[string]any{l.name: []any{dataOf(l.min), dataOf(l.max)}}
	}
	return map[string]any{l.name: dataOf(l.min)}
}

// bounds is a limit made ready for comparisons.
type bounds struct {
	name     string
	min, max declared
	broken   *messages.Text
}

// prepare reads the bounds for a rule, which is "length" or "numeric".
func (l limit) prepare(rule string) (*bounds, []Problem) {
	b := &bounds{name: l.name}
	var err error
	if b.min, err = declareValue(l.min); err == nil && l.hasTwo() {
		b.max, err = declareValue(l.max)
	}
	if err != nil {
		return nil, failing("Give it numbers, such as 1 and 5.", "the rule %q: %s", rule, err)
	}
	values := []messages.Value{messages.Given(l.name, b.min.words)}
	if l.hasTwo() {
		if order, ok := b.max.order(l.min); !ok || order > 0 {
			return nil, failing("Write the smaller bound first, and both of one type.", "the rule %q: nothing can lie within its bounds", rule)
		}
		values = []messages.Value{messages.Given("min", b.min.words), messages.Given("max", b.max.words)}
	}
	b.broken = messages.Of(messages.Key("validations."+rule+"."+l.name), values...)
	return b, nil
}

// keeps tells whether v, which is of the bounds' sort, keeps the limit; ok is
// false when it is of another sort.
func (b *bounds) keeps(v any) (keeps, ok bool) {
	order, ok := b.min.order(v)
	if !ok {
		return false, false
	}
	switch b.name {
	case "within", "not_within":
		above, ok := b.max.order(v)
		if !ok {
			return false, false
		}
		return (order >= 0 && above <= 0) == (b.name == "within"), true
	case "min":
		return order >= 0, true
	case "max":
		return order <= 0, true
	case "gt":
		return order > 0, true
	case "lt":
		return order < 0, true
	case "is_not":
		return order != 0, true
	}
	return order == 0, true // is
}
