package task

import (
	"context"
	"sync"
	"time"
)

// cleanupTimeout is the deadline of clean-up, which outlives the caller.
const cleanupTimeout = 5 * time.Second

// cleanupContext keeps the caller's values, is not cancelled with the caller,
// and has a deadline of its own. It starts a timer only when somebody waits
// for its end.
type cleanupContext struct {
	context.Context // the caller's, for its values
	deadline        time.Time
	mu              sync.Mutex
	ended           bool
	waited          context.Context
	cancel          context.CancelFunc
}

func newCleanup(caller context.Context) *cleanupContext {
	return &cleanupContext{Context: caller, deadline: time.Now().Add(cleanupTimeout)}
}

// end says that the clean-up is over.
func (c *cleanupContext) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.cancel != nil {
		c.cancel()
	}
}

// Deadline is five seconds after the clean-up began.
func (c *cleanupContext) Deadline() (time.Time, bool) { return c.deadline, true }

// Done is closed at the deadline, or when the clean-up is over.
func (c *cleanupContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waited == nil {
		c.waited, c.cancel = context.WithDeadline(context.WithoutCancel(c.Context), c.deadline)
		if c.ended {
			c.cancel()
		}
	}
	return c.waited.Done()
}

// Err tells whether the clean-up is over or its deadline has passed.
func (c *cleanupContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.waited != nil:
		return c.waited.Err()
	case c.ended:
		return context.Canceled
	case !time.Now().Before(c.deadline):
		return context.DeadlineExceeded
	}
	return nil
}
