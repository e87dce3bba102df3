package retry

import "time"

// HalfRandom draws from half the delay to the delay.
func HalfRandom(_ int, delay, _ time.Duration) time.Duration {
	delay = max(delay, 0)
	return draw(delay/2, delay)
}
