// Package outputs declares what a task must leave in its context, and verifies
// it after Work.
package outputs

import "github.com/cmdx-go/cmdx/internal/run"

// Declaration is one declared output. It is a value and does not change.
type Declaration struct {
	name           string
	fallback       func() any
	ifGate, unless run.Gate
}

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

// Default is written to the context when Work left no value or nil there. A
// map or slice is copied for every run, so that no run sees what another
// wrote. nil means no default.
func Default(v any) Option {
	return func(d *Declaration) {
		d.fallback = nil
		if v != nil {
			d.fallback = func() any { return v }
		}
	}
}

// DefaultFunc is a [Default] that is made when it is needed. f may be called by
// several runs at once; a map or slice that it returns is copied. nil, and an
// f that returns nil, mean no default.
func DefaultFunc(f func() any) Option {
	return func(d *Declaration) { d.fallback = f }
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
