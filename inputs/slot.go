package inputs

import (
	"reflect"
	"strconv"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// slot is a place of one type inside a value, such as an element of a slice:
// what is coerced into it, and how that is stored.
type slot struct {
	typ      reflect.Type
	coercion Coercion // nil where the type asks for none
	store    store
}

// slotFor makes the slot of type t; declared is nil for the coercion that the
// type asks for.
func slotFor(t reflect.Type, declared Coercion) slot {
	s := slot{typ: t, coercion: declared}
	if declared == nil {
		s.coercion, _ = coercionOf(t)
	}
	if s.coercion == nil {
		s.store = storeFor(t, nil)
		return s
	}
	s.coercion = fitTo(t, s.coercion)
	s.store = storeFor(t, s.coercion.Types())
	return s
}

// put writes v into place, which is zero and of the slot's type. nil leaves
// what can be nil as it is.
func (s slot) put(place reflect.Value, v any) bool {
	if mayLack(s.typ) && isAbsent(v) {
		return true
	}
	if s.coercion == nil {
		value, ok := assignable(unshared(v), s.typ)
		if ok {
			place.Set(value)
		}
		return ok
	}
	coerced, ok := s.coercion.Coerce(v)
	if !ok || !s.store.fits(coerced) {
		return false
	}
	s.store.set(place.Addr().UnsafePointer(), coerced)
	return true
}

// mayLack tells whether a place of type t can say that there is nothing.
func mayLack(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return true
	}
	_, ok := nullOf(t)
	return ok
}

// locate finds the part of a refused value that was wrong: the way to it, and
// the message for it.
func (s slot) locate(v any) (at string, failure *messages.Text) {
	if s.coercion == nil {
		return "", failureOfType(s.typ)
	}
	return locate(s.coercion, v)
}

// locator is a coercion that looks into what it is given.
type locator interface {
	locate(v any) (at string, failure *messages.Text)
}

func locate(c Coercion, v any) (at string, failure *messages.Text) {
	if l, ok := c.(locator); ok {
		return l.locate(v)
	}
	return "", failureOf([]Coercion{c})
}

func indexed(i int) string { return "[" + strconv.Itoa(i) + "]" }
