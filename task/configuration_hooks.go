package task

import (
	"github.com/cmdx-go/cmdx/features/callbacks"
	"github.com/cmdx-go/cmdx/features/middleware"
	"github.com/cmdx-go/cmdx/features/retry"
	"github.com/cmdx-go/cmdx/internal/run"
)

// hooks are the middlewares and callbacks of a configuration.
type hooks struct {
	callbacks   callbacks.Set
	middlewares middleware.List
	// mistake lets every execution of the runtime fail: a hook that is not
	// there must not go unnoticed.
	mistake *DefinitionError
}

// Use adds a middleware around every execution of the runtime, inside of those
// that were added before, unless its options say otherwise. One that is nil
// lets every execution fail with a [*DefinitionError].
func (c *Configuration) Use(m run.Middleware, options ...middleware.Options) {
	if run.Missing(m) {
		c.wrong("Use", missingMiddleware)
		return
	}
	if run.IsDisabled(m) {
		c.hooks.middlewares = middleware.List{}
		return
	}
	entry := middleware.Entry{Middleware: m}
	for _, o := range options {
		for _, problem := range o.Validate() {
			c.wrong("Use", problem)
		}
		c.checkGates("Use", o.If, o.Unless)
		entry.Options = entry.Options.Merge(o)
	}
	c.hooks.middlewares = c.hooks.middlewares.With(entry)
}

// BeforeExecution adds a callback to every execution of the runtime, called
// before those of its type; so do the other methods, each for its kind. A
// callback made of a function of cmdx.Base fits every task. One that is nil
// lets every execution fail with a [*DefinitionError].
func (c *Configuration) BeforeExecution(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.BeforeExecution, callback, options)
}

// BeforeValidation adds a callback that comes before inputs are resolved.
func (c *Configuration) BeforeValidation(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.BeforeValidation, callback, options)
}

// AroundExecution adds a callback that stands around the pipeline.
func (c *Configuration) AroundExecution(callback run.AroundCallback, options ...callbacks.Options) {
	c.add(callbacks.AroundExecution, callback, callbacks.Entry{Around: callback}, options)
}

// AfterExecution adds a callback that comes when the outcome stands.
func (c *Configuration) AfterExecution(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.AfterExecution, callback, options)
}

// OnComplete adds a callback that comes after a success.
func (c *Configuration) OnComplete(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnComplete, callback, options)
}

// OnInterrupted adds a callback that comes after a skip or a failure.
func (c *Configuration) OnInterrupted(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnInterrupted, callback, options)
}

// OnSuccess adds a callback that comes after a success.
func (c *Configuration) OnSuccess(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnSuccess, callback, options)
}

// OnSkipped adds a callback that comes after a skip.
func (c *Configuration) OnSkipped(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnSkipped, callback, options)
}

// OnFailed adds a callback that comes after a failure.
func (c *Configuration) OnFailed(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnFailed, callback, options)
}

// OnOK adds a callback that comes after a success or a skip.
func (c *Configuration) OnOK(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnOK, callback, options)
}

// OnKO adds a callback that comes after a skip or a failure.
func (c *Configuration) OnKO(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnKO, callback, options)
}

func (c *Configuration) callback(kind callbacks.Kind, callback run.Callback, options []callbacks.Options) {
	c.add(kind, callback, callbacks.Entry{Callback: callback}, options)
}

func (c *Configuration) add(kind callbacks.Kind, value any, entry callbacks.Entry, options []callbacks.Options) {
	if run.IsDisabled(value) {
		c.hooks.callbacks = c.hooks.callbacks.Off(kind)
		return
	}
	if problem := checkCallback(value); problem != nil {
		c.wrong(kind.Method(), *problem)
		return
	}
	for _, o := range options {
		c.checkGates(kind.Method(), o.If, o.Unless)
		entry.Options = entry.Options.Merge(o)
	}
	c.hooks.callbacks = c.hooks.callbacks.With(kind, entry)
}

func (c *Configuration) checkGates(what string, gates ...run.Gate) {
	for _, gate := range gates {
		if problem := run.CheckGate(gate); problem != nil {
			c.wrong(what, *problem)
		}
		if retry.IsErrorGate(gate) {
			c.wrong(what, run.Problem{Text: "it was given a WhenError gate, but there is no error to ask about", Fix: "Use cmdx.When here."})
		}
	}
}

func (c *Configuration) wrong(what string, p run.Problem) {
	if c.hooks.mistake == nil {
		c.hooks.mistake = &DefinitionError{
			Task: "cmdx.Configuration", Anchor: "a-wrong-option",
			Problem: what + ": " + p.Text, Fix: p.Fix,
		}
	}
}
