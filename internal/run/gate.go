package run

import "context"

// Gate decides per run whether something declared applies.
type Gate interface {
	Allow(ctx context.Context, task Task) bool
}

type fixedGate bool

func (g fixedGate) Allow(context.Context, Task) bool { return bool(g) }

// The gates that ask nothing.
const (
	Always fixedGate = true
	Never  fixedGate = false
)

// WhenGate is a gate made of a method of the task or of an ancestor.
type WhenGate[T any] struct{ Func func(*T) bool }

// Allow calls the method on the executed task.
func (g WhenGate[T]) Allow(_ context.Context, task Task) bool { return g.Func(Ancestor[T](task)) }

// Allowed tells whether both gates let a run through; a nil gate does not ask.
func Allowed(ctx context.Context, task Task, ifGate, unless Gate) bool {
	if ifGate != nil && !ifGate.Allow(ctx, task) {
		return false
	}
	return unless == nil || !unless.Allow(ctx, task)
}

// ErrorMatcher picks errors.
type ErrorMatcher interface {
	Match(err error) bool
}

func (g WhenGate[T]) missing() bool { return g.Func == nil }

// CheckGate tells what is wrong with a gate as it was written; nil for
// nothing.
func CheckGate(g Gate) *Problem {
	if when, ok := g.(interface{ missing() bool }); ok && when.missing() {
		return &Problem{Text: "the gate's function is nil", Fix: "Give When a method expression, such as When((*ChargeCustomer).Live)."}
	}
	return nil
}
