package inputs

import (
	"reflect"

	"github.com/cmdx-go/cmdx/internal/run"
)

// method is a method expression of a task, or of a struct that it embeds.
type method struct {
	of   reflect.Type
	call func(run.Task) any // nil for a method that was not given
}

func methodOf[T any](f func(*T) any) *method {
	m := &method{of: reflect.TypeFor[T]()}
	if f != nil {
		m.call = func(t run.Task) any { return f(run.Ancestor[T](t)) }
	}
	return m
}

// TaskType lets a definition refuse a method of another type.
func (m *method) TaskType() reflect.Type { return m.of }
