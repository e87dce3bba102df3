package retry

import "time"

// BoundedRandom draws from the delay to twice the delay.
func BoundedRandom(_ int, delay, _ time.Duration) time.Duration {
	delay = max(delay, 0)
	return draw(delay, times(delay, 2))
}
