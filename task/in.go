package task

import (
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/internal/halt"
	"github.com/cmdx-go/cmdx/internal/run"
)

// In returns a declared input, else the context's value of that name, as a T.
// Numbers are converted exactly. A value that cannot be a T stops the run
// with a raised [*inputs.ConversionError]; a missing one stops it in a strict
// context and is a zero T otherwise. It stops a run by panicking, as MustGet
// does, so call it from the goroutine that runs Work.
func In[T any](t run.Task, name string) T {
	var none T
	r := run.Of(t)
	if r == nil {
		return none
	}
	value, declared := r.Input(name)
	if !declared {
		value = r.Context.MustGet(name)
	}
	if value == nil {
		return none
	}
	converted, err := inputs.Convert[T](value)
	if err != nil {
		panic(halt.Stop{Err: err})
	}
	return converted
}
