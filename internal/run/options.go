package run

import "context"

// Policy says how a run ends that a guard refuses.
type Policy uint8

// The policies; zero inherits.
const (
	// PolicySkip ends the run as skipped: somebody else did the work.
	PolicySkip Policy = iota + 1
	// PolicyFail ends the run as failed.
	PolicyFail
	// PolicyStepAside lets the run go on without the guard.
	PolicyStepAside
)

// String names the policy as it is written in Go.
func (p Policy) String() string {
	switch p {
	case PolicySkip:
		return "PolicySkip"
	case PolicyFail:
		return "PolicyFail"
	case PolicyStepAside:
		return "PolicyStepAside"
	}
	return "an unknown policy"
}

// StorePolicy says what a guard does when the store cannot answer.
type StorePolicy uint8

// The store policies; zero inherits.
const (
	// FailClosed fails the run without Work.
	FailClosed StorePolicy = iota + 1
	// FailOpen runs Work without the guard, logged and emitted each time.
	FailOpen
)

// Switch turns something on or off; zero inherits.
type Switch uint8

// The positions of a switch.
const (
	On Switch = iota + 1
	Off
)

// Settle says when a guard gives up what it holds; zero inherits.
type Settle uint8

// When a guard settles.
const (
	// AfterPipeline settles as soon as the pipeline has ended.
	AfterPipeline Settle = iota + 1
	// AfterMiddlewares settles when the outermost middleware has returned.
	AfterMiddlewares
)

// String names it as it is written in Go.
func (s Settle) String() string {
	switch s {
	case AfterPipeline:
		return "AfterPipeline"
	case AfterMiddlewares:
		return "AfterMiddlewares"
	}
	return "an unknown moment"
}

type disabled bool

func (disabled) Key(context.Context, Task) (any, error) { return nil, nil }
func (disabled) Match(error) bool                       { return false }

// Disabled turns a feature off for a type and its descendants. It stands
// where the feature's resolver or matcher would stand.
const Disabled disabled = true

// IsDisabled tells whether v is Disabled.
func IsDisabled(v any) bool { return v == any(Disabled) }
