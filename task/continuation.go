package task

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
)

// wrapper is a middleware or an around callback.
type wrapper interface {
	// allowed asks its gates.
	allowed(ctx context.Context, task run.Task) bool
	call(ctx context.Context, task run.Task, next run.Next) error
	// misused is the error of a wrapper that used its continuation wrongly;
	// err is what it returned.
	misused(problem string, err error) error
	// mayHalt tells whether it may return an error without going on.
	mayHalt() bool
}

// Wrong uses of a continuation.
const (
	misuseNone      = "returned without calling its continuation"
	misuseTwice     = "called its continuation more than once"
	misuseLate      = "called its continuation after it had returned"
	misuseElsewhere = "called its continuation from another goroutine"
)

// continuation is the next of one wrapper in one execution.
type continuation struct {
	execution *execution
	wrapper   wrapper
	ctx       context.Context // what the wrapper was given
	inside    func(context.Context)
	goroutine uint64

	mu       sync.Mutex // a wrong use may come from anywhere
	called   bool
	over     bool
	misuse   string
	returned error // what the inside came to
}

// next goes on. A wrong use runs nothing and is answered with its error.
func (c *continuation) next(ctx context.Context) error {
	if misuse := c.begin(); misuse != "" {
		return c.wrapper.misused(misuse, nil)
	}
	c.inside(c.execution.carry(ctx, c.ctx))
	c.returned = c.execution.spoken()
	return c.returned
}

func (c *continuation) begin() (misuse string) {
	here := goroutineID()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.over:
		return misuseLate
	case here != c.goroutine:
		misuse = misuseElsewhere
	case c.called:
		misuse = misuseTwice
	default:
		c.called = true
		return ""
	}
	if c.misuse == "" {
		c.misuse = misuse
	}
	return misuse
}

// end makes whatever comes later too late.
func (c *continuation) end() (called bool, misuse string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	return c.called, c.misuse
}

// wrap calls a wrapper around the inside, and lets what it returns decide.
func (e *execution) wrap(ctx context.Context, w wrapper, inside func(context.Context)) {
	c := &continuation{execution: e, wrapper: w, ctx: ctx, inside: inside, goroutine: goroutineID()}
	allowed, err := e.asked(ctx, w)
	switch {
	case err != nil:
		e.decide(result.Raise(err))
		return
	case !allowed:
		inside(ctx)
		return
	}
	finished := false
	defer func() {
		if !finished { // runtime.Goexit, in here or further in
			c.end()
			e.change(result.Refuse(&result.GoexitError{}))
		}
	}()
	err, panicked := e.callWrapper(ctx, c)
	finished = true
	e.judge(c, err, panicked)
}

// asked asks a wrapper's gates; a gate that panics gives an error.
func (e *execution) asked(ctx context.Context, w wrapper) (allowed bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = result.Recovered(p, debug.Stack())
		}
	}()
	return w.allowed(ctx, e.Run.Task), nil
}

// callWrapper calls it; a panic becomes its error. Signals that it makes and
// does not return count for nothing.
func (e *execution) callWrapper(ctx context.Context, c *continuation) (err error, panicked bool) {
	before, finished := e.signal.Load(), false
	defer func() {
		if !finished {
			err, panicked = result.Recovered(recover(), debug.Stack()), true
		}
		e.signal.Store(before)
	}()
	err = c.wrapper.call(ctx, e.Run.Task, c.next)
	finished = true
	return err, false
}

// judge lets what a wrapper did and returned decide.
func (e *execution) judge(c *continuation, err error, panicked bool) {
	called, misuse := c.end()
	if !called && misuse == "" && !panicked && (err == nil || !c.wrapper.mayHalt()) {
		misuse = misuseNone
	}
	switch {
	case misuse != "" && panicked:
		e.change(result.Raise(errors.Join(err, c.wrapper.misused(misuse, nil))))
	case misuse != "":
		e.change(result.Refuse(c.wrapper.misused(misuse, c.own(err))))
	case !called:
		e.change(result.Read(err, &e.Run).Outcome())
	case !c.same(err):
		e.change(result.Read(err, &e.Run).Outcome())
	}
}

// own is what a wrapper returned of its own.
func (c *continuation) own(err error) error {
	if run.SameValue(err, c.returned) {
		return nil
	}
	return err
}

// same tells whether err is what the inside returned, or a wrapped signal that
// the inside returned.
func (c *continuation) same(err error) bool {
	if run.SameValue(err, c.returned) {
		return true
	}
	inner, ok := c.returned.(*result.Signal)
	return ok && result.Read(err, &c.execution.Run).Signal == inner
}

// spoken is what the run has come to, as those around it are told.
func (e *execution) spoken() error {
	draft := result.Draft(&e.result)
	if draft == nil {
		return nil
	}
	return result.Spoken(&e.Run, *draft)
}

// change gives the run another outcome from around its pipeline. A success
// that ends so, and a failure, are undone; a completed claim is taken back.
func (e *execution) change(o result.Outcome) {
	succeeded := e.succeeded()
	e.decide(o)
	if o.Status == result.StatusSuccess {
		return
	}
	if succeeded || o.Status == result.StatusFailed {
		e.undo()
	}
	e.takeBack()
}
