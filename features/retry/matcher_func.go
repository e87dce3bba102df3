package retry

import "github.com/cmdx-go/cmdx/internal/run"

type funcMatcher func(error) bool

// ErrorFunc matches errors for which match is true. It is given the error as
// Work returned it, never nil; what it panics with reaches the caller of
// Match. A nil function matches nothing.
func ErrorFunc(match func(error) bool) run.ErrorMatcher { return funcMatcher(match) }

// Match asks the function.
func (f funcMatcher) Match(err error) bool { return f != nil && err != nil && f(err) }
