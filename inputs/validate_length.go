package inputs

import (
	"reflect"
	"unicode/utf8"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// Length bounds how many runes a text has, or how many elements a slice, array
// or map: Length(Within(1, 5)). What has no length, nil included, "must have a
// length". The bounds are whole numbers from 0.
func Length(limit Limit, options ...RuleOption) Option {
	return withRule(lengthRule{limit}, options)
}

type lengthRule struct{ of Limit }

type lengthCheck struct{ *bounds }

var mustHaveLength = messages.Of("validations.length.missing")

func (r lengthRule) prepare(s subject) (check, []Problem) {
	if isNil(r.of) {
		return nil, failing("Give it one, such as inputs.Within(1, 5).", "the rule %q has no limit", "length")
	}
	l := r.of.limit()
	b, problems := l.prepare("length")
	if problems != nil {
		return nil, problems
	}
	for _, d := range []declared{b.min, b.max} {
		if d.value == nil {
			continue
		}
		if !d.amount.isWhole() || d.sort != sortNumber || d.amount.sign() < 0 {
			return nil, failing("Give it whole numbers from 0.", "the rule %q has a bound that no length can have", "length")
		}
	}
	if p := s.refuse("length", hasLength); p != nil {
		return nil, p
	}
	return lengthCheck{b}, nil
}

func (r lengthRule) describe() Validation { return describeLimit("length", r.of) }

func describeLimit(rule string, of Limit) Validation {
	if isNil(of) {
		return Validation{Rule: rule}
	}
	return Validation{Rule: rule, Options: of.limit().options()}
}

func (c lengthCheck) test(_ walk, v any) *messages.Text {
	length, ok := lengthOf(v)
	if !ok {
		return mustHaveLength
	}
	if keeps, _ := c.keeps(length); !keeps {
		return c.broken
	}
	return nil
}

// hasLength tells the types whose values have a length; json.Number is text to
// Go only.
func hasLength(t reflect.Type) bool { return classOf(t)&(classText|classCollection) != 0 }

func lengthOf(v any) (int, bool) {
	if text, ok := v.(string); ok {
		return utf8.RuneCountInString(text), true
	}
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok || !hasLength(value.Type()) {
		return 0, false
	}
	if value.Kind() == reflect.String {
		return utf8.RuneCountInString(value.String()), true
	}
	return value.Len(), true
}
