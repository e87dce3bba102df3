package inputs

import (
	"context"
	"reflect"
)

// rule is a declared validation.
type rule interface {
	// prepare makes the check for values of the given types; none given
	// means that nobody can tell. The check is nil when there are problems
	// or nothing to check.
	prepare(types []reflect.Type) (check, []Problem)
	// describe tells what the rule asks, for schemas.
	describe() Validation
}

// check is a rule made ready for running.
type check interface {
	// test returns the message for a value that breaks the rule, "" for one
	// that keeps it.
	test(ctx context.Context, v any) string
}

// Validation describes a rule as data fit for JSON.
type Validation struct {
	// Rule is the validator's name, such as "length"; "tag" for [Validate].
	Rule string `json:"rule"`
	// Options are what was declared, such as "min": 1.
	Options map[string]any `json:"options,omitempty"`
	// Message is the text that replaces the validator's own; "" for none.
	Message string `json:"message,omitempty"`
	// Conditional tells that gates decide per run whether it is asked.
	Conditional bool `json:"conditional,omitempty"`
}

// Validations describe the declared rules in order.
func (d Declaration) Validations() []Validation {
	list := make([]Validation, len(d.rules))
	for i, r := range d.rules {
		list[i] = r.describe()
	}
	return list
}
