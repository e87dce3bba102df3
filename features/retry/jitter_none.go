package retry

import "time"

// NoJitter always gives delay: the way back for an inherited jitter.
func NoJitter(_ int, delay, _ time.Duration) time.Duration { return max(delay, 0) }
