package retry

import (
	"math"
	"time"
)

// Fibonacci grows by Fibonacci's numbers, from 1 and 1: after attempts 0 to 5
// the pause is 1, 1, 2, 3, 5 and 8 delays.
func Fibonacci(attempt int, delay, _ time.Duration) time.Duration {
	return times(delay, fibonacci(max(attempt, 0)))
}

// fibonacci gives the number at index n of 1, 1, 2, 3, …, or the largest
// int64 where it is larger.
func fibonacci(n int) int64 {
	current, next := int64(1), int64(1)
	for ; n > 0; n-- {
		if next > math.MaxInt64-current {
			// The pair cannot grow once more: only next is still exact.
			if n == 1 {
				return next
			}
			return math.MaxInt64
		}
		current, next = next, current+next
	}
	return current
}
