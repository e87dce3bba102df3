package inputs

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
)

// ValidateFunc refuses values for which holds is false: "is invalid", or what
// [Message] says. Numbers are handed over as a V where that changes nothing;
// a value that cannot be a V is refused. A V that no coerced value can be is a
// definition error, as is a nil function. holds may be called by several runs
// at once.
func ValidateFunc[V any](holds func(V) bool, options ...RuleOption) Option {
	return withRule(ruleOf(holds), options)
}

// ValidateFrom is [ValidateFunc] by a method of the task, or of a struct that
// it embeds: ValidateFrom((*ChargeCustomer).Chargeable). The method sees what
// was declared before resolved and bound.
func ValidateFrom[T, V any](holds func(*T, V) bool, options ...RuleOption) Option {
	r := funcRule{name: "method", of: reflect.TypeFor[T](), takes: reflect.TypeFor[V]()}
	if holds != nil {
		r.holds = func(t run.Task, v any) bool {
			given, err := Convert[V](v)
			return err == nil && holds(run.Ancestor[T](t), given)
		}
	}
	return withRule(r, options)
}

// ValidateBy checks by the validator that [RegisterValidator] keeps under the
// name. One that is not there when the task type is first used is a definition
// error.
func ValidateBy(name string, options ...RuleOption) Option {
	return withRule(namedRule(name), options)
}

// funcRule is a validation by a function of the application. It is its own
// check.
type funcRule struct {
	name  string
	of    reflect.Type // the task type of a method; nil for a function
	takes reflect.Type
	holds func(t run.Task, v any) bool // nil for a function that was not given
	says  *messages.Text               // nil for "is invalid"
}

var isInvalid = messages.Of(messages.KeyInvalid)

func ruleOf[V any](holds func(V) bool) funcRule {
	r := funcRule{name: "function", takes: reflect.TypeFor[V]()}
	if holds != nil {
		r.holds = func(_ run.Task, v any) bool {
			given, err := Convert[V](v)
			return err == nil && holds(given)
		}
	}
	return r
}

// TaskType lets a definition refuse a method of another type.
func (r funcRule) TaskType() reflect.Type { return r.of }

func (r funcRule) prepare(s subject) (check, []Problem) {
	if r.holds == nil {
		return nil, failing("Give it a function, or a method expression such as (*ChargeCustomer).Chargeable.", "the function of a validation is nil")
	}
	for _, t := range s.types {
		if !handable(t, r.takes) {
			return nil, failing("Let the function take the coerced type, or change the coercion.",
				"its validation takes a value of type %s, but the value is a %s", r.takes, t)
		}
	}
	return r, nil
}

func (r funcRule) describe() Validation { return Validation{Rule: r.name} }

func (r funcRule) test(w walk, v any) *messages.Text {
	switch {
	case r.holds(w.run.Task, v):
		return nil
	case r.says != nil:
		return r.says
	}
	return isInvalid
}

// handable tells whether [Convert] can make values of type t a value of type
// takes.
func handable(t, takes reflect.Type) bool {
	for _, t := range []reflect.Type{t, behindPointerType(t)} {
		switch {
		case t.Kind() == reflect.Interface, t.AssignableTo(takes):
			return true
		case isNumber(behindPointerType(takes)) && (isNumber(t) || t == jsonNumberType):
			return true
		case takes.Kind() == t.Kind() && t.ConvertibleTo(takes) && takes != jsonNumberType:
			return true
		case takes.Kind() == reflect.Pointer && t.AssignableTo(takes.Elem()):
			return true
		}
	}
	return false
}

// validators are those that were registered, by name.
var validators sync.Map // string → funcRule

// RegisterValidator keeps a validator under a name for [ValidateBy], usually
// in an init function. message is what it says of values for which holds is
// false, such as "must be an IBAN", and can be replaced in every locale under
// the key "validators." and the name. An error says that the name is blank or
// taken, or that there is no message or function.
func RegisterValidator[V any](name, message string, holds func(V) bool) error {
	switch {
	case strings.TrimSpace(name) == "" || strings.ContainsAny(name, " \t\n"):
		return &RegisterError{Name: name, Problem: "its name is blank or has blanks"}
	case holds == nil:
		return &RegisterError{Name: name, Problem: "it has no function"}
	case strings.TrimSpace(message) == "":
		return &RegisterError{Name: name, Problem: `it has no message: write what is wrong, such as "must be an IBAN"`}
	}
	r := ruleOf(holds)
	r.name = name
	key := messages.Key("validators." + name)
	if err := messages.Define(key, message); err != nil {
		return &RegisterError{Name: name, Problem: err.Error()}
	}
	r.says = messages.Of(key)
	validators.Store(name, r)
	return nil
}

// RegisterError says that a validator cannot be registered: which, and why.
type RegisterError struct{ Name, Problem string }

// Error names the validator.
func (e *RegisterError) Error() string {
	return fmt.Sprintf("the validator %q cannot be registered: %s", e.Name, e.Problem)
}

// namedRule is looked up when the task type is first used.
type namedRule string

func (name namedRule) prepare(s subject) (check, []Problem) {
	r, ok := validators.Load(string(name))
	if !ok {
		return nil, failing("Register it by inputs.RegisterValidator in an init function, or correct the name.", "there is no validator %q", string(name))
	}
	return r.(funcRule).prepare(s)
}

func (name namedRule) describe() Validation { return Validation{Rule: string(name)} }
