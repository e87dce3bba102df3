// Package concurrency bounds how many runs of a key are at work at once, over
// all processes that share the store: a run takes one of Limit places before
// Work, and gives it back when it ends.
//
// It promises that never more than Limit places are taken, that each has an
// owner, and that a process that dies keeps none: every place has an end of
// its own. A run that outlives its place goes on without it (Renew keeps it,
// and ends Work's ctx when it cannot). A run that finds no place does not
// wait for one.
package concurrency

import (
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// The defaults. There is none for Limit.
const (
	DefaultTTL          = 30 * time.Second
	DefaultRenew        = run.Off
	DefaultNamespace    = "cmdx:slots"
	DefaultOnFull       = run.PolicyFail
	DefaultOnStoreError = run.FailClosed
)

// Options tune the places of a task type. A zero field inherits what a parent
// declared; where nobody declared it, the default holds.
type Options struct {
	// Scope stands in the key where the task's name would, so that several
	// task types share the places, such as "stripe". Its options must be the
	// same wherever it is used; gates may differ. "" inherits; by default the
	// task's name.
	Scope string
	// Limit is how many runs of a key are at work at once. Zero inherits;
	// somebody must say it.
	Limit int
	// TTL is how long a place lives when its owner neither ends nor renews
	// it: the time that a dead worker keeps it. It is rounded up to whole
	// milliseconds and must cover the longest Work with all its retries, or
	// Renew must be On. Zero inherits; by default 30 s.
	TTL time.Duration
	// Renew extends the place while Work runs, every third of TTL, so that a
	// short one serves long work. A lost place ends Work's ctx. Work that
	// hangs for ever then holds its place for ever. Zero inherits; by default
	// Off.
	Renew run.Switch
	// Namespace is the first part of the store key. "" inherits; by default
	// "cmdx:slots".
	Namespace string
	// OnFull ends a run that finds no place: PolicyFail or PolicySkip. Zero
	// inherits; by default PolicyFail.
	OnFull run.Policy
	// If and Unless turn the bound on or off for one run. nil inherits; by
	// default Always and Never.
	If, Unless run.Gate
	// OnStoreError is for a store that cannot answer: FailClosed fails the
	// run without Work, FailOpen runs Work without a place. Zero inherits; by
	// default FailClosed.
	OnStoreError run.StorePolicy
}
