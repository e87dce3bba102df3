package retry

import (
	"context"
	"time"
)

// Wait returns nil after d, or [context.Cause] as soon as ctx ends. A ctx that
// had ended before, or has ended when the pause is over, counts too: nobody
// asks for a retry any more. A d of 0 or less only looks at ctx. No timer
// outlives the call.
func Wait(ctx context.Context, d time.Duration) error {
	if d > 0 {
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
