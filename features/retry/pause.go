package retry

import "time"

// Pause is how long to wait before the retry that follows an attempt. attempt
// counts from 0; prev is the pause before that attempt, which for attempt 0
// is taken to be the delay. The answer is never negative and never longer
// than MaxDelay, whatever Jitter gives; a zero field counts as its default.
// It panics with what a Jitter of the application panics with.
func (o Options) Pause(attempt int, prev time.Duration) time.Duration {
	o = o.WithDefaults()
	base := o.cut(o.Delay)
	attempt = max(attempt, 0)
	if attempt == 0 {
		prev = base
	}
	return o.cut(o.Jitter(attempt, base, max(prev, 0)))
}

// cut makes any duration one from 0 to MaxDelay; NoDelay becomes 0.
func (o Options) cut(d time.Duration) time.Duration {
	d = max(d, 0)
	if o.MaxDelay >= 0 {
		d = min(d, o.MaxDelay)
	}
	return d
}
