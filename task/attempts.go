package task

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/cmdx-go/cmdx/features/retry"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/telemetry"
)

// attempts is the retry loop: Work runs until it ends without a raised error
// or the type's policy ends the loop.
func (e *execution) attempts(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		e.decide(result.Refuse(context.Cause(ctx)))
		return
	}
	policy := &e.definition.retry
	options := e.definition.retryOptions
	var pause time.Duration
	for attempt := 0; ; attempt++ {
		mark := e.beginAttempt(attempt, pause)
		err := e.work(ctx)
		reading := result.Read(err, &e.Run)
		if (reading.Raised == nil && reading.Echo == nil) || attempt >= options.Limit || !policy.Match(err) {
			e.settle(reading)
			return
		}
		if ctx.Err() != nil {
			e.stop(reading, err, context.Cause(ctx))
			return
		}
		if !options.Allowed(ctx, e.Run.Task, err, attempt) {
			e.settle(reading)
			return
		}
		if lost := e.leaseLost(); lost != nil {
			e.stop(reading, err, lost)
			return
		}
		pause = options.Pause(attempt, pause)
		if ended := retry.Wait(ctx, pause); ended != nil {
			e.stop(reading, err, ended)
			return
		}
		if lost := e.leaseLost(); lost != nil {
			e.stop(reading, err, lost)
			return
		}
		e.dropAttempt(mark)
	}
}

// beginAttempt tells of every try but the first, and marks the errors that
// stood before it.
func (e *execution) beginAttempt(attempt int, pause time.Duration) result.Mark {
	e.attempt.Store(int32(attempt))
	if attempt > 0 && e.Wants(telemetry.EventTaskRetried) {
		e.Emit(telemetry.EventTaskRetried, map[string]any{"attempt": attempt, "delay": pause})
	}
	if e.definition.retry.Active() {
		return e.errors.Load().Mark()
	}
	return result.Mark{}
}

// dropAttempt forgets what a raised attempt added.
func (e *execution) dropAttempt(mark result.Mark) {
	e.signal.Store(nil)
	if errs := e.errors.Load(); errs != nil {
		errs.Reset(mark)
	}
}

// work calls Work once; a panic becomes a raised error.
func (e *execution) work(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = result.Recovered(p, debug.Stack())
		}
	}()
	return e.Run.Task.Work(ctx)
}

// settle decides by what the last attempt returned and by the signals that
// were made and not returned.
func (e *execution) settle(r result.Reading) {
	made := e.signal.Load()
	switch {
	case r.Raised != nil || r.Echo != nil:
	case r.Signal == nil && made != nil:
		r = result.Reading{Signal: made}
	case r.Signal != nil && made != nil && made.Status() == result.StatusFailed && r.Signal.Status() != result.StatusFailed:
		r = result.Reading{Signal: made}
	}
	e.decide(r.Outcome())
	e.failWithErrors()
}

// stop ends the loop for a reason beside the last error; both are the cause.
func (e *execution) stop(r result.Reading, last, reason error) {
	o := r.Outcome()
	o.Cause = errors.Join(last, reason)
	o.Reason += " (no further attempt: " + result.Text(reason) + ")"
	e.decide(o)
}
