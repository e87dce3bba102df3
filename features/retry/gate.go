package retry

import (
	"context"
	"reflect"

	"github.com/cmdx-go/cmdx/internal/run"
)

// ErrorGate is a gate that also wants the error and the number of the attempt
// that raised it, from 0. It fits the If and Unless of [Options] only.
type ErrorGate interface {
	run.Gate
	// AllowError is asked in the place of Allow, before any pause.
	AllowError(ctx context.Context, task run.Task, err error, attempt int) bool
}

type errorGate[T any] struct {
	allow func(t *T, err error, attempt int) bool
}

// WhenError makes an [ErrorGate] of a method expression of the task or of a
// struct that it embeds, or of a function like one. attempt is the number of
// the attempt that raised err, from 0.
func WhenError[T any](allow func(t *T, err error, attempt int) bool) run.Gate {
	return errorGate[T]{allow}
}

// Allow lets everything through: there is no error to ask about.
func (errorGate[T]) Allow(context.Context, run.Task) bool { return true }

// AllowError asks the function.
func (g errorGate[T]) AllowError(_ context.Context, task run.Task, err error, attempt int) bool {
	return g.allow(run.Ancestor[T](task), err, attempt)
}

// TaskType is the type that the function was written for.
func (errorGate[T]) TaskType() reflect.Type { return reflect.TypeFor[T]() }

func (g errorGate[T]) missing() bool { return g.allow == nil }

// IsErrorGate tells whether g can only be asked with an error at hand, so
// that features without one can refuse it.
func IsErrorGate(g run.Gate) bool {
	_, ok := g.(ErrorGate)
	return ok
}

// Allowed tells whether If and Unless let the retry after this attempt
// happen; a nil gate does not ask. It panics with what a gate panics with.
func (o Options) Allowed(ctx context.Context, task run.Task, err error, attempt int) bool {
	if o.If != nil && !allows(ctx, o.If, task, err, attempt) {
		return false
	}
	return o.Unless == nil || !allows(ctx, o.Unless, task, err, attempt)
}

func allows(ctx context.Context, g run.Gate, task run.Task, err error, attempt int) bool {
	if e, ok := g.(ErrorGate); ok {
		return e.AllowError(ctx, task, err, attempt)
	}
	return g.Allow(ctx, task)
}
