package result

import "maps"

// Fault is a failed result as an error. It unwraps to the result's cause, so
// errors.Is and errors.As reach what Work returned. Returned from another
// task's Work it makes that task fail as an echo.
type Fault Result

// Result is the result that failed.
func (f *Fault) Result() *Result { return (*Result)(f) }

// Error names the task and the reason.
func (f *Fault) Error() string {
	if f == nil {
		return "cmdx: a nil fault"
	}
	text := f.Result().TaskName() + " " + string(f.outcome.Status)
	if f.outcome.Reason != "" {
		text += ": " + f.outcome.Reason
	}
	return text
}

// Unwrap gives the cause.
func (f *Fault) Unwrap() error {
	if f == nil {
		return nil
	}
	return f.outcome.Cause
}

// Metadata returns a copy of the result's metadata.
func (f *Fault) Metadata() Metadata {
	if f == nil {
		return nil
	}
	return maps.Clone(f.outcome.Metadata)
}

// Unretryable tells AnyError to leave the fault alone: it is true unless the
// nested run raised an error, since a nested Fail, skip or refusal is a
// decision.
func (f *Fault) Unretryable() bool { return f == nil || !f.outcome.Raised }
