package result

import (
	"fmt"

	"github.com/cmdx-go/cmdx/internal/halt"
)

// PanicError is the raised error that a panic in user code becomes. It is not
// matched by AnyError, so that a broken program is not run again and again
// unless a matcher says so.
type PanicError struct {
	// Value is what the code panicked with.
	Value any
	// Stack is the stack of the goroutine at the panic.
	Stack []byte
}

// Recovered makes the raised error of a recovered panic value.
func Recovered(value any, stack []byte) error {
	if stop, ok := value.(halt.Stop); ok {
		return stop.Err
	}
	return &PanicError{Value: value, Stack: stack}
}

// Error names the value.
func (e *PanicError) Error() (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("panic with a %T that cannot be printed", e.Value)
		}
	}()
	if err, ok := e.Value.(error); ok {
		return "panic: " + Text(err)
	}
	return fmt.Sprintf("panic: %v", e.Value)
}

// Unwrap gives the panic's value when that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Unretryable is true: AnyError does not match a panic.
func (e *PanicError) Unretryable() bool { return true }

// ForeignSignalError says that Work returned a signal that another run made,
// or a task that was not running.
type ForeignSignalError struct{ Status Status }

// Error tells what to return instead.
func (e *ForeignSignalError) Error() string {
	return fmt.Sprintf("a %s signal of another run, or of a task that is not running, was returned: "+
		"return a signal of the task's own, the other result's Err(), or Throw the other result", e.Status)
}

// LeaseLostError says that a claim, lock or place ended, or went to somebody
// else, while the run still worked under it. The run starts no further
// attempt.
type LeaseLostError struct {
	// Feature is what was lost: "claim", "lock" or "place".
	Feature string
	// Key is its full store key.
	Key string
	// Err is why it could not be renewed in time; nil when it had ended.
	Err error
}

// Error names the key, and the store's error where that was the reason.
func (e *LeaseLostError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("the %s %q could not be renewed in time: %s", e.Feature, e.Key, Text(e.Err))
	}
	return fmt.Sprintf("the %s %q ended while the task was still at work: no further attempt was made; give it a longer ttl", e.Feature, e.Key)
}

// Unwrap gives the store's error, if that was the reason.
func (e *LeaseLostError) Unwrap() error { return e.Err }

// Unretryable is true: without its claim a run must not try again.
func (e *LeaseLostError) Unretryable() bool { return true }

// GoexitError is the cause of a run that user code ended with runtime.Goexit.
// Only subscribers and the chain see it: the goroutine does not come back.
type GoexitError struct{}

// Error tells what happened.
func (*GoexitError) Error() string { return "runtime.Goexit was called during the execution" }

// Unretryable is true: the goroutine has gone.
func (*GoexitError) Unretryable() bool { return true }
