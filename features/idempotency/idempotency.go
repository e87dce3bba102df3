// Package idempotency lets work happen at most once per key: a run claims the
// key in the store before Work, and marks it as completed after a success.
//
// It promises that of any number of runs with one key at most one is at work
// while the claim's lifetime lasts, and none after a completion until the
// completion's lifetime ends. It does not make Work itself atomic: a process
// that dies inside Work leaves whatever it has already done.
package idempotency

import (
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// The defaults.
const (
	DefaultTTL          = 300 * time.Second
	DefaultRenew        = run.Off
	DefaultNamespace    = "cmdx:idem"
	DefaultOnDuplicate  = run.PolicySkip
	DefaultOnBlank      = run.PolicyStepAside
	DefaultOnStoreError = run.FailClosed
	DefaultSettle       = run.AfterPipeline
)

// Options tune the claim of a task type. A zero field inherits what a parent
// declared; where nobody declared it, the default holds.
type Options struct {
	// TTL is how long the store remembers: a claim from its beginning (unless
	// ProcessingTTL says otherwise), a completion from its end. Afterwards a
	// new run may claim the key. It is rounded up to whole milliseconds.
	// Zero inherits; by default 300 s.
	TTL time.Duration
	// ProcessingTTL is how long a claim lives whose run neither ends nor
	// gives up: the time that a dead worker blocks its key. It must cover
	// the longest Work with all its retries. Zero inherits; by default TTL.
	ProcessingTTL time.Duration
	// Renew extends the claim while Work runs, every third of ProcessingTTL,
	// so that a short one serves long work and the claim of a dead worker
	// frees quickly. A lost claim ends Work's ctx. Work that hangs for ever
	// then holds its key for ever. Zero inherits; by default Off.
	Renew run.Switch
	// Namespace is the first part of the store key. "" inherits; by default
	// "cmdx:idem".
	Namespace string
	// OnDuplicate ends a run whose key is already held: PolicySkip or
	// PolicyFail. Zero inherits; by default PolicySkip.
	OnDuplicate run.Policy
	// OnProcessing does so when the other run is still under way. A caller
	// that acknowledges a message for it loses the work when that other run
	// then fails. Zero inherits; by default as OnDuplicate.
	OnProcessing run.Policy
	// OnBlank is for a run whose key is blank: PolicyStepAside runs Work
	// without a claim, PolicyFail fails. Zero inherits; by default
	// PolicyStepAside.
	OnBlank run.Policy
	// Settle says when the claim of a success is completed: AfterPipeline
	// does so before around callbacks and middlewares go on, and takes it
	// back when one of them fails the run; AfterMiddlewares holds the claim
	// until the outermost middleware has returned, such as one that commits
	// a transaction, for the price of a second round trip where another
	// guard leaves earlier. Zero inherits; by default AfterPipeline.
	Settle run.Settle
	// If and Unless turn the claim on or off for one run. nil inherits; by
	// default Always and Never.
	If, Unless run.Gate
	// OnStoreError is for a store that cannot answer: FailClosed fails the
	// run without Work, FailOpen runs Work without a claim. Zero inherits;
	// by default FailClosed.
	OnStoreError run.StorePolicy
}
