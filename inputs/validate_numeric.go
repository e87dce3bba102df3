package inputs

import (
	"reflect"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// Numeric bounds a number: Numeric(AtLeast(1)). It knows every kind of number,
// also json.Number, *big.Int, *big.Rat and decimals, and compares them exactly;
// a float counts as its shortest text. Bounds that are durations are for
// durations. What is no number, nil, text and NaN included, "must be numeric".
func Numeric(limit Limit, options ...RuleOption) Option {
	return withRule(numericRule{limit}, options)
}

type numericRule struct{ of Limit }

type numericCheck struct{ *bounds }

var mustBeNumeric = messages.Of("validations.numeric.missing")

func (r numericRule) prepare(s subject) (check, []Problem) {
	if isNil(r.of) {
		return nil, failing("Give it one, such as inputs.AtLeast(1).", "the rule %q has no limit", "numeric")
	}
	b, problems := r.of.limit().prepare("numeric")
	if problems != nil {
		return nil, problems
	}
	if b.min.sort != sortNumber && b.min.sort != sortDuration {
		return nil, failing("Give it numbers, or durations for a duration.", "the rule %q has a bound of type %T", "numeric", b.min.value)
	}
	if p := s.refuse("numeric", func(t reflect.Type) bool { return b.min.suits(t) }); p != nil {
		return nil, p
	}
	return numericCheck{b}, nil
}

func (r numericRule) describe() Validation { return describeLimit("numeric", r.of) }

func (c numericCheck) test(_ walk, v any) *messages.Text {
	switch keeps, ok := c.keeps(v); {
	case !ok:
		return mustBeNumeric
	case !keeps:
		return c.broken
	}
	return nil
}
