package inputs

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
)

// rule is a declared validation.
type rule interface {
	// prepare makes the check for a subject. The check is nil when there are
	// problems or nothing to check.
	prepare(subject) (check, []Problem)
	// describe tells what the rule asks, for schemas.
	describe() Validation
}

// subject is what a rule is prepared for.
type subject struct {
	// types are those that the value can have; none when nobody can tell.
	types []reflect.Type
	// earlier finds an input that is resolved before this one by its reading
	// name; nil when there is none to be found.
	earlier func(name string) (index int, types []reflect.Type, ok bool)
}

// check is a rule made ready for running.
type check interface {
	// test returns the message for a value that breaks the rule, nil for one
	// that keeps it.
	test(w walk, v any) *messages.Text
}

// Validation describes a rule as data fit for JSON.
type Validation struct {
	// Rule is the validator's name, such as "length"; "tag" for [Validate].
	Rule string `json:"rule"`
	// Options are what was declared, such as "min": 1.
	Options map[string]any `json:"options,omitempty"`
	// Message is the text given by [Message]; "" for the validator's own.
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

// ruleFunctions are the gates and methods of the rules.
func (d Declaration) ruleFunctions() []any {
	var list []any
	for _, r := range d.rules {
		if tuned, ok := r.(tunedRule); ok {
			for _, gate := range []run.Gate{tuned.ifGate, tuned.unless} {
				if gate != nil {
					list = append(list, gate)
				}
			}
			r = tuned.rule
		}
		if f, ok := r.(run.ForType); ok {
			list = append(list, f)
		}
	}
	return list
}

// failing are problems of a rule that can be told without a subject.
func failing(fix, format string, args ...any) []Problem {
	return []Problem{{Text: fmt.Sprintf(format, args...), Fix: fix}}
}

func withRule(r rule, options []RuleOption) Option {
	tuned := tunedRule{rule: r}
	for _, o := range options {
		if o != nil {
			o.tune(&tuned)
		}
	}
	if tuned.ifGate == nil && tuned.unless == nil && !tuned.allowNil && tuned.message == nil {
		return addRule(r)
	}
	return addRule(tuned)
}

func addRule(r rule) Option {
	return option(func(d *Declaration) { d.rules = append(slices.Clip(d.rules), r) })
}
