package retry

import (
	"math"
	"time"
)

// Linear grows by the delay with every attempt: delay·(attempt+1).
func Linear(attempt int, delay, _ time.Duration) time.Duration {
	return times(delay, min(int64(max(attempt, 0)), math.MaxInt64-1)+1)
}
