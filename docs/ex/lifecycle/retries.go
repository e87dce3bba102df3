package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx"
)

// region retries

var errBusy = errors.New("the warehouse is busy")

// SyncStock tries a busy warehouse again, and no attempt longer than a second.
type SyncStock struct{ cmdx.Base }

// Configure bounds each attempt and all of them together.
func (*SyncStock) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorIs(errBusy), cmdx.Retry{Limit: 2, Delay: time.Millisecond, Jitter: cmdx.Exponential})
	c.Timeout(time.Minute, cmdx.PerAttempt(time.Second))
}

// Work heeds its ctx, which ends with the attempt's bound.
func (t *SyncStock) Work(ctx context.Context) error {
	if t.Attempt() < 2 {
		return errBusy
	}
	return nil
}

// endregion

func syncing(ctx context.Context) {
	// region retries-run
	result := cmdx.Execute(ctx, &SyncStock{}, nil)
	fmt.Println(result.Status(), "after", result.Retries(), "retries")
	// endregion
}
