// Package run owns what a guard must know of a run: the task, its inputs and
// context, and the small interfaces that guards, gates and resolvers share.
// It lies below results and features, so that each of them can stand alone.
package run

import (
	"context"
	"unsafe"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

// Task is a business operation: a struct that embeds Base and has Work.
type Task interface {
	// Work does the task's work. It returns nil, a signal, or an error.
	Work(context.Context) error
	executed() *Run
}

// Anchor ties a task value to its run. It is one pointer wide; Base embeds it.
type Anchor struct{ run *Run }

//lint:ignore U1000 it seals Task: every task type is promoted it
func (a Anchor) executed() *Run { return a.run }

// Tied returns the run that an anchor is tied to; nil before an execution. It
// is no method, since every task would have it.
func Tied(a Anchor) *Run { return a.run }

// Of returns the run of an executed task; nil for a template.
func Of(t Task) *Run {
	if t == nil {
		return nil
	}
	return t.executed()
}

// Type describes a task type as far as resolvers and guards need it. It is
// shared by all runs of the type and never changes.
type Type struct {
	// Name is the task's name in keys, texts and results.
	Name string
	// Kind is "Task" or "Workflow".
	Kind string
	// Tags are the type's tags.
	Tags []string
	// Ancestors holds the offset of every embedded struct by its type.
	Ancestors map[any]uintptr
	// Inputs maps the reading names and the callers' keys of the declared
	// inputs to indexes of Run.Values.
	Inputs map[string]int
}

// Run is one execution as its guards and user functions see it.
type Run struct {
	Task    Task
	Type    *Type
	Root    unsafe.Pointer // the executed struct, *T of Task
	Context *cmdxctx.Context
	Values  []any // resolved inputs; nil until they are resolved
}

// Tie makes the anchor, which lies inside the executed struct, lead to r.
func Tie(a *Anchor, r *Run) { a.run = r }

// Input returns the resolved input of that reading name or caller's key.
func (r *Run) Input(name string) (value any, declared bool) {
	i, ok := r.Type.Inputs[name]
	if !ok || i >= len(r.Values) {
		return nil, false
	}
	return r.Values[i], true
}
