package inputs

import (
	"context"
	"reflect"
	"unsafe"
)

// isRequired is the message for a required key that is not there.
const isRequired = "is required"

// input is a declaration made ready for running.
type input struct {
	name      string
	required  bool
	coercions []Coercion
	failure   string // the message when no coercion takes the value
	fallback  func() any
	checks    []check
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

func (in *input) resolve(ctx context.Context, src Source, root unsafe.Pointer, rep Reporter) any {
	v, found := find(src, in.name)
	if !found && in.required {
		rep.Add(in.name, isRequired)
		return nil
	}
	preset := false
	if !in.required && isNil(v) {
		if v, preset = in.standIn(root); isNil(v) {
			return nil
		}
	}
	// A scalar preset is in its field already, in the field's own words.
	inPlace := preset && in.bound.scalar
	if !inPlace {
		var ok bool
		if v, ok = in.coerce(v); !ok {
			rep.Add(in.name, in.failure)
			return nil
		}
	}
	if !in.valid(ctx, v, rep) {
		return nil
	}
	if in.bound != nil && !inPlace {
		in.bound.set(unsafe.Add(root, in.bound.offset), v)
	}
	return v
}

func find(src Source, name string) (any, bool) {
	if src == nil {
		return nil, false
	}
	return src.Get(name)
}

// standIn is the value of an optional input that is missing or nil: the
// preset of its field, else its default.
func (in *input) standIn(root unsafe.Pointer) (v any, preset bool) {
	if in.bound != nil {
		if at := unsafe.Add(root, in.bound.offset); !in.bound.isZero(at) {
			return unshared(in.bound.read(at)), true
		}
	}
	if in.fallback == nil {
		return nil, false
	}
	return unshared(in.fallback()), false
}

// coerce gives a value that the bound field can hold.
func (in *input) coerce(v any) (any, bool) {
	for _, c := range in.coercions {
		if coerced, ok := c.Coerce(v); ok && (in.bound == nil || in.bound.fits(coerced)) {
			return coerced, true
		}
	}
	switch {
	case len(in.coercions) > 0:
		return nil, false
	case in.bound == nil:
		return v, true
	}
	return in.bound.adopt(v)
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
func (in *input) valid(ctx context.Context, v any, rep Reporter) bool {
	ok := true
	for _, c := range in.checks {
		if message := c.test(ctx, v); message != "" {
			rep.Add(in.name, message)
			ok = false
		}
	}
	return ok
}
