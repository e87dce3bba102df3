package inputs

import (
	"reflect"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// Coercion makes values into one type. Those of this package are [String],
// [Integer], [Float], [Decimal], [Boolean], [Date], [DateTime], [Time],
// [Duration], [Array], [Hash], [Symbol], [Rational] and [Complex]; [Func] and
// [Register] make others. A Coercion is used by many runs at once and must not
// change the values that it is given.
type Coercion interface {
	// Name is the word for the type: "integer".
	Name() string
	// Phrase is the name with its article, for messages: "an integer".
	Phrase() string
	// Coerce returns the value as the type; ok is false when it cannot.
	Coerce(v any) (coerced any, ok bool)
	// Types are the types that coerced values have.
	Types() []reflect.Type
	// Stores tells whether a field of the type can hold coerced values. It
	// is not asked about interfaces and pointers: a pointer can hold what
	// its element can.
	Stores(field reflect.Type) bool
}

// fitted is a coercion that differs with the field that will hold the value.
type fitted interface {
	fit(field reflect.Type) Coercion
}

// inferred is a coercion that fields of some types ask for by themselves.
type inferred interface {
	Coercion
	infers(field reflect.Type) bool
}

// inferable is filled by the files of the coercions; a type is asked for by
// one of them at most.
var inferable []inferred

// coercionOf returns the coercion that a field of type t asks for.
func coercionOf(t reflect.Type) (Coercion, bool) {
	t = core(t)
	if readsText(t) {
		return textCoercion{t}, true
	}
	for _, c := range inferable {
		if c.infers(t) {
			return c, true
		}
	}
	return nil, false
}

// fitTo makes c the coercion for places of type t.
func fitTo(t reflect.Type, c Coercion) Coercion {
	if special, ok := c.(fitted); ok {
		return special.fit(core(t))
	}
	return c
}

// holds tells whether a field of type t can hold what c gives.
func holds(t reflect.Type, c Coercion) bool {
	if t.Kind() == reflect.Interface {
		for _, given := range c.Types() {
			if !given.AssignableTo(t) {
				return false
			}
		}
		return true
	}
	return c.Stores(core(t)) || c.Stores(t)
}

// failureOf is the message for a value that none of the coercions takes.
func failureOf(coercions []Coercion) *messages.Text {
	if len(coercions) == 1 {
		return messages.Of(messages.KeyNotCoerced, messages.Said("type", messages.Type(coercions[0].Name(), coercions[0].Phrase())))
	}
	names := make([]*messages.Text, len(coercions))
	for i, c := range coercions {
		names[i] = messages.TypeName(c.Name())
	}
	return messages.Of(messages.KeyNoneOfTypes, messages.Said("types", names...))
}

// failureOfType is the message where a field of type t asks for no coercion.
func failureOfType(t reflect.Type) *messages.Text {
	return messages.Of(messages.KeyNotCoerced, messages.Said("type", phraseOfType(t)))
}
