package inputs

import (
	"reflect"
	"slices"
	"unsafe"
)

// store reads and writes one type of field by its address.
type store struct {
	// fits tells whether the field can hold a coerced value unchanged.
	fits func(v any) bool
	// set writes a value that fits.
	set func(at unsafe.Pointer, v any)
	// isZero tells whether the field is as a new struct has it.
	isZero func(at unsafe.Pointer) bool
	// read returns what the field holds.
	read func(at unsafe.Pointer) any
	// scalar tells that read gives what the coercion would.
	scalar bool
}

// storeFor chooses the store of a field of type t that holds values of the
// given types; none given means values of t itself.
func storeFor(t reflect.Type, given []reflect.Type) store {
	if s, ok := scalarStore(t, given); ok {
		return s
	}
	if n, ok := nullOf(t); ok && !givesItself(t, given) {
		return nullStore(n, given)
	}
	if t.Kind() == reflect.Pointer {
		if s, ok := scalarStore(t.Elem(), given); ok {
			return pointerStore(t.Elem(), s)
		}
		if n, ok := nullOf(t.Elem()); ok && !givesItself(t.Elem(), given) {
			return pointerStore(t.Elem(), nullStore(n, given))
		}
	}
	return assignStore(t)
}

// givesItself tells whether one of the types could be assigned to a t, or
// whether nothing is known of them.
func givesItself(t reflect.Type, given []reflect.Type) bool {
	return len(given) == 0 || slices.ContainsFunc(given, func(one reflect.Type) bool {
		return one.AssignableTo(t) || one == reflect.PointerTo(t)
	})
}

// scalarStore has no use for reflection: a named type lies in memory as the
// kind that it is made of.
func scalarStore(t reflect.Type, given []reflect.Type) (store, bool) {
	kinds := kindsOf(given)
	switch kind := t.Kind(); {
	case kinds == nil:
		return store{}, false
	case kind == reflect.String && kinds[reflect.String]:
		return textStore(), len(kinds) == 1
	case kind == reflect.Bool && kinds[reflect.Bool]:
		return booleanStore(), len(kinds) == 1
	case kind >= reflect.Int && kind <= reflect.Uint64 && kinds[reflect.Int64]:
		return integerStores[kind], len(kinds) == 1 || len(kinds) == 2 && kinds[reflect.Uint64]
	case kind == reflect.Float32 && kinds[reflect.Float64]:
		return float32Store(), len(kinds) == 1
	case kind == reflect.Float64 && kinds[reflect.Float64]:
		return float64Store(), len(kinds) == 1
	case kind == reflect.Complex64 && kinds[reflect.Complex128]:
		return complex64Store(), len(kinds) == 1
	case kind == reflect.Complex128 && kinds[reflect.Complex128]:
		return complex128Store(), len(kinds) == 1
	}
	return store{}, false
}

// kindsOf returns nil when one of the types has a name of its own.
func kindsOf(types []reflect.Type) map[reflect.Kind]bool {
	var kinds map[reflect.Kind]bool
	for _, t := range types {
		if t.PkgPath() != "" {
			return nil
		}
		if kinds == nil {
			kinds = map[reflect.Kind]bool{}
		}
		kinds[t.Kind()] = true
	}
	return kinds
}

// pointerStore gives every value a place of its own.
func pointerStore(elem reflect.Type, s store) store {
	return store{
		fits: s.fits,
		set: func(at unsafe.Pointer, v any) {
			place := reflect.New(elem).UnsafePointer()
			s.set(place, v)
			*(*unsafe.Pointer)(at) = place
		},
		isZero: func(at unsafe.Pointer) bool { return *(*unsafe.Pointer)(at) == nil },
		read:   func(at unsafe.Pointer) any { return s.read(*(*unsafe.Pointer)(at)) },
		scalar: true,
	}
}

// assignStore takes what Go would let one assign.
func assignStore(t reflect.Type) store {
	field := func(at unsafe.Pointer) reflect.Value { return reflect.NewAt(t, at).Elem() }
	return store{
		fits: func(v any) bool {
			_, ok := assignable(v, t)
			return ok
		},
		set: func(at unsafe.Pointer, v any) {
			if value, ok := assignable(v, t); ok {
				field(at).Set(value)
			}
		},
		isZero: func(at unsafe.Pointer) bool { return field(at).IsZero() },
		read:   func(at unsafe.Pointer) any { return field(at).Interface() },
	}
}

// assignable returns v as a value for a field of type t: v itself, what it
// points to, or a pointer to it. nil becomes the nil of t, when t has one.
func assignable(v any, t reflect.Type) (reflect.Value, bool) {
	value := reflect.ValueOf(v)
	if !value.IsValid() {
		zero := reflect.Zero(t)
		return zero, isNilValue(zero)
	}
	from := value.Type()
	switch {
	case from.AssignableTo(t):
		return value, true
	case t.Kind() == reflect.Pointer && from.AssignableTo(t.Elem()):
		place := reflect.New(t.Elem())
		place.Elem().Set(value)
		return place.Convert(t), true
	case from.Kind() == reflect.Pointer && !value.IsNil() && from.Elem().AssignableTo(t):
		return value.Elem(), true
	}
	return reflect.Value{}, false
}
