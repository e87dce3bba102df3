package inputs

import (
	"math"
	"reflect"
	"unsafe"
)

func textStore() store {
	return store{
		fits:   func(v any) bool { _, ok := v.(string); return ok },
		set:    func(at unsafe.Pointer, v any) { *(*string)(at) = v.(string) },
		isZero: func(at unsafe.Pointer) bool { return *(*string)(at) == "" },
		read:   func(at unsafe.Pointer) any { return *(*string)(at) },
		scalar: true,
	}
}

func booleanStore() store {
	return store{
		fits:   func(v any) bool { _, ok := v.(bool); return ok },
		set:    func(at unsafe.Pointer, v any) { *(*bool)(at) = v.(bool) },
		isZero: func(at unsafe.Pointer) bool { return !*(*bool)(at) },
		read:   func(at unsafe.Pointer) any { return *(*bool)(at) },
		scalar: true,
	}
}

var integerStores = [...]store{
	reflect.Int:    signedStore[int](),
	reflect.Int8:   signedStore[int8](),
	reflect.Int16:  signedStore[int16](),
	reflect.Int32:  signedStore[int32](),
	reflect.Int64:  signedStore[int64](),
	reflect.Uint:   unsignedStore[uint](),
	reflect.Uint8:  unsignedStore[uint8](),
	reflect.Uint16: unsignedStore[uint16](),
	reflect.Uint32: unsignedStore[uint32](),
	reflect.Uint64: unsignedStore[uint64](),
}

func signedStore[T int | int8 | int16 | int32 | int64]() store {
	return store{
		fits: func(v any) bool {
			n, ok := v.(int64)
			return ok && int64(T(n)) == n
		},
		set:    func(at unsafe.Pointer, v any) { *(*T)(at) = T(v.(int64)) },
		isZero: func(at unsafe.Pointer) bool { return *(*T)(at) == 0 },
		read:   func(at unsafe.Pointer) any { return int64(*(*T)(at)) },
		scalar: true,
	}
}

func unsignedStore[T uint | uint8 | uint16 | uint32 | uint64]() store {
	return store{
		fits: func(v any) bool {
			n, ok := unsigned(v)
			return ok && uint64(T(n)) == n
		},
		set: func(at unsafe.Pointer, v any) {
			n, _ := unsigned(v)
			*(*T)(at) = T(n)
		},
		isZero: func(at unsafe.Pointer) bool { return *(*T)(at) == 0 },
		read: func(at unsafe.Pointer) any {
			n := uint64(*(*T)(at))
			if n <= math.MaxInt64 {
				return int64(n)
			}
			return n
		},
		scalar: true,
	}
}

func unsigned(v any) (uint64, bool) {
	switch n := v.(type) {
	case int64:
		return uint64(n), n >= 0
	case uint64:
		return n, true
	}
	return 0, false
}

func float64Store() store {
	return store{
		fits:   func(v any) bool { _, ok := v.(float64); return ok },
		set:    func(at unsafe.Pointer, v any) { *(*float64)(at) = v.(float64) },
		isZero: func(at unsafe.Pointer) bool { return *(*float64)(at) == 0 },
		read:   func(at unsafe.Pointer) any { return *(*float64)(at) },
		scalar: true,
	}
}

func float32Store() store {
	return store{
		fits: func(v any) bool {
			f, ok := v.(float64)
			return ok && fitsFloat32(f)
		},
		set:    func(at unsafe.Pointer, v any) { *(*float32)(at) = float32(v.(float64)) },
		isZero: func(at unsafe.Pointer) bool { return *(*float32)(at) == 0 },
		read:   func(at unsafe.Pointer) any { return float64(*(*float32)(at)) },
		scalar: true,
	}
}

func complex128Store() store {
	return store{
		fits:   func(v any) bool { _, ok := v.(complex128); return ok },
		set:    func(at unsafe.Pointer, v any) { *(*complex128)(at) = v.(complex128) },
		isZero: func(at unsafe.Pointer) bool { return *(*complex128)(at) == 0 },
		read:   func(at unsafe.Pointer) any { return *(*complex128)(at) },
		scalar: true,
	}
}

func complex64Store() store {
	return store{
		fits: func(v any) bool {
			z, ok := v.(complex128)
			return ok && fitsFloat32(real(z)) && fitsFloat32(imag(z))
		},
		set:    func(at unsafe.Pointer, v any) { *(*complex64)(at) = complex64(v.(complex128)) },
		isZero: func(at unsafe.Pointer) bool { return *(*complex64)(at) == 0 },
		read:   func(at unsafe.Pointer) any { return complex128(*(*complex64)(at)) },
		scalar: true,
	}
}

// fitsFloat32 lets a fraction be rounded to the nearest float32, but neither a
// whole number change nor anything become infinite or zero.
func fitsFloat32(f float64) bool {
	narrow := float64(float32(f))
	switch {
	case math.IsNaN(f) || narrow == f:
		return true
	case math.IsInf(narrow, 0) || narrow == 0:
		return false
	}
	return math.Trunc(f) != f
}
