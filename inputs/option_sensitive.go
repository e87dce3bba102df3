package inputs

import (
	"fmt"
	"reflect"

	"github.com/cmdx-go/cmdx/internal/halt"
)

// Sensitive keeps the value out of everything that people may see: reasons,
// errors and the texts of their causes, logs, events, result.ToMap and the JSON
// of results and contexts. So it is with what lies in it, with inputs that are
// taken from it, and with copies of it elsewhere in the context or in metadata,
// as far as they can be told from other values. Programs read it as ever: by
// the field, Base.Input and Context.Get.
//
// It may be a guard's key only through cmdx.Hashed.
func Sensitive() Option {
	return option(func(d *Declaration) { d.sensitive = true })
}

// SensitivePanicError is what a function of the application that panics with a sensitive
// value in its hands panics with in turn, so that no text tells the value.
type SensitivePanicError struct {
	// Input is the path of the input.
	Input string
	// Type is the type of what the function panicked with.
	Type reflect.Type
}

// Error names the input and the type.
func (e *SensitivePanicError) Error() string {
	return fmt.Sprintf("a function that was given the sensitive input %q panicked with a value of type %v, which is not shown because it may hold the input", e.Input, e.Type)
}

// guarded resolves an input that is sensitive or holds one that is.
func (in *input) guarded(w *walk) any {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if _, stops := p.(halt.Stop); stops {
			panic(p)
		}
		if _, known := p.(*SensitivePanicError); known {
			panic(p)
		}
		panic(&SensitivePanicError{Input: w.path(in), Type: reflect.TypeOf(p)})
	}()
	return in.take(w)
}
