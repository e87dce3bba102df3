package inputs

import (
	"context"
	"maps"
	"unsafe"
)

// Source is where callers' values are found, such as the task's Context.
type Source interface {
	// Get returns the value under key; ok is false when there is none.
	Get(key string) (value any, ok bool)
}

// Reporter takes the messages about inputs that are wrong.
type Reporter interface {
	// Add keeps a message under the input's name.
	Add(key, message string)
}

// Plan resolves the inputs of one task type. It never changes and serves any
// number of runs at once.
type Plan struct {
	inputs []input
	names  map[string]int
}

// Names maps every input's name to its index in what [Plan.Resolve] returns.
// The map is the caller's own.
func (p *Plan) Names() map[string]int { return maps.Clone(p.names) }

// Len is the number of inputs.
func (p *Plan) Len() int { return len(p.inputs) }

// Resolve finds, coerces and checks every input in order, and binds it to its
// field in the struct at root, which is of the type that the plan was compiled
// for. It returns the values by index, nil for what is not given or wrong. The
// run must fail when anything was reported. A nil src has nothing; root is not
// used by a plan without bound fields.
//
// Maps and slices that are bound, presets and defaults are copies, so that
// neither the template's nor the caller's can be written to through a field.
// What a default function or a coercion of the application panics with is not
// caught.
func (p *Plan) Resolve(ctx context.Context, src Source, root unsafe.Pointer, rep Reporter) []any {
	values := make([]any, len(p.inputs))
	for i := range p.inputs {
		values[i] = p.inputs[i].resolve(ctx, src, root, rep)
	}
	return values
}
