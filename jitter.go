package cmdx

import (
	"time"

	"github.com/cmdx-go/cmdx/features/retry"
)

// The jitters are functions of the attempt's number (from 0), the delay d and
// the previous pause; MaxDelay bounds them before and after.

// Exponential doubles with every attempt: d·2ⁿ.
func Exponential(attempt int, delay, prev time.Duration) time.Duration {
	return retry.Exponential(attempt, delay, prev)
}

// HalfRandom draws from [d/2, d].
func HalfRandom(attempt int, delay, prev time.Duration) time.Duration {
	return retry.HalfRandom(attempt, delay, prev)
}

// FullRandom draws from [0, d].
func FullRandom(attempt int, delay, prev time.Duration) time.Duration {
	return retry.FullRandom(attempt, delay, prev)
}

// BoundedRandom draws from [d, 2d].
func BoundedRandom(attempt int, delay, prev time.Duration) time.Duration {
	return retry.BoundedRandom(attempt, delay, prev)
}

// Linear grows by d with every attempt: d·(n+1).
func Linear(attempt int, delay, prev time.Duration) time.Duration {
	return retry.Linear(attempt, delay, prev)
}

// Fibonacci grows by Fibonacci's numbers: d·fib(n+1).
func Fibonacci(attempt int, delay, prev time.Duration) time.Duration {
	return retry.Fibonacci(attempt, delay, prev)
}

// DecorrelatedJitter draws from [d, max(d, 3·prev)].
func DecorrelatedJitter(attempt int, delay, prev time.Duration) time.Duration {
	return retry.DecorrelatedJitter(attempt, delay, prev)
}

// NoJitter always gives d: the way back for an inherited jitter.
func NoJitter(attempt int, delay, prev time.Duration) time.Duration {
	return retry.NoJitter(attempt, delay, prev)
}
