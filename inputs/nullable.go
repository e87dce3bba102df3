package inputs

import (
	"reflect"
	"unsafe"
)

// null is a type that says by a flag whether its value is there, as those of
// database/sql do.
type null struct {
	value reflect.StructField
	valid reflect.StructField
}

var scannerType = reflect.TypeFor[interface{ Scan(any) error }]()

// nullOf knows sql.Null, sql.NullString and their like, also those of other
// packages, by their form.
func nullOf(t reflect.Type) (null, bool) {
	if t.Kind() != reflect.Struct || t.NumField() != 2 || t.Field(0).Name != "Valid" && t.Field(1).Name != "Valid" || !reflect.PointerTo(t).Implements(scannerType) {
		return null{}, false
	}
	n := null{value: t.Field(0), valid: t.Field(1)}
	if n.value.Name == "Valid" {
		n.value, n.valid = n.valid, n.value
	}
	return n, n.valid.Name == "Valid" && n.valid.Type.Kind() == reflect.Bool && n.value.IsExported()
}

// core is the type that a field is about: what a pointer points to, what may
// be null.
func core(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if n, ok := nullOf(t); ok {
		return n.value.Type
	}
	return t
}

func nullStore(n null, given []reflect.Type) store {
	s := storeFor(n.value.Type, given)
	valid := func(at unsafe.Pointer) *bool { return (*bool)(unsafe.Add(at, n.valid.Offset)) }
	return store{
		fits: s.fits,
		set: func(at unsafe.Pointer, v any) {
			s.set(unsafe.Add(at, n.value.Offset), v)
			*valid(at) = true
		},
		isZero: func(at unsafe.Pointer) bool { return !*valid(at) },
		read:   func(at unsafe.Pointer) any { return s.read(unsafe.Add(at, n.value.Offset)) },
		scalar: s.scalar,
	}
}
