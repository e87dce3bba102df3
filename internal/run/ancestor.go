package run

import (
	"fmt"
	"reflect"
	"unsafe"
)

// MismatchError says that a function written for one type was declared on a
// task that neither is that type nor embeds it.
type MismatchError struct{ Want, Task string }

// Error names both types.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("a function of *%s was declared on task %s, which neither is nor embeds it: declare it on a type that embeds %[1]s", e.Want, e.Task)
}

// Ancestor returns the part of an executed task that is a T: the task itself
// or a struct that it embeds by value. It panics with a [*MismatchError] when
// there is none; definitions refuse such functions beforehand.
func Ancestor[T any](task Task) *T {
	if t, ok := any(task).(*T); ok {
		return t
	}
	r := Of(task)
	want := reflect.TypeFor[T]()
	if r != nil {
		if offset, ok := r.Type.Ancestors[want]; ok {
			return (*T)(unsafe.Add(r.Root, offset))
		}
	}
	panic(&MismatchError{Want: want.String(), Task: fmt.Sprintf("%T", task)})
}

// ForType is what functions of a task type are made into: it tells the type
// they were written for, so that a definition can refuse the wrong ones.
type ForType interface{ TaskType() reflect.Type }

// TaskType is the type of the method's receiver.
func (WhenGate[T]) TaskType() reflect.Type { return reflect.TypeFor[T]() }
