// Package halt stops a run from a place that cannot return an error.
package halt

// Stop is panicked with; the executor turns it into the raised error Err.
// Outside a run it reads as that error.
type Stop struct{ Err error }

// Error is the text of the error that stops the run.
func (s Stop) Error() string { return s.Err.Error() }

// Unwrap gives that error.
func (s Stop) Unwrap() error { return s.Err }
