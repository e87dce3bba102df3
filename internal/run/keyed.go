package run

import (
	"context"
	"maps"
	"sync/atomic"
	"time"

	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Keyed is what all guards with a key have in common: how the key is made,
// and how its fate is told. A guard holds one by pointer or in itself; it
// must not be copied once it is in use.
type Keyed struct {
	// KeyName is the name of the full store key in metadata, events and logs.
	KeyName string
	// Namespace is the key's first part. Scope is the second; the task's
	// name where it is "".
	Namespace, Scope string
	// Resolver gives the last part.
	Resolver   KeyResolver
	If, Unless Gate

	// literal keeps the key of a resolver that always gives the same.
	literal atomic.Pointer[string]
}

// Key asks the gates, then the resolver. asked is false when the gates keep
// the guard out of the run; the key is "" when it is blank.
func (k *Keyed) Key(ctx context.Context, s Scope) (key string, asked bool, err error) {
	if !Allowed(ctx, s.Subject(), k.If, k.Unless) {
		return "", false, nil
	}
	if key, known := k.Known(); known {
		return key, true, nil
	}
	segment, err := Segment(ctx, s, k.Resolver)
	if err != nil || segment == "" {
		return "", true, err
	}
	key, err = k.Compose(s, segment)
	return key, true, err
}

// Known gives the key of a resolver that always gives the same, once it has
// been made.
func (k *Keyed) Known() (key string, known bool) {
	if key := k.literal.Load(); key != nil {
		return *key, true
	}
	return "", false
}

// Segment asks a resolver; "" is blank. A segment that is the value of a
// sensitive input, or holds one, is refused by a [*SensitiveKeyError].
func Segment(ctx context.Context, s Scope, resolver KeyResolver) (string, error) {
	value, err := resolver.Key(ctx, s.Subject())
	if err != nil {
		return "", err
	}
	segment, err := stores.Segment(value)
	if err == nil && exposes(s.Subject(), resolver, segment) {
		return "", &SensitiveKeyError{Task: s.TaskName()}
	}
	return segment, err
}

// Compose makes the store key of a segment.
func (k *Keyed) Compose(s Scope, segment string) (string, error) {
	owner := k.Scope
	if owner == "" {
		owner = s.TaskName()
	}
	key, err := stores.Compose(k.Namespace, owner, segment)
	if _, same := k.Resolver.(Literal); same && err == nil {
		kept := key // its address escapes, and only here
		k.literal.Store(&kept)
	}
	return key, err
}

// Nothing is built for an event that nobody reads.

// Tell sends an event that holds nothing but the key.
func (k *Keyed) Tell(s Scope, name telemetry.EventName, key string) {
	if s.Wants(name) {
		s.Emit(name, map[string]any{k.KeyName: key})
	}
}

// TellError sends an event that holds the key and an error.
func (k *Keyed) TellError(s Scope, name telemetry.EventName, key string, err error) {
	if s.Wants(name) {
		s.Emit(name, map[string]any{k.KeyName: key, "error": err})
	}
}

// TellRefusal sends what the result's metadata will hold.
func (k *Keyed) TellRefusal(s Scope, name telemetry.EventName, metadata map[string]any) {
	if s.Wants(name) {
		s.Emit(name, maps.Clone(metadata))
	}
}

// Refused makes the metadata of a refusal; retryAfter counts when it is
// known.
func (k *Keyed) Refused(code, key string, retryAfter time.Duration) map[string]any {
	metadata := map[string]any{"code": code, k.KeyName: key}
	if retryAfter > 0 {
		metadata["retry_after"] = retryAfter
	}
	return metadata
}

// Warn logs what happened to a key; err may be nil.
func (k *Keyed) Warn(s Scope, message, key string, err error) {
	logger := s.Log()
	switch {
	case logger == nil:
	case err != nil:
		logger.Warn(message, "task", s.TaskName(), k.KeyName, key, "error", err)
	default:
		logger.Warn(message, "task", s.TaskName(), k.KeyName, key)
	}
}
