package main

import (
	"sync/atomic"
	"time"

	"github.com/cmdx-go/cmdx"
)

// Refusals counts runs that a guard kept from their work, by code. Nothing
// has been tried then: whoever sends such a delivery again loses nothing.
type Refusals struct {
	RateLimited, CircuitOpen, ConcurrencyLimited, Locked atomic.Int64
}

// of is the count that a result belongs to; nil for one that was not refused
// by a guard. A duplicate is told apart from these: it has a claim's state.
func (c *Refusals) of(r *cmdx.Result) *atomic.Int64 {
	switch r.Metadata()["code"] {
	case cmdx.CodeRateLimited:
		return &c.RateLimited
	case cmdx.CodeCircuitOpen:
		return &c.CircuitOpen
	case cmdx.CodeConcurrencyLimited:
		return &c.ConcurrencyLimited
	case cmdx.CodeLocked:
		return &c.Locked
	}
	return nil
}

// after is when a refused delivery is sent again: a limit and an open circuit
// say exactly when it is worth it, a lock and a place only when they end at
// the latest.
func after(r *cmdx.Result, pause time.Duration) time.Duration {
	switch r.Metadata()["code"] {
	case cmdx.CodeRateLimited, cmdx.CodeCircuitOpen:
		if wait, known := r.Metadata()["retry_after"].(time.Duration); known {
			return wait
		}
	}
	return pause
}

// crowded tells that all places were taken.
func crowded(r *cmdx.Result) bool { return r.Metadata()["code"] == cmdx.CodeConcurrencyLimited }
