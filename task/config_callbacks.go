package task

import (
	"github.com/cmdx-go/cmdx/features/callbacks"
	"github.com/cmdx-go/cmdx/features/deprecation"
	"github.com/cmdx-go/cmdx/internal/run"
)

// BeforeExecution declares a callback that comes before everything else of a
// run but its middlewares. A signal that it returns halts the run, any other
// error fails it. Disabled drops all that are inherited, and the runtime's;
// so it does for every kind.
func (c *Config) BeforeExecution(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.BeforeExecution, callback, options)
}

// BeforeValidation declares a callback that comes before inputs are resolved,
// behind those of BeforeExecution; it may halt in the same way.
func (c *Config) BeforeValidation(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.BeforeValidation, callback, options)
}

// AroundExecution declares a callback that stands around the pipeline, from
// the inputs to the completion. It must call its continuation exactly once.
func (c *Config) AroundExecution(callback run.AroundCallback, options ...callbacks.Options) {
	site, ok := c.declaring("AroundExecution")
	if !ok {
		return
	}
	c.declareCallback(callbacks.AroundExecution, site, callback, callbacks.Entry{Around: callback}, options)
}

// AfterExecution declares a callback that comes when the outcome stands,
// whatever it is.
func (c *Config) AfterExecution(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.AfterExecution, callback, options)
}

// OnComplete declares a callback that comes after a success.
func (c *Config) OnComplete(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnComplete, callback, options)
}

// OnInterrupted declares a callback that comes after a skip or a failure.
func (c *Config) OnInterrupted(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnInterrupted, callback, options)
}

// OnSuccess declares a callback that comes after a success.
func (c *Config) OnSuccess(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnSuccess, callback, options)
}

// OnSkipped declares a callback that comes after a skip.
func (c *Config) OnSkipped(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnSkipped, callback, options)
}

// OnFailed declares a callback that comes after a failure.
func (c *Config) OnFailed(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnFailed, callback, options)
}

// OnOK declares a callback that comes after a success or a skip.
func (c *Config) OnOK(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnOK, callback, options)
}

// OnKO declares a callback that comes after a skip or a failure.
func (c *Config) OnKO(callback run.Callback, options ...callbacks.Options) {
	c.callback(callbacks.OnKO, callback, options)
}

// RemoveCallback drops a callback of a kind that the type inherits: one that
// is equal, or made of the same function. One that is not there is a
// definition error. All of a kind are dropped by declaring Disabled for it.
func (c *Config) RemoveCallback(kind callbacks.Kind, callback any) {
	site, ok := c.declaring("RemoveCallback")
	if !ok {
		return
	}
	without, removed := c.callbacks.Without(kind, callback)
	if !removed {
		c.mistake(mistakeNotThere(c.layer, "RemoveCallback", string(kind)+" callback", run.DeclaredName(callback), site))
		return
	}
	c.callbacks = without
}

func (c *Config) callback(kind callbacks.Kind, callback run.Callback, options []callbacks.Options) {
	site, ok := c.declaring(kind.Method())
	if !ok {
		return
	}
	c.declareCallback(kind, site, callback, callbacks.Entry{Callback: callback}, options)
}

func (c *Config) declareCallback(kind callbacks.Kind, site string, value any, entry callbacks.Entry, options []callbacks.Options) {
	what := kind.Method()
	if run.IsDisabled(value) {
		c.callbacks = c.callbacks.Off(kind)
		return
	}
	if problem := checkCallback(value); problem != nil {
		c.mistake(mistakeOption(c.layer, what, site, *problem))
		return
	}
	c.fits(what, site, value)
	for _, o := range options {
		c.gates(what, site, o.If, o.Unless)
		entry.Options = entry.Options.Merge(o)
	}
	c.callbacks = c.callbacks.With(kind, entry)
}

// checkCallback tells what is wrong with a callback as it was written; nil for
// nothing.
func checkCallback(value any) *run.Problem {
	if run.Missing(value) {
		return &run.Problem{Text: "there is no function to call", Fix: "Give it a method expression, such as cmdx.Call((*ChargeCustomer).SendReceipt)."}
	}
	if _, ok := value.(deprecation.Level); ok {
		return &run.Problem{Text: "a level of deprecation is no callback", Fix: "Declare it by c.Deprecate."}
	}
	return nil
}

// CallbacksOf gives the effective callbacks of a kind, in the order in which
// they are called: values of type Callback, or of type AroundCallback for
// around_execution. Those of the runtime are not among them.
func (s *settings) CallbacksOf(kind callbacks.Kind) []any {
	var list []any
	for _, entry := range s.callbacks.Of(kind) {
		list = append(list, entry.Value())
	}
	return list
}
