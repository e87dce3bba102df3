// Package callbacks calls an application's functions at eleven moments of an
// execution.
//
// It promises that callbacks are called in the order of their declaration,
// those of the runtime before a type's and a parent's before its children's.
// Those before the work may halt the run; those after it see an outcome that
// stands, and nothing they do changes it.
package callbacks

import (
	"context"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Kind is a moment of an execution.
type Kind string

// The kinds, in the order in which an execution comes to them.
const (
	// BeforeExecution comes first. A signal halts the run, any other error
	// fails it.
	BeforeExecution Kind = "before_execution"
	// BeforeValidation comes next, before inputs are resolved, and may halt
	// in the same way.
	BeforeValidation Kind = "before_validation"
	// AroundExecution stands around everything from the inputs to the
	// completion.
	AroundExecution Kind = "around_execution"
	// AfterExecution comes when the outcome stands, whatever it is.
	AfterExecution Kind = "after_execution"
	// OnComplete comes after a success.
	OnComplete Kind = "on_complete"
	// OnInterrupted comes after a skip and after a failure.
	OnInterrupted Kind = "on_interrupted"
	// OnSuccess comes after a success.
	OnSuccess Kind = "on_success"
	// OnSkipped comes after a skip.
	OnSkipped Kind = "on_skipped"
	// OnFailed comes after a failure.
	OnFailed Kind = "on_failed"
	// OnOK comes after a success and after a skip.
	OnOK Kind = "on_ok"
	// OnKO comes after a skip and after a failure.
	OnKO Kind = "on_ko"
)

// Kinds are all kinds in the order in which an execution comes to them, in a
// slice of the caller's own.
func Kinds() []Kind {
	return []Kind{
		BeforeExecution, BeforeValidation, AroundExecution, AfterExecution, OnComplete, OnInterrupted,
		OnSuccess, OnSkipped, OnFailed, OnOK, OnKO,
	}
}

// Method is the name of the method that declares the kind.
func (k Kind) Method() string {
	switch k {
	case BeforeExecution:
		return "BeforeExecution"
	case BeforeValidation:
		return "BeforeValidation"
	case AroundExecution:
		return "AroundExecution"
	case AfterExecution:
		return "AfterExecution"
	case OnComplete:
		return "OnComplete"
	case OnInterrupted:
		return "OnInterrupted"
	case OnSuccess:
		return "OnSuccess"
	case OnSkipped:
		return "OnSkipped"
	case OnFailed:
		return "OnFailed"
	case OnOK:
		return "OnOK"
	case OnKO:
		return "OnKO"
	}
	return "an unknown kind"
}

// Options tune one declared callback.
type Options struct {
	// If and Unless turn the callback on or off for one run. nil means
	// Always and Never.
	If, Unless run.Gate
}

// Merge lays later options over o; what they do not say stays.
func (o Options) Merge(later Options) Options {
	if later.If != nil {
		o.If = later.If
	}
	if later.Unless != nil {
		o.Unless = later.Unless
	}
	return o
}

// Entry is one declared callback: Callback, or Around for the kind
// AroundExecution.
type Entry struct {
	Callback run.Callback
	Around   run.AroundCallback
	Options  Options
}

// Value is what was declared.
func (e Entry) Value() any {
	if e.Around != nil {
		return e.Around
	}
	return e.Callback
}

// Name names what was declared, for messages.
func (e Entry) Name() string { return run.DeclaredName(e.Value()) }

// Allowed asks the gates. It panics with what a gate panics with.
func (e Entry) Allowed(ctx context.Context, task run.Task) bool {
	return run.Allowed(ctx, task, e.Options.If, e.Options.Unless)
}
