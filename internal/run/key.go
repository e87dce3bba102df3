package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"reflect"

	"github.com/cmdx-go/cmdx/stores"
)

// KeyResolver gives a guard its key's last segment.
type KeyResolver interface {
	Key(ctx context.Context, task Task) (any, error)
}

// FromContext reads the resolved input of its name, else the context's value.
type FromContext string

// Key looks in the inputs first: what the input became counts, not what the
// caller passed.
func (f FromContext) Key(_ context.Context, task Task) (any, error) {
	r := Of(task)
	if r == nil {
		return nil, nil
	}
	if v, ok := r.Input(string(f)); ok {
		return v, nil
	}
	v, _ := r.Context.Get(string(f))
	return v, nil
}

// Literal is the segment itself.
type Literal string

// Key returns the literal.
func (l Literal) Key(context.Context, Task) (any, error) { return string(l), nil }

// PerTask is the segment of what counts for the whole task type.
const PerTask Literal = "all"

// KeyMethod is a resolver made of a method of the task or of an ancestor.
type KeyMethod[T any] struct{ Func func(*T) string }

// Key calls the method on the executed task.
func (k KeyMethod[T]) Key(_ context.Context, task Task) (any, error) {
	return k.Func(Ancestor[T](task)), nil
}

// TaskType is the type of the method's receiver.
func (KeyMethod[T]) TaskType() reflect.Type { return reflect.TypeFor[T]() }

// Hashed gives the SHA-256 of another resolver's segment.
type Hashed struct{ Resolver KeyResolver }

// Key hashes a segment; a blank one stays blank.
func (h Hashed) Key(ctx context.Context, task Task) (any, error) {
	v, err := h.Resolver.Key(ctx, task)
	if err != nil {
		return nil, err
	}
	segment, err := stores.Segment(v)
	if err != nil || segment == "" {
		return nil, err
	}
	sum := sha256.Sum256([]byte(segment))
	return hex.EncodeToString(sum[:]), nil
}

// CheckResolver tells what is wrong with a resolver as it was written; nil
// for nothing.
func CheckResolver(k KeyResolver) *Problem {
	switch r := k.(type) {
	case Literal:
		if r == "" {
			return &Problem{Text: `Literal("") would be blank in every run`, Fix: `Write the segment itself, such as Literal("nightly").`}
		}
	case FromContext:
		if r == "" {
			return &Problem{Text: `FromContext("") names no value`, Fix: `Name the input, such as FromContext("payment_id").`}
		}
	case Hashed:
		if r.Resolver == nil || IsDisabled(r.Resolver) {
			return &Problem{Text: "Hashed has no resolver to hash", Fix: `Give it one, such as Hashed(FromContext("email")).`}
		}
		return CheckResolver(r.Resolver)
	case interface{ missing() bool }:
		if r.missing() {
			return &Problem{Text: "the key function is nil", Fix: "Give KeyFunc a method expression, such as KeyFunc((*ChargeCustomer).Key)."}
		}
	}
	return nil
}

func (k KeyMethod[T]) missing() bool { return k.Func == nil }

// TaskType is that of the hashed resolver, so that a function inside it is
// held to its type too; nil for any type.
func (h Hashed) TaskType() reflect.Type {
	if f, ok := h.Resolver.(ForType); ok {
		return f.TaskType()
	}
	return nil
}
