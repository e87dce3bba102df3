package task

import (
	"context"
	"reflect"
	"runtime/debug"

	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/telemetry"
)

// rollbacker is a task that can undo its work.
type rollbacker interface {
	Rollback(ctx context.Context) error
}

var rollbackerType = reflect.TypeFor[rollbacker]()

// readRollback finds out whether the type has a Rollback. One of the type's
// own that could never be called is a mistake.
func (d *Definition) readRollback(t reflect.Type) {
	pointer := reflect.PointerTo(t)
	d.rollsBack = pointer.Implements(rollbackerType)
	if method, ok := pointer.MethodByName("Rollback"); ok && !d.rollsBack && !isWrapper(method) {
		d.mistakes = append(d.mistakes, mistakeRollback(t, method.Type))
	}
}

// undoFailure is undo for a run that has failed.
func (e *execution) undoFailure() {
	if e.worked && e.definition.rollsBack && e.failed() {
		e.undo()
	}
}

// failed tells whether the run is a failure as things stand.
func (e *execution) failed() bool {
	draft := result.Draft(&e.result)
	return draft != nil && draft.Status == result.StatusFailed
}

// undo calls the task's Rollback, once, when Work had begun.
func (e *execution) undo() {
	if !e.worked || !e.definition.rollsBack {
		return
	}
	e.worked = false
	e.around().rolledBack = true
	defer e.rollBack() // deferred: a subscriber may end the goroutine
	if e.Wants(telemetry.EventTaskRolledBack) {
		e.Emit(telemetry.EventTaskRolledBack, nil)
	}
}

// rollBack calls Rollback on a live ctx with the values that Work had. Its
// error stands beside what the run failed with.
func (e *execution) rollBack() {
	ctx := newCleanup(e.pipelineContext())
	defer ctx.end()
	err := e.callRollback(ctx)
	if err == nil {
		return
	}
	failure := &result.RollbackError{Task: e.Type.Name, Err: err}
	if logger := e.logger(); logger != nil {
		logger.Error("cmdx: a rollback failed", "task", e.Type.Name, "error", err)
	}
	if draft := result.Draft(&e.result); draft != nil {
		draft.Cause = withRollback(draft.Cause, failure)
	}
}

func (e *execution) callRollback(ctx context.Context) (err error) {
	before, finished := e.signal.Load(), false
	defer func() {
		if !finished {
			err = result.Recovered(recover(), debug.Stack())
		}
		e.signal.Store(before)
	}()
	err = e.Run.Task.(rollbacker).Rollback(ctx)
	finished = true
	return err
}

func withRollback(cause error, failure *result.RollbackError) error {
	if cause == nil {
		return failure
	}
	return &unrolled{cause, failure}
}

// unrolled is what a run failed with beside the failure of its Rollback.
type unrolled struct {
	cause    error
	rollback *result.RollbackError
}

// Error tells both.
func (u *unrolled) Error() string { return result.Text(u.cause) + "\n" + u.rollback.Error() }

// Unwrap gives both.
func (u *unrolled) Unwrap() []error { return []error{u.cause, u.rollback} }

// Unretryable is true: work that is not undone must not be done again unasked.
func (u *unrolled) Unretryable() bool { return true }
