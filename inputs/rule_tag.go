package inputs

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"
)

// tagRule is a tag of validator/v10. It is taken apart here, so that every
// rule in it can be held against the value's type when it is declared, and so
// that messages are made of the rule alone.
type tagRule string

// engine has the rules of validator/v10 and nothing of an application's.
var engine = sync.OnceValue(func() *validator.Validate {
	return validator.New(validator.WithRequiredStructEnabled())
})

func (tag tagRule) describe() Validation {
	return Validation{Rule: "tag", Options: map[string]any{"tag": string(tag)}}
}

func (tag tagRule) prepare(types []reflect.Type) (check, []Problem) {
	if tag == "" {
		return nil, []Problem{{Text: "its validate tag is empty", Fix: `Write rules, such as inputs.Validate("gt=0").`}}
	}
	if tag == "-" {
		return nil, nil
	}
	p := &tagParser{}
	steps := p.steps(strings.Split(string(tag), ","), types)
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
	run(ctx context.Context, v any) (message string, done bool)
}

func (steps tagSteps) test(ctx context.Context, v any) string {
	for _, s := range steps {
		if message, done := s.run(ctx, v); done {
			return message
		}
	}
	return ""
}

// omitStep ends the steps for values that need no check.
type omitStep struct{ onlyNil bool }

func (s omitStep) run(_ context.Context, v any) (string, bool) {
	return "", isNil(v) || !s.onlyNil && !isPresent(v)
}

// isPresent is what "required" means in a tag: neither nil nor the zero value;
// a pointer or an empty collection that is not nil is there.
func isPresent(v any) bool {
	if isNil(v) {
		return false
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

func (s anyOfStep) run(ctx context.Context, v any) (string, bool) {
	for i := range s {
		if s[i].holds(ctx, v) {
			return "", false
		}
	}
	class := classOfValue(v)
	messages := make([]string, len(s))
	for i := range s {
		messages[i] = s[i].message(class)
	}
	return strings.Join(messages, " or "), true
}

// diveStep takes the steps behind it to the elements of a collection.
type diveStep struct{ steps tagSteps }

func (s diveStep) run(ctx context.Context, v any) (string, bool) {
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok {
		return "", true
	}
	switch value.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range value.Len() {
			if message := s.steps.test(ctx, value.Index(i).Interface()); message != "" {
				return fmt.Sprintf("element %d %s", i, message), true
			}
		}
	case reflect.Map:
		// A map's keys are the caller's, so that no message may name them.
		for entries := value.MapRange(); entries.Next(); {
			if message := s.steps.test(ctx, entries.Value().Interface()); message != "" {
				return "an element " + message, true
			}
		}
	}
	return "", true
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
