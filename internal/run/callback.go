package run

import (
	"context"
	"reflect"
	"unsafe"
)

// Next goes on with what lies inside of a middleware or an around callback,
// under ctx, and returns what came of it: nil, a signal, or the raised error.
// It must be called once, before the call that it was handed to returns, and
// from the same goroutine.
type Next = func(ctx context.Context) error

// Callback is called at one moment of an execution. Many executions may call
// it at once.
type Callback interface {
	// Do is given the executed task. What an error or a signal that it
	// returns means depends on the moment.
	Do(ctx context.Context, task Task) error
}

// AroundCallback stands around an execution's pipeline. Many executions may
// call it at once.
type AroundCallback interface {
	// Around must call next exactly once before it returns, on the goroutine
	// that called it, and usually returns what next returned.
	Around(ctx context.Context, task Task, next Next) error
}

// Middleware stands around a whole execution. Many executions may call it at
// once.
type Middleware interface {
	// Call either calls next, once and before it returns, on the goroutine
	// that called it, or halts by returning a signal of the task or an
	// error. It usually returns what next returned.
	Call(ctx context.Context, task Task, next Next) error
}

// CallMethod is a callback made of a method of the task or of an ancestor.
type CallMethod[T any] struct {
	Func func(*T, context.Context) error
}

// Do calls the method on the executed task.
func (c CallMethod[T]) Do(ctx context.Context, task Task) error {
	return c.Func(Ancestor[T](task), ctx)
}

// TaskType is the type of the method's receiver.
func (CallMethod[T]) TaskType() reflect.Type { return reflect.TypeFor[T]() }

func (c CallMethod[T]) missing() bool            { return c.Func == nil }
func (c CallMethod[T]) function() unsafe.Pointer { return identityOf(c.Func) }

// AroundMethod is an around callback made of a method of the task or of an
// ancestor.
type AroundMethod[T any] struct {
	Func func(*T, context.Context, Next) error
}

// Around calls the method on the executed task.
func (a AroundMethod[T]) Around(ctx context.Context, task Task, next Next) error {
	return a.Func(Ancestor[T](task), ctx, next)
}

// TaskType is the type of the method's receiver.
func (AroundMethod[T]) TaskType() reflect.Type { return reflect.TypeFor[T]() }

func (a AroundMethod[T]) missing() bool            { return a.Func == nil }
func (a AroundMethod[T]) function() unsafe.Pointer { return identityOf(a.Func) }

// MiddlewareFunc is a middleware made of a function.
type MiddlewareFunc struct {
	Func func(ctx context.Context, task Task, next Next) error
}

// Call calls the function.
func (m MiddlewareFunc) Call(ctx context.Context, task Task, next Next) error {
	return m.Func(ctx, task, next)
}

func (m MiddlewareFunc) missing() bool            { return m.Func == nil }
func (m MiddlewareFunc) function() unsafe.Pointer { return identityOf(m.Func) }

// Missing tells whether v is nil, or wraps a function that is.
func Missing(v any) bool {
	if v == nil {
		return true
	}
	f, ok := v.(interface{ missing() bool })
	return ok && f.missing()
}

// Do is never called: Disabled stands for no callback.
func (disabled) Do(context.Context, Task) error { return nil }

// Around only goes on.
func (disabled) Around(ctx context.Context, _ Task, next Next) error { return next(ctx) }

// Call only goes on.
func (disabled) Call(ctx context.Context, _ Task, next Next) error { return next(ctx) }
