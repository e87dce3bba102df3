package inputs

import (
	"context"
	"reflect"
	"unsafe"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
)

// isRequired is the message for a required key that is not there.
var isRequired = messages.Of(messages.KeyRequired)

// input is a declaration made ready for running.
type input struct {
	declared       Declaration
	key            string // that callers pass
	name           string // to read by, and of errors
	index          int    // of its value; -1 for children of elements
	required       bool
	sensitive      bool
	careful        bool // it is sensitive, or something in it is
	ifGate, unless run.Gate
	source         *method
	sourceIndex    int // of the input that it is taken from; -1 for none
	coercions      []Coercion
	types          []reflect.Type // of the value; none when nobody can tell
	failure        *messages.Text // when no coercion takes the value
	fallback       func() any
	fallbackOf     *method
	transforms     []transform
	// settling makes what a transform returned a value of the field's type.
	settling  []Coercion
	unsettled *messages.Text // when none does
	// free says that a transform may return any type.
	free   bool
	checks []check
	// children are read from the value; each, from every element of it.
	children []*input
	each     bool
	// keepsKeys leaves children under the callers' keys too, for the fields of
	// a struct.
	keepsKeys bool
	bound     *binding // nil for an input without a field
}

// binding is the field that an input is bound to.
type binding struct {
	store
	typ    reflect.Type
	offset uintptr
}

func (in *input) bind(f *field, types []reflect.Type) {
	in.bound = &binding{store: storeFor(f.typ, types), typ: f.typ, offset: f.offset}
}

// walk is one resolving of a plan.
type walk struct {
	ctx   context.Context
	run   *run.Run
	src   Source
	rep   Reporter
	wrong map[int]bool // by index; made when something is wrong
	// refused counts what was wrong.
	refused int
	up      *frame // nil at the top
}

// path is the name under which an input's errors are kept.
func (w *walk) path(in *input) string {
	if w.up == nil {
		return in.name
	}
	return w.up.path() + "." + in.name
}

// refuse reports what is wrong with an input; nil tells nothing.
func (w *walk) refuse(in *input, message *messages.Text) { w.refuseAt(in, "", message) }

// refuseAt reports a part of an input under the way to it.
func (w *walk) refuseAt(in *input, at string, message *messages.Text) {
	if message != nil {
		w.rep.Add(w.path(in)+at, message.For(w.ctx))
	}
	w.refused++
	if w.wrong == nil {
		w.wrong = map[int]bool{}
	}
	w.wrong[in.index] = true
	for _, child := range in.children {
		w.refuse(child, nil)
	}
}

// resolve takes one input through its steps.
func (in *input) resolve(w *walk) any {
	if in.careful {
		return in.guarded(w)
	}
	return in.take(w)
}

func (in *input) take(w *walk) any {
	required := in.requiredIn(w)
	v, found, known := in.find(w)
	switch {
	case !known:
		w.refuse(in, nil)
		return nil
	case !found && required:
		w.refuse(in, isRequired)
		return nil
	}
	inPlace := false
	if !required && isAbsent(v) {
		preset := false
		if v, preset = in.standIn(w); isAbsent(v) {
			return nil
		}
		// A scalar preset is in its field already, in the field's own words.
		inPlace = preset && in.bound.scalar
	}
	in.conceal(w, v)
	ok := true
	if !inPlace {
		given := v
		if v, ok = in.coerce(v); !ok {
			at, failure := in.locate(given)
			w.refuseAt(in, at, failure)
			return nil
		}
	}
	if len(in.transforms) > 0 {
		var at string
		var message *messages.Text
		if v, at, message = in.transform(w, v); message != nil {
			w.refuseAt(in, at, message)
			return nil
		}
		in.conceal(w, v)
		inPlace = false
	}
	if !in.valid(w, v) {
		return nil
	}
	if len(in.children) > 0 && !isNil(v) {
		var at string
		var message *messages.Text
		if v, ok = in.descend(w, v); !ok {
			w.refuse(in, nil)
			return nil
		}
		if v, at, message = in.settle(v); message != nil {
			w.refuseAt(in, at, message)
			return nil
		}
	}
	in.conceal(w, v)
	if in.bound != nil && !inPlace {
		in.bound.set(unsafe.Add(w.run.Root, in.bound.offset), v)
	}
	return v
}

// conceal lets no text tell a sensitive value, whatever it is just now.
func (in *input) conceal(w *walk, v any) {
	if in.sensitive {
		w.run.Context.ConcealValue(v)
	}
}

func (in *input) requiredIn(w *walk) bool {
	if !in.required || in.ifGate == nil && in.unless == nil {
		return in.required
	}
	return run.Allowed(w.ctx, w.run.Task, in.ifGate, in.unless)
}

// find returns the value from the input's source. known is false when the
// input that it would be taken from is wrong.
func (in *input) find(w *walk) (v any, found, known bool) {
	switch {
	case in.source != nil:
		v = in.source.call(w.run.Task)
		return v, !isNil(v), true
	case in.sourceIndex >= 0:
		v = w.run.Values[in.sourceIndex]
		return v, !isNil(v), !w.wrong[in.sourceIndex]
	case w.src == nil:
		return nil, false, true
	}
	v, found = w.src.Get(in.key)
	return v, found, true
}

// standIn is the value of an optional input that is missing or nil: the
// preset of its field, else its default.
func (in *input) standIn(w *walk) (v any, preset bool) {
	if in.bound != nil {
		if at := unsafe.Add(w.run.Root, in.bound.offset); !in.bound.isZero(at) {
			return unshared(in.bound.read(at)), true
		}
	}
	switch {
	case in.fallbackOf != nil:
		return unshared(in.fallbackOf.call(w.run.Task)), false
	case in.fallback != nil:
		return unshared(in.fallback()), false
	}
	return nil, false
}

// coerce gives a value that the bound field can hold; what is transformed
// afterwards is held against the field then.
func (in *input) coerce(v any) (any, bool) {
	for _, c := range in.coercions {
		if coerced, ok := c.Coerce(v); ok && (in.settles() || in.fits(coerced)) {
			return coerced, true
		}
	}
	switch {
	case len(in.coercions) > 0:
		return nil, false
	case in.bound == nil || in.free:
		return v, true
	}
	return in.bound.adopt(v)
}

// settles tells whether the value that the field will hold is made after the
// coercion.
func (in *input) settles() bool { return len(in.transforms) > 0 || len(in.children) > 0 }

func (in *input) fits(v any) bool { return in.bound == nil || in.bound.fits(v) }

// transform changes v by all transforms, and makes the result a value that the
// bound field can hold, unless children are still to be read from it; message
// is nil when all is well.
func (in *input) transform(w *walk, v any) (changed any, at string, message *messages.Text) {
	v = unshared(v)
	for _, t := range in.transforms {
		if isNil(v) {
			break
		}
		var ok bool
		if v, ok = t.call(w.run.Task, v); !ok {
			return nil, "", notTransformed
		}
	}
	if len(in.children) > 0 && !isNil(v) {
		return v, "", nil
	}
	return in.settle(v)
}

// locate finds what was wrong in a refused value, which may be a part of it.
func (in *input) locate(v any) (at string, failure *messages.Text) {
	if len(in.coercions) == 1 {
		if at, failure = locate(in.coercions[0], v); at != "" {
			return at, failure
		}
	}
	return "", in.failure
}

// adopt makes v, which has no coercion, a value of the field's type.
func (b *binding) adopt(v any) (any, bool) {
	value, ok := assignable(unshared(v), b.typ)
	switch {
	case !ok:
		return nil, false
	case v == nil:
		return nil, true
	case reflect.TypeOf(v).Kind() == reflect.Pointer:
		return unshared(value.Interface()), true
	}
	return value.Interface(), true
}

// valid reports every check that does not hold.
func (in *input) valid(w *walk, v any) bool {
	ok := true
	for _, c := range in.checks {
		if message := c.test(*w, v); message != nil {
			w.refuse(in, message)
			ok = false
		}
	}
	return ok
}
