package inputs

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// Func makes a coercion of a function, for one input or for several. f gets
// the value as the caller passed it, nil too, of a form the first text, and returns an error for what it
// does not take; the error's text is dropped, because it may hold the value,
// and the message is "could not coerce into a <name>". f is used by many runs
// at once; one that panics fails the run. Fields must be able to hold a T; when
// T is an interface, that shows only with the value. A blank name or a nil f is
// a definition error of the tasks that use it.
func Func[T any](name string, f func(v any) (T, error)) Coercion {
	c := customCoercion{name: name, typ: reflect.TypeFor[T]()}
	switch {
	case strings.TrimSpace(name) == "":
		c.problem = &Problem{Text: "a coercion has no name", Fix: `Name it in one word, such as inputs.Func("money", parseMoney).`}
	case f == nil:
		c.problem = &Problem{Text: fmt.Sprintf("the coercion %q has no function", name), Fix: "Give it the function that makes the value."}
	default:
		c.coerce = func(v any) (any, bool) {
			coerced, err := f(v)
			if err != nil {
				return nil, false
			}
			return coerced, true
		}
	}
	return c
}

// Register makes a coercion as [Func] does and keeps it under its name for the
// whole process, so that [Named] finds it. Register while the program starts,
// before the first task that names it is executed. A name that is taken, by a
// built-in coercion or an earlier Register, keeps what it has: tasks that use
// the coercion returned here have a definition error then. It may be called
// from several goroutines.
func Register[T any](name string, f func(v any) (T, error)) Coercion {
	c := Func(name, f).(customCoercion)
	if c.problem == nil && !registered.add(c) {
		c.problem = &Problem{Text: fmt.Sprintf("there is a coercion %q already", name), Fix: "Register it under another name."}
	}
	return c
}

// Named is the coercion of that name: a built-in one, such as "integer", or
// one that was registered. A name that nobody has is a definition error.
func Named(name string) Coercion { return namedCoercion(name) }

// customCoercion is one that the application wrote.
type customCoercion struct {
	name    string
	typ     reflect.Type
	coerce  func(v any) (any, bool)
	problem *Problem
}

func (c customCoercion) settle() (Coercion, *Problem) { return c, c.problem }

func (c customCoercion) Name() string   { return c.name }
func (c customCoercion) Phrase() string { return withArticle(c.name) }

func (c customCoercion) Types() []reflect.Type {
	if c.typ.Kind() == reflect.Interface {
		return nil
	}
	return []reflect.Type{c.typ}
}

func (c customCoercion) Stores(field reflect.Type) bool {
	if c.typ.Kind() == reflect.Interface {
		return true
	}
	return c.typ.AssignableTo(field) || c.typ.Kind() == reflect.Pointer && c.typ.Elem().AssignableTo(field) ||
		c.typ == reflect.PointerTo(field)
}

func (c customCoercion) Coerce(v any) (any, bool) {
	if c.coerce == nil {
		return nil, false
	}
	return c.coerce(firstOfForm(v))
}

// namedCoercion stands for one until the task is compiled.
type namedCoercion string

func (c namedCoercion) settle() (Coercion, *Problem) {
	if found := registered.find(string(c)); found != nil {
		return found, nil
	}
	return nil, &Problem{
		Text: fmt.Sprintf("there is no coercion %q", string(c)),
		Fix:  "Register it by inputs.Register while the program starts, or use one of " + strings.Join(builtInNames(), ", ") + ".",
	}
}

func (c namedCoercion) Name() string             { return string(c) }
func (c namedCoercion) Phrase() string           { return withArticle(string(c)) }
func (c namedCoercion) Types() []reflect.Type    { return nil }
func (c namedCoercion) Stores(reflect.Type) bool { return true }
func (c namedCoercion) Coerce(v any) (any, bool) {
	found := registered.find(string(c))
	if found == nil {
		return nil, false
	}
	return found.Coerce(v)
}

// unsettled is a coercion that may turn out to be wrong, or another one, when
// a task is compiled.
type unsettled interface {
	settle() (Coercion, *Problem)
}

func settled(c Coercion) (Coercion, *Problem) {
	if isNil(c) {
		return nil, &Problem{Text: "a coercion is nil", Fix: "Name a coercion, such as inputs.Integer."}
	}
	if u, ok := c.(unsettled); ok {
		return u.settle()
	}
	return c, nil
}

// builtIn are the coercions of this package, in the order of its pages.
var builtIn = [...]Coercion{
	String, Integer, Float, Decimal, Boolean, Date, DateTime, Time, Duration, Array, Hash, Symbol, Rational, Complex,
}

func builtInNames() []string {
	names := make([]string, len(builtIn))
	for i, c := range builtIn {
		names[i] = c.Name()
	}
	return names
}

// registry holds what applications have registered.
type registry struct {
	mu     sync.RWMutex
	byName map[string]Coercion
}

var registered registry

func (r *registry) find(name string) Coercion {
	for _, c := range builtIn {
		if c.Name() == name {
			return c
		}
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byName[name]
}

func (r *registry) add(c Coercion) bool {
	if r.find(c.Name()) != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byName[c.Name()] != nil {
		return false
	}
	if r.byName == nil {
		r.byName = map[string]Coercion{}
	}
	r.byName[c.Name()] = c
	return true
}
