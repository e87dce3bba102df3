// Package stores keeps what executions must share: claims, and whatever else
// a guard has to remember between calls and between processes.
//
// [Memory] serves one process, [Redis] all that reach one server. A store of one's own implements [Store] for
// the four plain verbs and [Guards] for everything that guards do in one
// atomic step.
package stores

import (
	"context"
	"time"
)

// Store is the least that a store can do: four verbs on single keys.
//
// Every method is atomic, may be called from any number of goroutines, ends
// with ctx (its error then wraps ctx's cause), and treats an expired key as
// absent. A call that returned an error may or may not have been executed.
type Store interface {
	// Get returns the value under key; found is false when there is none.
	Get(ctx context.Context, key string) (value string, found bool, err error)

	// Set writes value under key and drops whoever owned the key before.
	// stored is false when NX or XX forbade it; nothing is changed then.
	Set(ctx context.Context, key, value string, o SetOptions) (stored bool, err error)

	// Incr adds one to the number under key and returns the sum. The first
	// call creates the key with ttl; later ones leave its end where it is.
	// A value that is no number in plain digits, or the largest int64, gives
	// a [*NumberError] and stays as it was; a ttl that is not positive gives
	// a [*TTLError], also when the key is there.
	Incr(ctx context.Context, key string, ttl time.Duration) (int64, error)

	// Delete removes key, whoever owns it; deleted is false when there was none.
	Delete(ctx context.Context, key string) (deleted bool, err error)
}

// SetOptions are the conditions and the lifetime of a [Store.Set].
type SetOptions struct {
	// TTL is how long the value lives, rounded up to whole milliseconds. It
	// must be positive: no key is ever written without an end. Any other TTL
	// gives a [*TTLError] and writes nothing.
	TTL time.Duration
	// NX writes only when the key is absent.
	NX bool
	// XX writes only when the key is present. NX and XX together never write.
	XX bool
}
