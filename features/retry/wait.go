package retry

import (
	"context"
	"time"
)

// Wait returns nil after d, or [context.Cause] as soon as ctx ends, also when
// ctx had ended before or ends together with the pause: nobody then asks for
// a retry any more. A d of 0 or less only looks at ctx. No timer outlives it.
func Wait(ctx context.Context, d time.Duration) error {
	if ctx.Err() == nil && d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
