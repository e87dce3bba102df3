// Package outputs declares what a task must leave in its context, and verifies
// it after Work.
package outputs

import (
	"reflect"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Declaration is one declared output. It is a value and does not change.
type Declaration struct {
	name           string
	description    string
	constant       any // a default that needs no function
	fallback       func() any
	fallbackOf     *method
	ifGate, unless run.Gate
}

// method is a method expression of a task, or of a struct that it embeds.
type method struct {
	of   reflect.Type
	call func(run.Task) any // nil for a method that was not given
}

// TaskType lets a definition refuse a method of another type.
func (m *method) TaskType() reflect.Type { return m.of }

// Option is a part of a [Declaration], made by the functions of this package.
// A nil Option says nothing.
type Option func(*Declaration)

// New declares that the context must hold a value under name after Work.
func New(name string, options ...Option) Declaration {
	d := Declaration{name: name}
	for _, option := range options {
		if option != nil {
			option(&d)
		}
	}
	return d
}

// Name is the key in the context, and the name under which an error is kept.
func (d Declaration) Name() string { return d.name }

// Gates are those of [If] and [Unless]; nil where there is none.
func (d Declaration) Gates() (ifGate, unless run.Gate) { return d.ifGate, d.unless }

// Functions are the gates and methods of the declaration, so that a definition
// can hold each to the task that it was written for.
func (d Declaration) Functions() []any {
	var list []any
	for _, gate := range []run.Gate{d.ifGate, d.unless} {
		if gate != nil {
			list = append(list, gate)
		}
	}
	if d.fallbackOf != nil {
		list = append(list, d.fallbackOf)
	}
	return list
}

// Check tells what is wrong with the declaration as it was written.
func (d Declaration) Check() []run.Problem {
	if d.fallbackOf != nil && d.fallbackOf.call == nil {
		return []run.Problem{{
			Text: "the function of DefaultFrom is nil",
			Fix:  "Give it a method expression, such as (*ChargeCustomer).DefaultReceipt.",
		}}
	}
	return nil
}

// Describe is the sentence of [Description].
func (d Declaration) Describe() string { return d.description }

// Description says in a sentence what the output means, for people who read
// the task's schema.
func Description(text string) Option {
	return func(d *Declaration) { d.description = text }
}

// Default is written to the context when Work left no value or nil there. A
// map or slice is copied for every run, so that no run sees what another
// wrote. nil means no default. Of [Default], [DefaultFunc] and [DefaultFrom]
// the last one counts.
func Default(v any) Option {
	return func(d *Declaration) {
		d.constant, d.fallback, d.fallbackOf = v, nil, nil
		if v != nil {
			d.fallback = func() any { return v }
		}
	}
}

// DefaultFunc is a [Default] that is made when it is needed. f may be called by
// several runs at once; a map or slice that it returns is copied. nil, and an
// f that returns nil, mean no default.
func DefaultFunc(f func() any) Option {
	return func(d *Declaration) { d.constant, d.fallback, d.fallbackOf = nil, f, nil }
}

// DefaultFrom is a [Default] that a method of the task makes, or one of a
// struct that it embeds: DefaultFrom((*ChargeCustomer).DefaultReceipt). It is
// called after Work; a map or slice that it returns is copied, and nil means
// no default in that run.
func DefaultFrom[T any](f func(*T) any) Option {
	m := &method{of: reflect.TypeFor[T]()}
	if f != nil {
		m.call = func(t run.Task) any { return f(run.Ancestor[T](t)) }
	}
	return func(d *Declaration) { d.constant, d.fallback, d.fallbackOf = nil, nil, m }
}

// If verifies the output only in runs that the gate lets through. Given twice,
// the last gate counts; a nil gate lets every run through.
func If(gate run.Gate) Option {
	return func(d *Declaration) { d.ifGate = gate }
}

// Unless leaves the output out in runs that the gate lets through. Given
// twice, the last gate counts; a nil gate leaves nothing out.
func Unless(gate run.Gate) Option {
	return func(d *Declaration) { d.unless = gate }
}
