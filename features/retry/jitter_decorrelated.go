package retry

import "time"

// DecorrelatedJitter draws from the delay to three times the previous pause,
// so that pauses grow from each other rather than from the attempt's number.
// A prev of 0 or less means that there was none: it then counts as delay.
func DecorrelatedJitter(_ int, delay, prev time.Duration) time.Duration {
	delay = max(delay, 0)
	if prev <= 0 {
		prev = delay
	}
	return draw(delay, max(delay, times(prev, 3)))
}
