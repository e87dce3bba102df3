package outputs

import (
	"context"
	"reflect"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
)

// mustBeSet is the message for an output that is not there.
var mustBeSet = messages.Of(messages.KeyOutputMissing)

// Bag is where a task leaves its outputs: its Context.
type Bag interface {
	// Get returns the value under key; ok is false when there is none.
	Get(key string) (value any, ok bool)
	// Set puts value under key.
	Set(key string, value any)
}

// Reporter takes the messages about outputs that are missing.
type Reporter interface {
	// Add keeps a message under the output's name.
	Add(key, message string)
}

// Verify holds the bag against every declaration in order: what its gates
// leave out is not asked for; a missing or nil value is replaced by the
// default; what then is still missing is reported. A nil pointer, map or slice
// counts as nil. What a gate or a default function panics with is not caught.
func (s Set) Verify(ctx context.Context, task run.Task, bag Bag, rep Reporter) {
	for i := range s.list {
		s.list[i].verify(ctx, task, bag, rep)
	}
}

func (d *Declaration) verify(ctx context.Context, task run.Task, bag Bag, rep Reporter) {
	if !run.Allowed(ctx, task, d.ifGate, d.unless) {
		return
	}
	if v, _ := bag.Get(d.name); !isNil(v) {
		return
	}
	if v := d.standIn(task); !isNil(v) {
		copied, _ := cmdxctx.New(map[string]any{d.name: v}).Clone().Get(d.name)
		bag.Set(d.name, copied)
		return
	}
	rep.Add(d.name, mustBeSet.For(ctx))
}

// standIn is the default; nil for none.
func (d *Declaration) standIn(task run.Task) any {
	switch {
	case d.fallbackOf != nil:
		return d.fallbackOf.call(task)
	case d.fallback != nil:
		return d.fallback()
	}
	return nil
}

func isNil(v any) bool {
	switch value := reflect.ValueOf(v); value.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return value.IsNil()
	}
	return false
}
