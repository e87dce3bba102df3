package task

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/cmdx-go/cmdx/features/retry"
	"github.com/cmdx-go/cmdx/internal/messages"
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
	if lost := e.leaseLost(); lost != nil {
		e.decide(result.Refuse(lost))
		return
	}
	if h := e.hold.Load(); h != nil && h.held > 0 {
		ctx = e.beat(ctx, h)
	}
	ctx, stop, total := bounded(ctx, e.definition.timeout.Total, false)
	defer stop()
	var pause time.Duration
	for attempt := 0; ; attempt++ {
		mark := e.beginAttempt(attempt, pause)
		err := e.try(ctx, total)
		again := false
		if pause, again = e.another(ctx, err, attempt, pause); !again {
			return
		}
		e.dropAttempt(mark)
	}
}

// another waits for a further attempt, or decides the run when there is to be
// none. A matcher, gate or jitter that panics ends the loop like any other
// reason, beside the last error.
func (e *execution) another(ctx context.Context, err error, attempt int, prev time.Duration) (pause time.Duration, again bool) {
	policy, options := &e.definition.retry, &e.definition.retryOptions
	reading := result.Read(err, &e.Run)
	defer func() {
		if p := recover(); p != nil {
			e.stop(reading, err, result.Recovered(p, debug.Stack()))
		}
	}()
	if (reading.Raised == nil && reading.Echo == nil) || attempt >= options.Limit || !policy.Match(err) {
		e.settle(reading)
		return 0, false
	}
	if lost := e.leaseLost(); lost != nil {
		e.stop(reading, err, lost)
		return 0, false
	}
	if ctx.Err() != nil {
		if timedOut(err) {
			e.settle(reading)
			return 0, false
		}
		e.stop(reading, err, context.Cause(ctx))
		return 0, false
	}
	if !options.Allowed(ctx, e.Run.Task, err, attempt) {
		e.settle(reading)
		return 0, false
	}
	pause = options.Pause(attempt, prev)
	if ended := retry.Wait(ctx, pause); ended != nil {
		e.stop(reading, err, ended)
		return 0, false
	}
	if lost := e.leaseLost(); lost != nil {
		e.stop(reading, err, lost)
		return 0, false
	}
	return pause, true
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
	finished := false
	defer func() {
		if !finished {
			err = result.Recovered(recover(), debug.Stack())
		}
	}()
	e.worked = true
	err = e.Run.Task.Work(ctx)
	finished = true
	return err
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
	e.callEnded(r)
	e.decide(r.Outcome())
	e.failWithErrors()
}

// callEnded keeps the raised error that leaves the loop, for guards that count
// failures. It is none when the caller has left, or when Work's ctx ended
// because something held was lost: neither says anything about what Work
// called. Who ended the ctx is asked of the ctx, never of the error.
func (e *execution) callEnded(r result.Reading) {
	h := e.hold.Load()
	if h == nil || e.carrier.Context.Err() != nil {
		return
	}
	if h.heartbeat != nil {
		if _, lost := h.heartbeat.lastRenewal(); lost != nil {
			return
		}
	}
	switch {
	case r.Raised != nil:
		h.failed = r.Raised
	case r.Echo != nil && r.Outcome().Raised:
		if h.failed = r.Echo.Cause(); h.failed == nil {
			h.failed = r.Echo.Err()
		}
	}
}

// stop ends the loop for a reason beside the last error; both are the cause.
func (e *execution) stop(r result.Reading, last, reason error) {
	e.callEnded(r)
	o := r.Outcome()
	o.Cause = &stopped{last, reason}
	o.Reason = e.Say(messages.Of(messages.KeyRetriesStopped,
		messages.Given("reason", o.Reason), messages.Given("error", result.Text(reason))))
	e.decide(o)
}

// stopped is the last error of a loop beside the reason why no further attempt
// was made.
type stopped struct{ last, reason error }

// Error tells both.
func (s *stopped) Error() string { return result.Text(s.last) + "\n" + result.Text(s.reason) }

// Unwrap gives both.
func (s *stopped) Unwrap() []error { return []error{s.last, s.reason} }

// Unretryable is the reason's word: without its claim, or with a broken
// matcher, the run is not tried again by an enclosing one either.
func (s *stopped) Unretryable() bool {
	u, ok := s.reason.(retry.Unretryable)
	return ok && u.Unretryable()
}
