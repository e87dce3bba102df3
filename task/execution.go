package task

import (
	"context"
	"log/slog"
	"maps"
	"sync/atomic"
	"time"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/telemetry"
)

// execution is one run of one task. All that a bare run needs lies in it by
// value, so that it costs one allocation; whatever is rarer hangs on a pointer.
type execution struct {
	run.Run // first: Base finds the execution by the address of its Run

	carrier    carrier
	runtime    *Runtime
	definition *Definition
	result     result.Result
	chain      result.Chain    // used by the root only
	data       cmdxctx.Context // used unless a context is shared
	errors     atomic.Pointer[result.Errors]
	metadata   atomic.Pointer[result.Metadata]
	signal     atomic.Pointer[result.Signal]
	hold       atomic.Pointer[hold] // nested runs on other goroutines look for its locks
	surrounded *surroundings
	attempt    atomic.Int32
	halted     bool // the steps that are left are not taken
	decided    bool // the pipeline's outcome stands
	worked     bool // Work has begun and is not rolled back
	exiting    bool // user code has called runtime.Goexit
}

// carrier is the ctx of everything inside the run; it leads nested executions
// to their chain and their runtime.
type carrier struct {
	context.Context
	execution *execution
}

type carrierKey struct{}

// Value gives the execution under the package's own key.
func (c *carrier) Value(key any) any {
	switch key {
	case carrierKey{}:
		return c.execution
	case messages.Language{}:
		return c.language()
	}
	return c.Context.Value(key)
}

// language is the locale that the caller chose by ctx, else the runtime's.
func (c *carrier) language() any {
	if chosen, ok := c.Context.Value(messages.Language{}).(string); ok {
		return chosen
	}
	return messages.Fallback(c.execution.runtime.locale)
}

// detached is a ctx below which chains start anew.
type detached struct {
	context.Context
	runtime *Runtime
}

// Value hides the execution and keeps its runtime.
func (d *detached) Value(key any) any {
	if key == (carrierKey{}) {
		return d.runtime
	}
	return d.Context.Value(key)
}

// Detach returns a ctx below which executions start a chain of their own:
// for consumers that live longer than the run that started them. It keeps
// ctx's values, deadline and runtime.
func Detach(ctx context.Context) context.Context {
	if ctx == nil {
		ctx = context.Background()
	}
	_, runtime := carried(ctx)
	return &detached{Context: ctx, runtime: runtime}
}

// carried returns the execution and the runtime that ctx leads to, if any.
func carried(ctx context.Context) (*execution, *Runtime) {
	switch v := ctx.Value(carrierKey{}).(type) {
	case *execution:
		return v, v.runtime
	case *Runtime:
		return nil, v
	}
	return nil, nil
}

// asRun is nil for the nil execution of a task that is not executed.
func (e *execution) asRun() *run.Run {
	if e == nil {
		return nil
	}
	return &e.Run
}

func (e *execution) collectedErrors() *result.Errors {
	if errs := e.errors.Load(); errs != nil {
		return errs
	}
	e.errors.CompareAndSwap(nil, &result.Errors{})
	return e.errors.Load()
}

func (e *execution) ownMetadata() result.Metadata {
	if m := e.metadata.Load(); m != nil {
		return *m
	}
	e.metadata.CompareAndSwap(nil, &result.Metadata{})
	return *e.metadata.Load()
}

func (e *execution) taskLogger() *slog.Logger {
	logger := e.logger()
	if logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	logger = logger.With("task", e.Type.Name, "tid", e.result.TID(), "cid", e.result.CID())
	if xid := e.result.XID(); xid != "" {
		logger = logger.With("xid", xid)
	}
	return logger
}

// made keeps the signal that decides when Work returns nil.
func (e *execution) made(s *result.Signal) error {
	if e == nil {
		return s
	}
	for {
		before := e.signal.Load()
		if !s.Outranks(before) || e.signal.CompareAndSwap(before, s) {
			return s
		}
	}
}

// decide gives the run its outcome; what has halted does not go on.
func (e *execution) decide(o result.Outcome) {
	draft := result.Draft(&e.result)
	if draft == nil {
		return
	}
	*draft = o
	e.halted = o.Status != result.StatusSuccess || o.Signalled
}

// succeeded tells whether the run is a success as things stand.
func (e *execution) succeeded() bool {
	draft := result.Draft(&e.result)
	return draft != nil && draft.Status == result.StatusSuccess
}

// withOwnMetadata lays the outcome's metadata over what the task set.
func (e *execution) withOwnMetadata() {
	own := e.metadata.Load()
	if own == nil || len(*own) == 0 {
		return
	}
	draft := result.Draft(&e.result)
	if draft == nil { // sealed before
		return
	}
	merged := maps.Clone(*own)
	maps.Copy(merged, draft.Metadata)
	draft.Metadata = merged
}

// Subject is the executed task.
func (e *execution) Subject() run.Task { return e.Run.Task }

// TaskName is the task's name.
func (e *execution) TaskName() string { return e.Type.Name }

// Log is the type's logger, else the runtime's; nil when neither is set.
func (e *execution) Log() *slog.Logger { return e.logger() }

// Say puts a text into the words of the run's locale.
func (e *execution) Say(t *messages.Text) string { return t.For(&e.carrier) }

// Wants tells whether anybody subscribed to the event, on the runtime or on
// the type.
func (e *execution) Wants(name telemetry.EventName) bool {
	return e.runtime.telemetry.Wants(name) || len(e.definition.subscribers[name]) > 0
}

// Emit sends an event of this run to the type's subscribers, then to the
// runtime's.
func (e *execution) Emit(name telemetry.EventName, payload map[string]any) {
	if payload == nil {
		payload = map[string]any{}
	}
	event := telemetry.Event{
		Name: name, Task: e.Type.Name, Type: e.Type.Kind,
		TID: e.result.TID(), CID: e.result.CID(), XID: e.result.XID(), Root: e.result.IsRoot(),
		Payload: payload, Time: time.Now(),
	}
	// Deferred: a subscriber of the type may end the goroutine.
	defer e.runtime.telemetry.Publish(event, e.reportSubscriber)
	telemetry.Deliver(e.definition.subscribers[name], event, e.reportSubscriber)
}

func (e *execution) reportSubscriber(err error) {
	if logger := e.logger(); logger != nil {
		logger.Error("cmdx: a subscriber panicked", "task", e.Type.Name, "error", err)
	}
}
