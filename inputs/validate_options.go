package inputs

import (
	"strings"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
)

// RuleOption tunes one validation: [If], [Unless], [AllowNil] and [Message]. A
// nil RuleOption says nothing.
type RuleOption interface{ tune(*tunedRule) }

type ruleOption func(*tunedRule)

func (o ruleOption) tune(r *tunedRule) { o(r) }

func (c Condition) tune(r *tunedRule) {
	if c.unless {
		r.unless = c.gate
	} else {
		r.ifGate = c.gate
	}
}

// AllowNil lets nil pass without asking the rule: a nil that a required input
// was given, and one that a coercion or a transform made. An optional input
// that stays nil is not validated in any case.
func AllowNil() RuleOption { return ruleOption(func(r *tunedRule) { r.allowNil = true }) }

// Message replaces the rule's own words. It follows the input's name: "must be
// one of ours" is told as "region must be one of ours". It is the same in every
// locale, and blank words are a definition error.
func Message(text string) RuleOption { return ruleOption(func(r *tunedRule) { r.message = &text }) }

// tunedRule is a rule with options of its own.
type tunedRule struct {
	rule
	ifGate, unless run.Gate
	allowNil       bool
	message        *string // nil for the rule's own words
}

func (r tunedRule) prepare(s subject) (check, []Problem) {
	inner, problems := r.rule.prepare(s)
	if r.message != nil && strings.TrimSpace(*r.message) == "" {
		problems = append(problems, failing(`Write what is wrong, such as inputs.Message("must be one of ours").`, "the message of a rule is blank")...)
	}
	if inner == nil || len(problems) > 0 {
		return nil, problems
	}
	c := tunedCheck{check: inner, ifGate: r.ifGate, unless: r.unless, allowNil: r.allowNil}
	if r.message != nil {
		c.message = messages.Plain(*r.message)
	}
	return c, nil
}

func (r tunedRule) describe() Validation {
	v := r.rule.describe()
	v.Conditional = r.ifGate != nil || r.unless != nil
	if r.message != nil {
		v.Message = *r.message
	}
	if r.allowNil {
		options := map[string]any{"allow_nil": true}
		for name, value := range v.Options {
			options[name] = value
		}
		v.Options = options
	}
	return v
}

type tunedCheck struct {
	check
	ifGate, unless run.Gate
	allowNil       bool
	message        *messages.Text // nil for the check's own
}

func (c tunedCheck) test(w walk, v any) *messages.Text {
	if c.allowNil && isNil(v) || !run.Allowed(w.ctx, w.run.Task, c.ifGate, c.unless) {
		return nil
	}
	broken := c.check.test(w, v)
	if broken != nil && c.message != nil {
		return c.message
	}
	return broken
}
