// Package lock lets one run at a time work under a key: a run takes the key in
// the store before Work, and gives it back when it ends.
//
// It promises that of any number of runs with one key at most one is at work
// while the lock's lifetime lasts, and that nobody but its owner gives it
// back. It does not promise more than that: a run that outlives its lock goes
// on without it (Renew keeps it, and ends Work's ctx when it cannot), those
// that wait are not served in the order in which they came, and a lock is not
// "at most once": the next run does the work again, unless it is idempotent
// too.
package lock

import (
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// The defaults.
const (
	DefaultTTL          = 30 * time.Second
	DefaultWait         = NoWait
	DefaultRenew        = run.Off
	DefaultNamespace    = "cmdx:lock"
	DefaultOnConflict   = run.PolicyFail
	DefaultSettle       = run.AfterPipeline
	DefaultOnStoreError = run.FailClosed
)

// NoWait is a Wait of one try: a lock that is held refuses at once.
const NoWait time.Duration = -1

// Options tune the lock of a task type. A zero field inherits what a parent
// declared; where nobody declared it, the default holds.
type Options struct {
	// Scope stands in the key where the task's name would, so that several
	// task types share one lock, such as "account". Its options must be the
	// same wherever it is used; gates may differ. "" inherits; by default the
	// task's name.
	Scope string
	// TTL is how long the lock lives when its owner neither ends nor renews
	// it: the time that a dead worker blocks its key. It counts from the try
	// that won and is rounded up to whole milliseconds. It must cover the
	// longest Work with all its retries, or Renew must be On. Zero inherits;
	// by default 30 s.
	TTL time.Duration
	// Wait is how long a run asks again for a lock that is held, with pauses
	// that grow; NoWait asks once. It ends with ctx, and has nothing to do
	// with TTL. Zero inherits; by default NoWait.
	Wait time.Duration
	// Renew extends the lock while Work runs, every third of TTL, so that a
	// short one serves long work. A lost lock ends Work's ctx. Work that
	// hangs for ever then holds its key for ever. Zero inherits; by default
	// Off.
	Renew run.Switch
	// Namespace is the first part of the store key. "" inherits; by default
	// "cmdx:lock".
	Namespace string
	// OnConflict ends a run whose key is held: PolicyFail or PolicySkip. Zero
	// inherits; by default PolicyFail.
	OnConflict run.Policy
	// Settle says when the lock is released: AfterPipeline, or
	// AfterMiddlewares, which holds it until the outermost middleware has
	// returned, such as one that commits a transaction. Zero inherits; by
	// default AfterPipeline.
	Settle run.Settle
	// If and Unless turn the lock on or off for one run. nil inherits; by
	// default Always and Never.
	If, Unless run.Gate
	// OnStoreError is for a store that cannot answer: FailClosed fails the
	// run without Work, FailOpen runs Work without a lock. Zero inherits; by
	// default FailClosed.
	OnStoreError run.StorePolicy
}
