package retry

import "time"

// exponentCap is the last attempt for which Exponential doubles: at 2³⁰ even
// a nanosecond has become a second.
const exponentCap = 30

// Exponential doubles with every attempt: delay·2^attempt, and no further
// from attempt 30 on.
func Exponential(attempt int, delay, _ time.Duration) time.Duration {
	return times(delay, 1<<min(max(attempt, 0), exponentCap))
}
