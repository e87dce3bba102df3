// Package ratelimit bounds how many runs of a key begin in a time: a run is
// counted in the store before Work, whatever becomes of it later.
//
// It promises that never more than Limit runs pass in any window of length
// Per, wherever the window begins, over all processes that share the store;
// that several limits of one task count together or not at all; and that a
// refused run is not counted. It keeps a log of the calls that passed within
// the longest Per, one for all windows of a key; PaceSmooth keeps one instant.
package ratelimit

import (
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
)

// The defaults. There are none for Limit and Per.
const (
	DefaultPace         = stores.PaceWindow
	DefaultNamespace    = "cmdx:rate"
	DefaultOnLimit      = run.PolicyFail
	DefaultOnStoreError = run.FailClosed
)

// Options are one limit of a task type; a type may have several. A list of
// limits replaces the inherited list as a whole, so a zero field does not
// inherit: the default holds.
type Options struct {
	// Scope stands in the key where the task's name would, so that several
	// task types share the limit, such as "stripe". The limits of a scope
	// must be the same wherever it is used; gates may differ. By default the
	// task's name.
	Scope string
	// Limit is how many runs pass within Per. It must be said.
	Limit int
	// Per is the time in which Limit runs pass: a millisecond at least. It
	// must be said.
	Per time.Duration
	// Pace is PaceWindow, where runs may come as they like up to the limit,
	// or PaceSmooth, which keeps Per/Limit between two runs. By default
	// PaceWindow.
	Pace stores.Pace
	// Namespace is the first part of the store key. By default "cmdx:rate".
	Namespace string
	// OnLimit ends a run that is over the limit: PolicyFail or PolicySkip.
	// By default PolicyFail.
	OnLimit run.Policy
	// If and Unless turn the limit on or off for one run. By default Always
	// and Never.
	If, Unless run.Gate
	// OnStoreError is for a store that cannot answer: FailClosed fails the
	// run without Work, FailOpen runs Work uncounted. By default FailClosed.
	OnStoreError run.StorePolicy
}
