package stores

import (
	"math"
	"time"
)

// checkTTL gives a [*TTLError] for a lifetime that is not positive.
func checkTTL(ttl time.Duration) error {
	if ttl <= 0 {
		return &TTLError{TTL: ttl}
	}
	return nil
}

// wholeMilliseconds rounds a positive lifetime up to the unit in which stores
// count.
func wholeMilliseconds(ttl time.Duration) int64 {
	whole := int64(ttl / time.Millisecond)
	if ttl%time.Millisecond > 0 {
		whole++
	}
	return whole
}

// roundedUp is a positive lifetime in whole milliseconds. The largest Duration,
// 292 years, stands for what does not fit.
func roundedUp(ttl time.Duration) time.Duration {
	whole := wholeMilliseconds(ttl)
	if whole > math.MaxInt64/int64(time.Millisecond) {
		return math.MaxInt64
	}
	return time.Duration(whole) * time.Millisecond
}

// endAfter is the instant at which a positive lifetime that begins now is
// over; the largest Duration, 292 years away, when it lies beyond that.
func endAfter(now, ttl time.Duration) time.Duration {
	lifetime := roundedUp(ttl)
	if lifetime > math.MaxInt64-now {
		return math.MaxInt64
	}
	return now + lifetime
}
