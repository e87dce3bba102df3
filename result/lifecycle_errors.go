package result

import (
	"context"
	"fmt"
	"time"
)

// MiddlewareError says that a middleware neither went on nor halted, or used
// its next wrongly. The run fails with it as cause.
type MiddlewareError struct {
	// Middleware names it: a function by its name, a value by its type.
	Middleware string
	// Problem says what it did.
	Problem string
	// Err is what the middleware returned, if it returned an error.
	Err error
}

// Error names the middleware and tells what to do.
func (e *MiddlewareError) Error() string {
	return fmt.Sprintf("middleware %s %s: call next once, before returning and on the same goroutine, or return a signal or an error instead", e.Middleware, e.Problem)
}

// Unwrap gives what the middleware returned.
func (e *MiddlewareError) Unwrap() error { return e.Err }

// Unretryable is true: the middleware does not mend itself.
func (e *MiddlewareError) Unretryable() bool { return true }

// CallbackError says that an around callback did not call its continuation
// exactly once. The run fails with it as cause.
type CallbackError struct {
	// Kind is the callback's kind: "around_execution".
	Kind string
	// Callback names it: a function by its name, a value by its type.
	Callback string
	// Problem says what it did.
	Problem string
	// Err is what the callback returned, if it returned an error.
	Err error
}

// Error names the callback and tells what to do.
func (e *CallbackError) Error() string {
	return fmt.Sprintf("%s callback %s %s: call the continuation exactly once, before returning and on the same goroutine; to halt a run, use a before_execution callback", e.Kind, e.Callback, e.Problem)
}

// Unwrap gives what the callback returned.
func (e *CallbackError) Unwrap() error { return e.Err }

// Unretryable is true: the callback does not mend itself.
func (e *CallbackError) Unretryable() bool { return true }

// DeprecationError is the cause of a run that was refused because its task is
// deprecated.
type DeprecationError struct {
	// Task is the task's name.
	Task string
	// Message is what the declaration says to use instead; "" for nothing.
	Message string
}

// Error names the task, and what to use instead.
func (e *DeprecationError) Error() string {
	if e.Message == "" {
		return e.Task + " is deprecated and does not run any more: use what replaces it"
	}
	return e.Task + " is deprecated and does not run any more: " + e.Message
}

// Unretryable is true: the task stays deprecated.
func (e *DeprecationError) Unretryable() bool { return true }

// TimeoutError is the cause of a ctx that ended because a task's own timeout
// was over, and of the run or attempt that failed then. errors.Is finds
// [context.DeadlineExceeded] in it, and what Work returned.
type TimeoutError struct {
	// Limit is the timeout that was declared.
	Limit time.Duration
	// PerAttempt tells that it bounded one attempt, not all of them.
	PerAttempt bool
	// Err is what Work returned after the timeout; nil in ctx's cause.
	Err error
}

// Error tells the limit, and what Work returned.
func (e *TimeoutError) Error() string {
	what := "the task"
	if e.PerAttempt {
		what = "the attempt"
	}
	text := fmt.Sprintf("%s did not end within its timeout of %s", what, e.Limit)
	if e.Err != nil {
		text += ": " + Text(e.Err)
	}
	return text
}

// Unwrap gives what Work returned.
func (e *TimeoutError) Unwrap() error { return e.Err }

// Is tells that the error is a deadline that was exceeded.
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout is true, as net.Error has it.
func (e *TimeoutError) Timeout() bool { return true }

// RollbackError says that a task's Rollback failed, so that its work may not
// be undone. It stands in the result's cause beside what the run failed with.
type RollbackError struct {
	// Task is the task's name.
	Task string
	// Err is what Rollback returned or panicked with.
	Err error
}

// Error names the task and what its Rollback returned.
func (e *RollbackError) Error() string {
	return "the rollback of " + e.Task + " failed, its work may not be undone: " + Text(e.Err)
}

// Unwrap gives what Rollback returned.
func (e *RollbackError) Unwrap() error { return e.Err }

// Unretryable is true: work that is not undone must not be done again unasked.
func (e *RollbackError) Unretryable() bool { return true }
