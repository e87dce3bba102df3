// Package inputs declares what a task is given: it finds each value, makes it
// the declared type, checks it and binds it to the task's field.
//
// An input goes through these steps: source → default → coerce → validate →
// bind. Whatever is wrong is reported under the input's name, for all inputs
// together, and in words that never hold a value.
package inputs

// Declaration is one declared input. It is a value: what is made of it does
// not change when the declaration it came from does. The zero Declaration has
// no name and is refused by [Compile].
type Declaration struct {
	name      string
	required  bool
	coercions []Coercion
	constant  any // a default that needs no function
	fallback  func() any
	rules     []rule
}

// Required declares an input whose key must be present, be it with nil. A nil
// goes to the coercion; a default does not stand in for a missing key.
func Required(name string, options ...Option) Declaration {
	return declare(name, true, options)
}

// Optional declares an input that may be missing or nil. Then the field's
// preset in the task's template is its value, else the default. When there is
// neither, the value is nil, nothing is checked, and the field stays as it is.
func Optional(name string, options ...Option) Declaration {
	return declare(name, false, options)
}

func declare(name string, required bool, options []Option) Declaration {
	d := Declaration{name: name, required: required}
	for _, option := range options {
		if option != nil {
			option(&d)
		}
	}
	return d
}

// Name is the key that callers pass, and the name under which errors are kept.
func (d Declaration) Name() string { return d.name }

// IsRequired tells whether the key must be present.
func (d Declaration) IsRequired() bool { return d.required }
