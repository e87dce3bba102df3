package task

import (
	"context"
	"time"

	"github.com/cmdx-go/cmdx/features/middleware"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
)

// throughMiddlewares runs the execution's inside within the type's and the
// runtime's middlewares. A type that is declared wrongly runs nothing of them.
func (e *execution) throughMiddlewares() {
	own, global := e.definition.middlewares, e.runtime.middlewares
	if (own.Empty() && (global.Empty() || own.Alone())) || e.Root == nil {
		e.inside(&e.carrier)
		return
	}
	e.around()
	e.wrapInMiddlewares(&e.carrier, own.Around(global))
}

func (e *execution) wrapInMiddlewares(ctx context.Context, list []middleware.Entry) {
	if len(list) == 0 {
		e.surrounded.began = time.Now()
		e.inside(ctx)
		return
	}
	e.wrap(ctx, middlewareWrapper(list[0]), func(ctx context.Context) { e.wrapInMiddlewares(ctx, list[1:]) })
}

type middlewareWrapper middleware.Entry

func (w middlewareWrapper) allowed(ctx context.Context, task run.Task) bool {
	return middleware.Entry(w).Allowed(ctx, task)
}

func (w middlewareWrapper) call(ctx context.Context, task run.Task, next run.Next) error {
	return w.Middleware.Call(ctx, task, next)
}

func (w middlewareWrapper) misused(problem string, err error) error {
	return &result.MiddlewareError{Middleware: middleware.Entry(w).Name(), Problem: problem, Err: err}
}

func (middlewareWrapper) mayHalt() bool { return true }

// Use declares a middleware around every execution of the type and its
// descendants: inside of those that are declared already, unless its options
// say otherwise. Disabled drops all that are inherited, and the runtime's.
func (c *Config) Use(m run.Middleware, options ...middleware.Options) {
	site, ok := c.declaring("Use")
	if !ok {
		return
	}
	if run.IsDisabled(m) {
		c.middlewares = c.middlewares.Off()
		return
	}
	if run.Missing(m) {
		c.mistake(mistakeOption(c.layer, "Use", site, missingMiddleware))
		return
	}
	c.fits("Use", site, m)
	entry := middleware.Entry{Middleware: m}
	for _, o := range options {
		c.problems("Use", site, o.Validate())
		c.gates("Use", site, o.If, o.Unless)
		entry.Options = entry.Options.Merge(o)
	}
	c.middlewares = c.middlewares.With(entry)
}

// RemoveMiddleware drops a middleware that the type inherits: one that is
// equal, or made of the same function. One that is not there is a definition
// error.
func (c *Config) RemoveMiddleware(m run.Middleware) {
	site, ok := c.declaring("RemoveMiddleware")
	if !ok {
		return
	}
	without, removed := c.middlewares.Without(m)
	if !removed {
		c.mistake(mistakeNotThere(c.layer, "RemoveMiddleware", "middleware", run.DeclaredName(m), site))
		return
	}
	c.middlewares = without
}

// Middlewares gives the effective middlewares of the type, from outside to
// inside; those of the runtime are not among them.
func (s *settings) Middlewares() []run.Middleware {
	var list []run.Middleware
	for _, entry := range s.middlewares.Around(middleware.List{}) {
		list = append(list, entry.Middleware)
	}
	return list
}

var missingMiddleware = run.Problem{Text: "there is no middleware to call", Fix: "Give it a value with a Call method, or MiddlewareFunc with a function."}
