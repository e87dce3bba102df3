// Package timeout bounds how long Work may take: all its attempts together, or
// each alone.
//
// It promises that ctx ends in time, with a cause that tells whose deadline it
// was, and that what Work returns in spite of it counts. It abandons nothing:
// Work that does not heed its ctx is waited for.
package timeout

import (
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// None takes an inherited bound away.
const None time.Duration = -1

// Bounds are the effective bounds of a task type; 0 means none.
type Bounds struct {
	// Total is for all attempts with their pauses.
	Total time.Duration
	// Attempt is for each attempt alone.
	Attempt time.Duration
}

// Option sets a further bound beside that of all attempts.
type Option struct {
	attempt time.Duration
}

// PerAttempt bounds each attempt by d; None takes an inherited bound away.
func PerAttempt(d time.Duration) Option { return Option{attempt: d} }

// Merge lays a declaration over b: a zero total inherits, None takes away.
func (b Bounds) Merge(total time.Duration, options ...Option) Bounds {
	b.Total = merged(b.Total, total)
	for _, o := range options {
		b.Attempt = merged(b.Attempt, o.attempt)
	}
	return b
}

func merged(inherited, said time.Duration) time.Duration {
	switch said {
	case 0:
		return inherited
	case None:
		return 0
	}
	return said
}

// Validate tells what is wrong with a declaration as it was written.
func Validate(total time.Duration, options ...Option) []run.Problem {
	var problems []run.Problem
	check := func(name string, d time.Duration) {
		if d < 0 && d != None {
			problems = append(problems, run.Problem{
				Text: name + " is " + d.String(),
				Fix:  "Write a positive duration, or NoTimeout to take an inherited one away.",
			})
		}
	}
	check("the timeout", total)
	for _, o := range options {
		check("PerAttempt", o.attempt)
		if o.attempt == 0 {
			problems = append(problems, run.Problem{Text: "PerAttempt is 0", Fix: "Write a positive duration, NoTimeout, or leave PerAttempt out to inherit it."})
		}
	}
	if total == 0 && len(options) == 0 {
		problems = append(problems, run.Problem{Text: "the timeout is 0", Fix: "Write a positive duration, or NoTimeout to take an inherited one away."})
	}
	return problems
}
