package inputs

import (
	"context"
	"maps"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/run"
)

// Source is where callers' values are found, such as the task's Context.
type Source interface {
	// Get returns the value under key; ok is false when there is none.
	Get(key string) (value any, ok bool)
}

// Reporter takes the messages about inputs that are wrong.
type Reporter interface {
	// Add keeps a message under the input's reading name.
	Add(key, message string)
}

// Plan resolves the inputs of one task type. It never changes and serves any
// number of runs at once.
type Plan struct {
	inputs []*input // all that have a value, by index
	roots  []*input // those that are no children
	names  map[string]int
	hidden *cmdxctx.Hidden
}

// Hidden tells which of the caller's values must not be shown, because inputs
// are sensitive; nil when none are.
func (p *Plan) Hidden() *cmdxctx.Hidden { return p.hidden }

// Sensitive tells whether the input of that reading name or key is sensitive.
func (p *Plan) Sensitive(name string) bool {
	at, ok := p.names[name]
	return ok && p.inputs[at].sensitive
}

// hides is what the input hides in what the caller passed.
func (in *input) hides() *cmdxctx.Hidden {
	if in.source != nil || in.sourceIndex >= 0 {
		return nil
	}
	if in.sensitive {
		return cmdxctx.HideKey(in.key, cmdxctx.HideAll())
	}
	var below *cmdxctx.Hidden
	for _, child := range in.children {
		below = below.And(child.hides())
	}
	if in.each {
		below = cmdxctx.HideEach(below)
	}
	return cmdxctx.HideKey(in.key, below)
}

// Names maps the reading names of inputs, and the keys that callers pass, those
// of nested ones with the way to them ("address.zip"), to indexes of what [Plan.Resolve] returns. The map is the caller's own.
func (p *Plan) Names() map[string]int { return maps.Clone(p.names) }

// Len is the number of inputs, nested ones included.
func (p *Plan) Len() int { return len(p.inputs) }

// Resolve takes every input in order through its steps and binds it to its
// field in the struct at r.Root, which is of the type that the plan was
// compiled for. It returns the values by index, nil for what is not given or
// wrong; they are r.Values too from the beginning, so that gates and methods
// of r.Task see what was resolved before. The run must fail when anything was
// reported. A nil src has nothing; r.Root is not used by a plan without bound
// fields, r.Task by one without gates and methods.
//
// Maps and slices that are bound, presets and defaults are copies, so that
// neither the template's nor the caller's can be written to through a field.
// What a function of the application panics with is not caught.
func (p *Plan) Resolve(ctx context.Context, r *run.Run, src Source, rep Reporter) []any {
	r.Values = make([]any, len(p.inputs))
	w := walk{ctx: ctx, run: r, src: src, rep: rep}
	for _, in := range p.roots {
		r.Values[in.index] = in.resolve(&w)
	}
	return r.Values
}
