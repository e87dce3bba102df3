package task

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/cmdx-go/cmdx/features/idempotency"
	"github.com/cmdx-go/cmdx/features/retry"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/outputs"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Config is what a type's Configure declares on. A Configure describes the
// type, not one execution: it runs once per type, on a nil receiver, and adds
// one layer over what the type inherits. The getters give the effective
// values so far. A Config is of no use after its Configure has returned.
type Config struct {
	settings
	lineage  *lineage
	layer    reflect.Type
	function string

	mu       sync.Mutex // for what another goroutine may come by
	closed   bool
	mistakes []*DefinitionError
}

// close ends the declaring and returns what was wrong.
func (c *Config) close() []*DefinitionError {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	return c.mistakes
}

func (c *Config) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// declaring begins every declaration: it finds the caller and refuses the
// call of another layer's Configure. It tells whether to go on.
func (c *Config) declaring(what string) (site string, ok bool) {
	if c.lineage == nil || c.isClosed() {
		return "", false
	}
	site, configures, inside := declarationSite()
	if !inside {
		c.mistake(mistakeStray(c.layer, what, site))
		return site, false
	}
	own := 0
	for _, function := range configures {
		if function == c.function {
			own++ // twice: another type of the same generic one, or itself again
		}
		if other, ok := c.lineage.functions[function]; ok && (function != c.function || own > 1) {
			c.mistake(mistakeCallsConfigure(c.layer, other, site))
			return site, false
		}
	}
	return site, true
}

func (c *Config) mistake(m *DefinitionError) {
	known := func(e *DefinitionError) bool {
		return e.Where == m.Where && e.Anchor == m.Anchor && e.Problem == m.Problem
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed && !slices.ContainsFunc(c.mistakes, known) {
		c.mistakes = append(c.mistakes, m)
	}
}

func (c *Config) problems(what, site string, problems []run.Problem) {
	for _, p := range problems {
		c.mistake(mistakeOption(c.layer, what, site, p))
	}
}

// fits refuses functions that were written for a type that the task is not.
func (c *Config) fits(what, site string, values ...any) {
	for _, v := range values {
		f, ok := v.(run.ForType)
		if !ok {
			continue
		}
		if _, known := c.lineage.ancestors[f.TaskType()]; f.TaskType() != nil && !known {
			c.mistake(mistakeForeignFunction(c.layer, what, site, f.TaskType()))
		}
	}
}

// gates are held to their type; one that asks about an error fits RetryOn only.
func (c *Config) gates(what, site string, gates ...run.Gate) {
	for _, gate := range gates {
		c.gate(what, site, gate)
		if retry.IsErrorGate(gate) {
			c.mistake(mistakeErrorGate(c.layer, what, site))
		}
	}
}

func (c *Config) gate(what, site string, gate run.Gate) {
	c.fits(what, site, gate)
	if problem := run.CheckGate(gate); problem != nil {
		c.problems(what, site, []run.Problem{*problem})
	}
}

// Name sets the task's name in keys, results and texts. It is not inherited;
// by default it is the type's name, such as Import[User].
func (c *Config) Name(name string) {
	site, ok := c.declaring("Name")
	if !ok {
		return
	}
	if strings.TrimSpace(name) == "" {
		c.mistake(mistakeBlankName(c.layer, site))
		return
	}
	c.name = name
}

// Required declares an input whose key must be present.
func (c *Config) Required(name string, options ...inputs.Option) {
	if site, ok := c.declaring("Required"); ok {
		c.input(inputs.Required(name, options...), "Required", name, site)
	}
}

// Optional declares an input that may be absent.
func (c *Config) Optional(name string, options ...inputs.Option) {
	if site, ok := c.declaring("Optional"); ok {
		c.input(inputs.Optional(name, options...), "Optional", name, site)
	}
}

func (c *Config) input(d inputs.Declaration, what, name, site string) {
	if name == "" {
		c.mistake(mistakeOption(c.layer, what, site, run.Problem{
			Text: "the input has no name", Fix: `Give it the key that callers pass, such as c.` + what + `("payment_id").`,
		}))
		return
	}
	c.functions(what, site, d.Functions())
	c.inputs = c.inputs.With(d)
	c.withSite("input "+name, site)
}

// functions are the gates and methods of a declaration, held to their types.
func (c *Config) functions(what, site string, list []any) {
	for _, f := range list {
		if gate, ok := f.(run.Gate); ok {
			c.gates(what, site, gate)
		} else {
			c.fits(what, site, f)
		}
	}
}

// RemoveInput drops inputs that the type inherits, by the keys that callers
// pass; what a tag declares in an embedded struct can be removed too, and its
// field is left alone. An input that is not there is a definition error.
func (c *Config) RemoveInput(names ...string) {
	site, ok := c.declaring("RemoveInput")
	if !ok {
		return
	}
	for _, name := range names {
		without, removed := c.inputs.Without(name, c.lineage.typ)
		if !removed {
			c.mistake(mistakeNotThere(c.layer, "RemoveInput", "input", name, site))
			continue
		}
		c.inputs = without
	}
}

// RemoveOutput drops outputs that the type inherits. One that is not there is
// a definition error.
func (c *Config) RemoveOutput(names ...string) {
	site, ok := c.declaring("RemoveOutput")
	if !ok {
		return
	}
	for _, name := range names {
		without, removed := c.outputs.Without(name)
		if !removed {
			c.mistake(mistakeNotThere(c.layer, "RemoveOutput", "output", name, site))
			continue
		}
		c.outputs = without
	}
}

// Output declares a value that Work must leave in the context.
func (c *Config) Output(name string, options ...outputs.Option) {
	site, ok := c.declaring("Output")
	if !ok {
		return
	}
	if name == "" {
		c.mistake(mistakeOption(c.layer, "Output", site, run.Problem{
			Text: "the output has no name", Fix: `Give it its key in the context, such as c.Output("receipt").`,
		}))
		return
	}
	d := outputs.New(name, options...)
	c.functions("Output", site, d.Functions())
	c.problems("Output", site, d.Check())
	c.outputs = c.outputs.With(d)
}

// RetryOn lets raised errors that match be tried again. Matchers append to
// the inherited ones, options merge over them; a nil matcher only merges
// options, Disabled turns retries off.
func (c *Config) RetryOn(match run.ErrorMatcher, options ...retry.Options) {
	site, ok := c.declaring("RetryOn")
	if !ok {
		return
	}
	if problem := retry.CheckMatcher(match); problem != nil {
		c.problems("RetryOn", site, []run.Problem{*problem})
		return
	}
	for _, o := range options {
		c.problems("RetryOn", site, o.Validate())
		c.gate("RetryOn", site, o.If)
		c.gate("RetryOn", site, o.Unless)
	}
	c.retry = c.retry.With(match, options...)
	c.withSite("RetryOn", site)
}

// IdempotentBy lets the task run at most once per key. A resolver replaces
// the inherited one, nil keeps it, Disabled turns idempotency off; options
// merge over the inherited ones. A blank key (missing, nil, "") means that
// the run goes on without a claim.
func (c *Config) IdempotentBy(key run.KeyResolver, options ...idempotency.Options) {
	site, ok := c.declaring("IdempotentBy")
	if !ok || !c.guardKey("IdempotentBy", site, key) {
		return
	}
	for _, o := range options {
		c.problems("IdempotentBy", site, o.Validate())
		c.gates("IdempotentBy", site, o.If, o.Unless)
	}
	c.idempotency = c.idempotency.With(key, options...)
	c.withSite("IdempotentBy", site)
}

// Subscribe calls f for every event of that name from runs of this type and
// its descendants, on whatever runtime.
func (c *Config) Subscribe(name telemetry.EventName, f func(telemetry.Event)) {
	site, ok := c.declaring("Subscribe")
	if !ok {
		return
	}
	if f == nil || !slices.Contains(telemetry.Names(), name) {
		c.mistake(mistakeOption(c.layer, "Subscribe", site, run.Problem{
			Text: "there is no such event, or no function to call", Fix: "Use one of the Event constants and a function.",
		}))
		return
	}
	c.withSubscriber(name, f)
}
