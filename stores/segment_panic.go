package stores

import "reflect"

// methodPanicked returns what has to be deferred around a call of a user's
// method. A runtime.Goexit passes through: recover gives nil for it.
func methodPanicked(v any, method string, err *error) func() {
	return func() {
		if p := recover(); p != nil {
			cause, _ := p.(error)
			*err = &SegmentError{Type: typeName(v), Reason: "its " + method + " panicked", Err: cause}
		}
	}
}

func typeName(v any) string { return reflect.TypeOf(v).String() }
