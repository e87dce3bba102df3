// Package breaker keeps runs away from something that fails: after a number
// of failures the circuit opens and refuses every run for a while, then lets
// a few through as probes, one of which closes or opens it again.
//
// It promises that all processes that share the store see one circuit, that
// exactly the declared failures open it, that never more than Probes runs
// pass at once while it is half open, that a run counts once and only by what
// leaves its retry loop, and that neither reading the state nor a run that
// says nothing about the service (a skip, a refusal further in, a caller who
// left) changes anything. It does not interrupt runs that are under way.
package breaker

import (
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// The defaults.
const (
	// DefaultThreshold is how many failures in a row open the circuit.
	DefaultThreshold = 5
	// DefaultWindow and DefaultMinCalls go with a FailureRate.
	DefaultWindow       = time.Minute
	DefaultMinCalls     = 20
	DefaultCoolOff      = 30 * time.Second
	DefaultProbes       = 1
	DefaultNamespace    = "cmdx:breaker"
	DefaultOnOpen       = run.PolicyFail
	DefaultOnStoreError = run.FailClosed
)

// remembered is how long a circuit is kept that nobody uses, at least.
const remembered = 24 * time.Hour

// Options tune the circuit of a task type. A zero field inherits what a
// parent declared; where nobody declared it, the default holds.
type Options struct {
	// Scope stands in the key where the task's name would, so that several
	// task types share the circuit, such as "stripe". Its options must be the
	// same wherever it is used; gates and CountIf may differ. "" inherits; by
	// default the task's name.
	Scope string
	// Threshold is how many failures in a row open the circuit; a success
	// begins the count anew. It displaces an inherited FailureRate. Zero
	// inherits; by default 5, unless there is a FailureRate.
	Threshold int
	// FailureRate (above 0, at most 1) opens the circuit as soon as that
	// share of the calls within the last Window failed, with MinCalls calls
	// at least. It displaces an inherited Threshold. Zero inherits; by
	// default Threshold rules.
	FailureRate float64
	// Window is the time whose calls FailureRate looks at. Zero inherits; by
	// default 60 s.
	Window time.Duration
	// MinCalls is how many calls FailureRate asks for. Zero inherits; by
	// default 20.
	MinCalls int
	// CoolOff is how long an open circuit refuses every run, and how long a
	// probe may take until it is forgotten. Zero inherits; by default 30 s.
	CoolOff time.Duration
	// Probes is how many runs pass at once while the circuit is half open.
	// Zero inherits; by default 1.
	Probes int
	// CountIf picks the raised errors that count as failures; one that it
	// does not pick is neither failure nor success. AnyRaised picks all of
	// them, panics and timeouts included. nil inherits; by default AnyRaised.
	CountIf run.ErrorMatcher
	// Namespace is the first part of the store key. "" inherits; by default
	// "cmdx:breaker".
	Namespace string
	// OnOpen ends a run that the circuit refuses: PolicyFail or PolicySkip.
	// Zero inherits; by default PolicyFail.
	OnOpen run.Policy
	// If and Unless turn the circuit on or off for one run. nil inherits; by
	// default Always and Never.
	If, Unless run.Gate
	// OnStoreError is for a store that cannot answer: FailClosed fails the
	// run without Work, FailOpen runs Work as if the circuit were closed.
	// Zero inherits; by default FailClosed.
	OnStoreError run.StorePolicy
}

type anyRaised bool

// AnyRaised picks every raised error: the way back for CountIf.
const AnyRaised anyRaised = true

// Match is true for whatever is an error.
func (anyRaised) Match(err error) bool { return err != nil }
