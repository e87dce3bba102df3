// Package retry tries Work again after a raised error that a type's matchers
// pick, a limited number of times and with pauses in between.
//
// It promises that Work runs at most Limit+1 times per execution, that no
// pause is negative or longer than MaxDelay, and that a pause ends with its
// ctx. It keeps no state between or across runs: everything here may be used
// from many goroutines at once. It does not make Work safe to repeat; that is
// what an idempotent service, or Rollback, is for.
package retry

import (
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// The defaults. There is no ceiling and no jitter unless somebody declares
// one.
const (
	// DefaultLimit is the number of retries after the first try.
	DefaultLimit = 3
	// DefaultDelay is the base of every pause.
	DefaultDelay = 500 * time.Millisecond
	// DefaultMaxDelay leaves pauses without a ceiling.
	DefaultMaxDelay = NoMaxDelay
)

// The ways back from what is inherited.
const (
	// NoRetries is a Limit of no retry: Work runs once.
	NoRetries = -1
	// NoDelay is a Delay of nothing: retries follow at once.
	NoDelay time.Duration = -1
	// NoMaxDelay is a MaxDelay that cuts nothing.
	NoMaxDelay time.Duration = -1
)

// Options tune the retries of a task type. A zero field inherits what a
// parent declared; where nobody declared it, the default holds.
type Options struct {
	// Limit is how many retries may follow the first try, so Work runs at
	// most Limit+1 times. NoRetries allows none. Zero inherits; by default 3.
	Limit int
	// Delay is the base of the pause before a retry, of which Jitter makes
	// the pause itself. NoDelay is no pause. Zero inherits; by default
	// 500 ms.
	Delay time.Duration
	// MaxDelay cuts the base before anything is drawn or multiplied, and the
	// pause afterwards. NoMaxDelay cuts nothing. Zero inherits; by default
	// NoMaxDelay.
	MaxDelay time.Duration
	// Jitter makes the pause of an attempt out of Delay: [Exponential] and
	// its like, or a function of the application. [NoJitter] pauses for
	// Delay as it is. nil inherits; by default NoJitter.
	Jitter Jitter
	// If and Unless allow or refuse one retry before its pause, also with
	// the error at hand ([WhenError]). A refusal ends the loop with that
	// error. nil inherits; by default Always and Never.
	If, Unless run.Gate
}

// Jitter works out the pause before the retry that follows an attempt.
// attempt counts from 0, delay is the base after MaxDelay has cut it, prev
// the pause before the attempt; before attempt 0 there was none, and prev is
// delay. Its answer may be anything: a negative one counts as 0, a long one
// is cut to MaxDelay. Many runs may call it at once.
type Jitter func(attempt int, delay, prev time.Duration) time.Duration
