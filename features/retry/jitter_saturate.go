package retry

import (
	"math"
	"time"
)

// longest is where durations stop growing.
const longest = time.Duration(math.MaxInt64)

// times multiplies without overflow; a negative factor counts as 0.
func times(d time.Duration, n int64) time.Duration {
	if d <= 0 || n <= 0 {
		return 0
	}
	if int64(d) > math.MaxInt64/n {
		return longest
	}
	return d * time.Duration(n)
}
