// Package inputs declares what a task is given: it finds each value, makes it
// the declared type, checks it and binds it to the task's field.
//
// An input goes through these steps: source → (missing and required: "is
// required") → default → coerce → transform → validate → bind. Whatever is
// wrong is reported under the input's reading name, for all inputs together,
// in the order of their declaration, and in words that never hold a value.
package inputs

import (
	"slices"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Declaration is one declared input. It is a value: what is made of it does
// not change when the declaration it came from does. The zero Declaration has
// no name and is refused by [Compile].
type Declaration struct {
	name           string // the key that callers pass
	required       bool
	description    string
	sensitive      bool
	as             *string // nil when not said
	prefix, suffix string
	source         *method // nil for the context, or sourceInput
	sourceInput    string
	ifGate, unless run.Gate
	coercions      []Coercion
	base           *int
	layouts        []string
	constant       any // a default that needs no function
	fallback       func() any
	fallbackOf     *method
	transforms     []transform
	rules          []rule
	children       []Declaration
	each           bool // the children lie in every element
}

// Required declares an input whose key must be present, be it with nil. A nil
// goes to the coercion; a default does not stand in for a missing key.
func Required(name string, options ...Option) Declaration {
	return declare(name, true, options)
}

// Optional declares an input that may be missing or nil. Then the field's
// preset in the task's template is its value, else the default. When there is
// neither, the value is nil, nothing is transformed or checked, and the field
// stays as it is.
func Optional(name string, options ...Option) Declaration {
	return declare(name, false, options)
}

func declare(name string, required bool, options []Option) Declaration {
	d := Declaration{name: name, required: required}
	for _, option := range options {
		if option != nil {
			option.declare(&d)
		}
	}
	return d
}

// Name is the key that callers pass. A declaration of the same name replaces
// another.
func (d Declaration) Name() string { return d.name }

// ReadingName is the name by which the value is read and its errors are kept:
// that of [As], else the name between [Prefix] and [Suffix].
func (d Declaration) ReadingName() string {
	if d.as != nil {
		return *d.as
	}
	return d.prefix + d.name + d.suffix
}

// IsRequired tells whether the key must be present, gates aside.
func (d Declaration) IsRequired() bool { return d.required }

// IsSensitive tells whether the declaration itself says [Sensitive].
func (d Declaration) IsSensitive() bool { return d.sensitive }

// Describe is the sentence of [Description].
func (d Declaration) Describe() string { return d.description }

// Children are the declarations of what lies in the input, or in each of its
// elements, in a slice of the caller's own.
func (d Declaration) Children() (children []Declaration, each bool) {
	return slices.Clone(d.children), d.each
}

// Functions are the gates and methods of the declaration, its children's too, so that a definition
// can hold each to the task that it was written for.
func (d Declaration) Functions() []any {
	var list []any
	for _, gate := range []run.Gate{d.ifGate, d.unless} {
		if gate != nil {
			list = append(list, gate)
		}
	}
	for _, m := range []*method{d.source, d.fallbackOf} {
		if m != nil {
			list = append(list, m)
		}
	}
	for _, t := range d.transforms {
		if t.of != nil {
			list = append(list, t)
		}
	}
	for _, child := range d.children {
		list = append(list, child.Functions()...)
	}
	return append(list, d.ruleFunctions()...)
}
