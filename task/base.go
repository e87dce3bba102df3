// Package task runs tasks: it reads what their types declare, layer by layer,
// and takes every execution through one pipeline.
package task

import (
	"log/slog"
	"unsafe"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
)

// anchor keeps the embedded field out of the sight of task types.
type anchor = run.Anchor

// Base makes a struct a task: embed it by value, directly or through a parent
// that embeds it, and write Work. Its methods speak of the execution that the
// struct is the executed copy of; on a struct that is not executed they
// answer with zero values. They may be called from the goroutines that Work
// starts.
type Base struct{ anchor }

func (b Base) execution() *execution {
	// Every Run is the first field of an execution.
	return executionOf(run.Tied(b.anchor))
}

func executionOf(r *run.Run) *execution { return (*execution)(unsafe.Pointer(r)) }

// Context is the data that the execution works on, shared with nested ones
// that are given it. On a struct that is not executed it is an empty one of
// its own.
func (b Base) Context() *cmdxctx.Context {
	if e := b.execution(); e != nil {
		return e.Context
	}
	return cmdxctx.New(nil)
}

// Errors collects what is wrong, by key. Any entry lets the run fail when
// Work ends.
func (b Base) Errors() *result.Errors {
	if e := b.execution(); e != nil {
		return e.collectedErrors()
	}
	return &result.Errors{}
}

// Metadata is what the task adds to its result's metadata; a signal's own
// metadata win over it. It is not for concurrent writers.
func (b Base) Metadata() result.Metadata {
	if e := b.execution(); e != nil {
		return e.ownMetadata()
	}
	return result.Metadata{}
}

// Logger is the runtime's logger with the task's name and ids; without one
// set, a logger that writes nothing. It is never nil.
func (b Base) Logger() *slog.Logger {
	if e := b.execution(); e != nil {
		return e.taskLogger()
	}
	return slog.New(slog.DiscardHandler)
}

// TID identifies the execution: a UUIDv7 of its start.
func (b Base) TID() string {
	if e := b.execution(); e != nil {
		return e.result.TID()
	}
	return ""
}

// Attempt is the number of the current try: 0 first.
func (b Base) Attempt() int {
	if e := b.execution(); e != nil {
		return int(e.attempt.Load())
	}
	return 0
}

// Input is the resolved value of a declared input, by its name; nil when
// there is none.
func (b Base) Input(name string) any {
	if e := b.execution(); e != nil {
		v, _ := e.Run.Input(name)
		return v
	}
	return nil
}

// Skip makes the signal that ends the run as skipped. Return it from Work; it
// still decides when Work returns nil.
func (b Base) Skip(reason string, metadata ...result.Metadata) error {
	return b.signal(result.StatusSkipped, reason, metadata)
}

// Fail makes the signal that ends the run as failed. Return it from Work; it
// still decides when Work returns nil.
func (b Base) Fail(reason string, metadata ...result.Metadata) error {
	return b.signal(result.StatusFailed, reason, metadata)
}

// Success makes the signal that ends the run as a success with a reason;
// outputs are not verified then.
func (b Base) Success(reason string, metadata ...result.Metadata) error {
	return b.signal(result.StatusSuccess, reason, metadata)
}

// Throw makes the signal that lets the run fail as an echo of a nested
// result. It is nil when that result did not fail, so it can be returned
// without asking.
func (b Base) Throw(nested *result.Result, metadata ...result.Metadata) error {
	if nested == nil || !nested.IsFailed() {
		return nil
	}
	e := b.execution()
	return e.made(result.NewThrow(e.asRun(), nested, metadata...))
}

func (b Base) signal(status result.Status, reason string, metadata []result.Metadata) error {
	e := b.execution()
	return e.made(result.NewSignal(e.asRun(), status, reason, metadata...))
}
