// Package deprecation tells, or refuses, the runs of task types that are on
// their way out.
package deprecation

import (
	"context"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Level is what is done about the run of a deprecated task.
type Level string

// The levels.
const (
	// Log writes a line of the level info.
	Log Level = "log"
	// Warn writes a line of the level warn.
	Warn Level = "warn"
	// Error fails the run with a DeprecationError; nothing of it
	// runs.
	Error Level = "error"
)

// Do is never called: the executor knows the levels. It makes them fit where
// a callback fits.
func (Level) Do(context.Context, run.Task) error { return nil }

// Options tune a deprecation. A zero field inherits what a parent declared.
type Options struct {
	// Message says what to use instead; it stands in log lines and in the
	// error. "" inherits; by default there is none.
	Message string
	// If and Unless turn the deprecation on or off for one run. nil
	// inherits; by default Always and Never.
	If, Unless run.Gate
}

// Merge lays child over o: what the child says wins, what it does not say is
// inherited. Neither value changes.
func (o Options) Merge(child Options) Options {
	if child.Message != "" {
		o.Message = child.Message
	}
	if child.If != nil {
		o.If = child.If
	}
	if child.Unless != nil {
		o.Unless = child.Unless
	}
	return o
}

// WithDefaults fills in what nobody said.
func (o Options) WithDefaults() Options {
	return Options{If: run.Always, Unless: run.Never}.Merge(o)
}
