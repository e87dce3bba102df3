package inputs

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// tagRule is a tag of validator/v10. It is taken apart here, so that every
// rule in it can be held against the value's type when it is declared, and so
// that messages are made of the rule alone.
type tagRule string

// Validate checks the coerced value by a tag of validator/v10, such as
// "gt=0,lte=100" or "omitempty,email". The first rule of the tag that does not
// hold is reported. Rules that do not know the value's type, that are written
// wrongly or that need a struct are definition errors. The rules that compare
// fields, such as "gtefield=starts_at", compare with the input of that reading
// name, which is declared before. In such a tag "required" means "not zero";
// that the key must be there is what [Required] says.
func Validate(tag string, options ...RuleOption) Option { return withRule(tagRule(tag), options) }

// engine has the rules of validator/v10 and nothing of an application's.
var engine = sync.OnceValue(func() *validator.Validate {
	return validator.New(validator.WithRequiredStructEnabled())
})

func (tag tagRule) describe() Validation {
	return Validation{Rule: "tag", Options: map[string]any{"tag": string(tag)}}
}

func (tag tagRule) prepare(s subject) (check, []Problem) {
	if tag == "" {
		return nil, []Problem{{Text: "its validate tag is empty", Fix: `Write rules, such as inputs.Validate("gt=0").`}}
	}
	if tag == "-" {
		return nil, nil
	}
	p := &tagParser{earlier: s.earlier}
	steps := p.steps(strings.Split(string(tag), ","), s.types)
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	return steps, nil
}

// tagSteps are the parts of a tag between commas, in order. The first that
// does not hold ends them.
type tagSteps []tagStep

type tagStep interface {
	// run returns the message of a step that does not hold; done ends the
	// steps, also when all is well.
	run(w walk, v any) (message *messages.Text, done bool)
}

func (steps tagSteps) test(w walk, v any) *messages.Text {
	for _, s := range steps {
		if message, done := s.run(w, v); done {
			return message
		}
	}
	return nil
}

// omitStep ends the steps for values that need no check.
type omitStep struct{ onlyNil bool }

func (s omitStep) run(_ walk, v any) (*messages.Text, bool) {
	return nil, isNil(v) || !s.onlyNil && !isPresent(v)
}

// isPresent is what "required" means in a tag: neither nil nor the zero value;
// a pointer or an empty collection that is not nil is there.
func isPresent(v any) bool {
	if isNil(v) {
		return false
	}
	if a, ok := amountOf(v); ok && classOfValue(v) == classExact {
		return a.sign() != 0
	}
	switch value := reflect.ValueOf(v); value.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return true
	default:
		return !value.IsZero()
	}
}

// anyOfStep holds when one of its rules does: "email|url".
type anyOfStep []tagTest

func (s anyOfStep) run(w walk, v any) (*messages.Text, bool) {
	for i := range s {
		if s[i].holds(w, v) {
			return nil, false
		}
	}
	class := classOfValue(v)
	texts := make([]*messages.Text, len(s))
	for i := range s {
		texts[i] = s[i].message(class)
	}
	return messages.Or(texts...), true
}

// diveStep takes the steps behind it to the elements of a collection.
type diveStep struct{ steps tagSteps }

func (s diveStep) run(w walk, v any) (*messages.Text, bool) {
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok {
		return nil, true
	}
	switch value.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range value.Len() {
			if message := s.steps.test(w, value.Index(i).Interface()); message != nil {
				index := messages.Given("index", strconv.Itoa(i))
				return messages.Of(messages.KeyElement, index, messages.Said("message", message)), true
			}
		}
	case reflect.Map:
		// A map's keys are the caller's, so that no message may name them.
		for entries := value.MapRange(); entries.Next(); {
			if message := s.steps.test(w, entries.Value().Interface()); message != nil {
				return messages.Of(messages.KeyAnElement, messages.Said("message", message)), true
			}
		}
	}
	return nil, true
}

// keeps asks validator/v10. A value that makes it panic does not keep the rule.
func keeps(ctx context.Context, v any, rule string) bool {
	err, panicked := ask(ctx, v, rule)
	return err == nil && !panicked
}

func ask(ctx context.Context, v any, rule string) (err error, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	return engine().VarCtx(ctx, v, rule), false
}
