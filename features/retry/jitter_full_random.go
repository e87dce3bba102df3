package retry

import "time"

// FullRandom draws from nothing to the delay.
func FullRandom(_ int, delay, _ time.Duration) time.Duration {
	return draw(0, max(delay, 0))
}
