package task

import (
	"fmt"
	"reflect"
	"unsafe"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/run"
)

type sharedContext = cmdxctx.Context

// copyTemplate makes the execution's own shallow copy of a template, a value
// or a pointer, and ties it to the run.
func copyTemplate(d *Definition, template run.Task, r *run.Run) {
	v := reflect.ValueOf(template)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	copied := reflect.New(d.structType)
	copied.Elem().Set(v)
	r.Root = copied.UnsafePointer()
	r.Task = copied.Interface().(run.Task)
	run.Tie((*run.Anchor)(unsafe.Add(r.Root, d.base)), r)
}

// contextOfTask is the context of an executed task, to share.
func contextOfTask(t run.Task) (map[string]any, *sharedContext, error) {
	if v := reflect.ValueOf(t); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, nil, nil
	}
	r := runOf(t)
	if r == nil {
		return nil, nil, &UnexecutedError{Task: fmt.Sprintf("%T", t)}
	}
	return nil, r.Context, nil
}

// runOf is run.Of for values of types that may be declared wrongly: one that
// embeds a nil pointer has no run.
func runOf(t run.Task) (r *run.Run) {
	defer func() {
		if recover() != nil {
			r = nil
		}
	}()
	return run.Of(t)
}

// UnexecutedError says that a task was given as arguments that has not been
// executed and so has no context to share.
type UnexecutedError struct{ Task string }

// Error names the type.
func (e *UnexecutedError) Error() string {
	return fmt.Sprintf("%s was passed as arguments but has not been executed: pass the executed task (result.Task()), its result, or plain arguments", e.Task)
}

// argsValues hands everything else to the context package.
func argsValues(args any) (map[string]any, *sharedContext, error) { return cmdxctx.Values(args) }
