package retry

import (
	"math/rand/v2"
	"time"
)

// draw picks a duration from low to high, both included; low is at least 0
// and not above high.
func draw(low, high time.Duration) time.Duration {
	span := int64(high - low)
	if span == int64(longest) {
		return low + time.Duration(rand.Int64())
	}
	return low + time.Duration(rand.Int64N(span+1))
}
