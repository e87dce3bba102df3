package inputs

import (
	"reflect"
	"slices"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
)

// notTransformed is the message for a value that a transform refused.
var notTransformed = messages.Of(messages.KeyNotTransformed)

// transform changes a coerced value.
type transform struct {
	// of is the task type that a method belongs to; nil for a function.
	of reflect.Type
	// takes is the type that the value must have; nil for any.
	takes reflect.Type
	// call returns the new value; ok is false when it was refused. It is nil
	// for a function that was not given.
	call func(t run.Task, v any) (changed any, ok bool)
}

// TaskType lets a definition refuse a method of another type.
func (t transform) TaskType() reflect.Type { return t.of }

// Transform changes the coerced value by a function that keeps its type, such
// as Transform(strings.ToLower), before it is checked. Numbers are handed to f
// as a T where that changes nothing, and the result is made the coerced type
// again; what does not fit there is refused. Several transforms run in the
// order of their declaration; nil is not transformed. f may be called by
// several runs at once. A T that no coerced value can be is a definition
// error.
func Transform[T any](f func(T) T) Option {
	t := transform{takes: reflect.TypeFor[T]()}
	if f != nil {
		t.call = func(_ run.Task, v any) (any, bool) { return keepingType(v, f) }
	}
	return withTransform(t)
}

// TransformFunc changes the coerced value into whatever f returns; what a bound
// field cannot hold is coerced into the field's type. An error refuses the
// value: "could not be transformed". The error's text is told to nobody, since
// it may hold the value.
func TransformFunc(f func(any) (any, error)) Option {
	t := transform{}
	if f != nil {
		t.call = func(_ run.Task, v any) (any, bool) {
			changed, err := f(v)
			return changed, err == nil
		}
	}
	return withTransform(t)
}

// TransformFrom is [TransformFunc] by a method of the task, or of a struct that
// it embeds: TransformFrom((*ChargeCustomer).Rounded). The method sees what was
// declared before resolved and bound.
func TransformFrom[T any](f func(*T, any) (any, error)) Option {
	t := transform{of: reflect.TypeFor[T]()}
	if f != nil {
		t.call = func(task run.Task, v any) (any, bool) {
			changed, err := f(run.Ancestor[T](task), v)
			return changed, err == nil
		}
	}
	return withTransform(t)
}

func withTransform(t transform) Option {
	return option(func(d *Declaration) { d.transforms = append(slices.Clip(d.transforms), t) })
}

// keepingType calls f with v as a T and returns the result as v's own type.
func keepingType[T any](v any, f func(T) T) (any, bool) {
	given, err := Convert[T](v)
	if err != nil {
		return nil, false
	}
	changed := any(f(given))
	if v == nil || reflect.TypeOf(changed) == reflect.TypeOf(v) {
		return changed, true
	}
	back := reflect.New(reflect.TypeOf(v)).Elem()
	if convertInto(back, changed) != nil {
		return nil, false
	}
	return back.Interface(), true
}

// suits tells whether a coerced value of type t can be handed to the transform.
func (t transform) suits(given reflect.Type) bool {
	switch takes := t.takes; {
	case takes == nil || given.Kind() == reflect.Interface || given.AssignableTo(takes):
		return true
	case isNumber(takes) && isNumber(given):
		return true
	default:
		return takes.Kind() == given.Kind() && given.ConvertibleTo(takes) && takes != jsonNumberType
	}
}
