package run

import (
	"reflect"
	"unsafe"
)

// Same tells whether two values that an application declared are one and the
// same: equal by ==, or made of the same function. Values of types that cannot
// be compared are the same as nothing.
func Same(a, b any) bool {
	if f, ok := a.(functional); ok {
		g, ok := b.(functional)
		return ok && reflect.TypeOf(a) == reflect.TypeOf(b) && f.function() != nil && f.function() == g.function()
	}
	return SameValue(a, b)
}

// SameValue compares by ==, where that would not panic.
func SameValue(a, b any) (same bool) {
	defer func() {
		if recover() != nil {
			same = false
		}
	}()
	return a == b
}

// functional is what wraps a function.
type functional interface{ function() unsafe.Pointer }

// identityOf is the address of a function value's closure. Unlike the address
// of its code it differs for two closures of one function literal, and it is
// the same wherever a method expression is written.
func identityOf[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }
