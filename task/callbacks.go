package task

import (
	"context"
	"runtime/debug"
	"slices"

	"github.com/cmdx-go/cmdx/features/callbacks"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/telemetry"
)

// callbacks are those of a kind, the runtime's before the type's.
func (e *execution) callbacks(kind callbacks.Kind) []callbacks.Entry {
	own, global := &e.definition.callbacks, &e.runtime.callbacks
	switch {
	case global.Empty() || own.Alone(kind):
		return own.Of(kind)
	case len(own.Of(kind)) == 0:
		return global.Of(kind)
	}
	return slices.Concat(global.Of(kind), own.Of(kind))
}

// hasCallbacks tells whether anything may have to be called.
func (e *execution) hasCallbacks() bool {
	return !e.definition.callbacks.Empty() || !e.runtime.callbacks.Empty()
}

// callBefore calls what comes before the pipeline, until one halts.
func (e *execution) callBefore(ctx context.Context) {
	if !e.hasCallbacks() {
		return
	}
	for _, kind := range []callbacks.Kind{callbacks.BeforeExecution, callbacks.BeforeValidation} {
		for _, entry := range e.callbacks(kind) {
			if e.halted {
				return
			}
			if err := e.callback(ctx, entry); err != nil {
				e.decide(result.Read(err, &e.Run).Outcome())
			}
		}
	}
}

// callback calls one, unless its gates leave it out; a panic becomes its
// error. Signals that it makes and does not return count for nothing.
func (e *execution) callback(ctx context.Context, entry callbacks.Entry) (err error) {
	before, finished := e.signal.Load(), false
	defer func() {
		if !finished {
			err = result.Recovered(recover(), debug.Stack())
		}
		e.signal.Store(before)
	}()
	if entry.Allowed(ctx, e.Run.Task) {
		err = entry.Callback.Do(ctx, e.Run.Task)
	}
	finished = true
	return err
}

// withinCallbacks runs the pipeline within the around callbacks.
func (e *execution) withinCallbacks(ctx context.Context) {
	if e.halted {
		return
	}
	if !e.hasCallbacks() {
		e.core(ctx)
		return
	}
	e.wrapInCallbacks(ctx, e.callbacks(callbacks.AroundExecution))
}

func (e *execution) wrapInCallbacks(ctx context.Context, list []callbacks.Entry) {
	if len(list) == 0 {
		e.core(ctx)
		return
	}
	e.around()
	e.wrap(ctx, callbackWrapper(list[0]), func(ctx context.Context) { e.wrapInCallbacks(ctx, list[1:]) })
}

type callbackWrapper callbacks.Entry

func (w callbackWrapper) allowed(ctx context.Context, task run.Task) bool {
	return callbacks.Entry(w).Allowed(ctx, task)
}

func (w callbackWrapper) call(ctx context.Context, task run.Task, next run.Next) error {
	return w.Around.Around(ctx, task, next)
}

func (w callbackWrapper) misused(problem string, err error) error {
	return &result.CallbackError{
		Kind: string(callbacks.AroundExecution), Callback: callbacks.Entry(w).Name(), Problem: problem, Err: err,
	}
}

func (callbackWrapper) mayHalt() bool { return false }

// callAfter calls what comes behind an outcome that stands, once: all that fit
// it, whatever each of them does.
func (e *execution) callAfter() {
	if e.Root == nil || !e.hasCallbacks() {
		return
	}
	s := e.around()
	if s.called {
		return
	}
	s.called = true
	var due []dueCallback
	for _, kind := range kindsBehind(e.result.Status()) {
		for _, entry := range e.callbacks(kind) {
			due = append(due, dueCallback{kind, entry})
		}
	}
	e.callDue(due)
}

type dueCallback struct {
	kind  callbacks.Kind
	entry callbacks.Entry
}

func kindsBehind(status result.Status) []callbacks.Kind {
	switch status {
	case result.StatusSuccess:
		return []callbacks.Kind{callbacks.AfterExecution, callbacks.OnComplete, callbacks.OnSuccess, callbacks.OnOK}
	case result.StatusSkipped:
		return []callbacks.Kind{callbacks.AfterExecution, callbacks.OnInterrupted, callbacks.OnSkipped, callbacks.OnOK, callbacks.OnKO}
	}
	return []callbacks.Kind{callbacks.AfterExecution, callbacks.OnInterrupted, callbacks.OnFailed, callbacks.OnKO}
}

func (e *execution) callDue(due []dueCallback) {
	next := 0
	defer func() {
		if next < len(due) { // one of them ends the goroutine
			e.callDue(due[next:])
		}
	}()
	for next < len(due) {
		d := due[next]
		next++
		e.callOneDue(d)
	}
}

func (e *execution) callOneDue(d dueCallback) {
	err := error(&result.GoexitError{}) // unless it comes back
	defer func() {
		if err != nil {
			e.callbackFailed(d, err)
		}
	}()
	err = e.callback(&e.carrier, d.entry)
}

// callbackFailed keeps, logs and emits an error that changes nothing.
func (e *execution) callbackFailed(d dueCallback, err error) {
	s := e.around()
	s.callbackErrors = append(s.callbackErrors, err)
	if logger := e.logger(); logger != nil {
		logger.Error("cmdx: a callback failed; the outcome stands",
			"task", e.Type.Name, "kind", string(d.kind), "callback", d.entry.Name(), "error", err)
	}
	if e.Wants(telemetry.EventCallbackFailed) {
		e.Emit(telemetry.EventCallbackFailed, map[string]any{
			"kind": string(d.kind), "callback": d.entry.Name(), "error": err,
		})
	}
}

// OutcomeOf tells what the run came to that ctx belongs to; false while that is
// open, and for a ctx of no run. Callbacks behind the outcome ask it.
func OutcomeOf(ctx context.Context) (outcome result.Outcome, decided bool) {
	e, _ := carried(ctx)
	if e == nil || !result.IsSealed(&e.result) {
		return result.Outcome{}, false
	}
	return result.OutcomeOf(&e.result), true
}
