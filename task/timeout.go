package task

import (
	"context"
	"time"

	"github.com/cmdx-go/cmdx/features/timeout"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
)

// Timeout bounds how long the attempts of Work may take together, and with
// PerAttempt each of them alone: their ctx then ends with a
// [*result.TimeoutError] as cause. Work that does not heed its ctx is waited
// for, and what it returns counts. Zero inherits, NoTimeout takes an inherited
// bound away.
func (c *Config) Timeout(total time.Duration, options ...timeout.Option) {
	site, ok := c.declaring("Timeout")
	if !ok {
		return
	}
	if problems := timeout.Validate(total, options...); len(problems) > 0 {
		c.problems("Timeout", site, problems)
		return
	}
	c.timeout = c.timeout.Merge(total, options...)
}

// Timeouts gives the effective bounds; 0 stands for none.
func (s *settings) Timeouts() timeout.Bounds { return s.timeout }

// bounded is ctx within a bound; the error is what ctx's cause will be.
func bounded(ctx context.Context, limit time.Duration, perAttempt bool) (context.Context, context.CancelFunc, *result.TimeoutError) {
	if limit <= 0 {
		return ctx, func() {}, nil
	}
	over := &result.TimeoutError{Limit: limit, PerAttempt: perAttempt}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, over)
	return ctx, cancel, over
}

// try calls Work once within its bound; total is the error of the bound of all
// attempts, nil without one.
func (e *execution) try(ctx context.Context, total *result.TimeoutError) error {
	ctx, stop, over := bounded(ctx, e.definition.timeout.Attempt, true)
	defer stop()
	err := e.work(ctx)
	if err == nil || ctx.Err() == nil || (total == nil && over == nil) {
		return err
	}
	return e.timed(err, context.Cause(ctx), total, over)
}

// timed makes a raised error one of a timeout when one of our own ended Work's
// ctx, and nobody else did. Signals and panics stay what they are.
func (e *execution) timed(err, ended error, total, attempt *result.TimeoutError) error {
	over, _ := ended.(*result.TimeoutError)
	if over == nil || (over != total && over != attempt) || run.SameValue(err, over) {
		return err
	}
	if _, panicked := err.(*result.PanicError); panicked || result.Read(err, &e.Run).Raised == nil {
		return err
	}
	return &result.TimeoutError{Limit: over.Limit, PerAttempt: over.PerAttempt, Err: err}
}

// timedOut tells that the bound of all attempts is what err is about already.
func timedOut(err error) bool {
	over, ok := err.(*result.TimeoutError)
	return ok && !over.PerAttempt
}
