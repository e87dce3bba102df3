package task

import (
	"time"

	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/stores"
)

// leaseLost tells, by the heartbeat and the local clock, whether anything held
// has ended.
func (e *execution) leaseLost() error {
	h := e.hold.Load()
	if h == nil || h.held == 0 {
		return nil
	}
	var renewed time.Time
	if h.heartbeat != nil {
		var lost error
		if renewed, lost = h.heartbeat.lastRenewal(); lost != nil {
			return lost
		}
	}
	for i := range h.held {
		entry := &h.entries[i]
		since := h.sinceOf(i)
		if h.guards[i].Traits().Renew && renewed.After(since) {
			since = renewed
		}
		if isLease(entry.Kind) && h.holds(i) && time.Since(since) >= entry.TTL {
			return &result.LeaseLostError{Feature: h.guards[i].Traits().Holds, Key: entry.Key}
		}
	}
	return nil
}

// isLease tells whether an entry's end ends the right to go on. A circuit
// that forgets a probe, or a limit that forgets a call, takes nothing from
// the run.
func isLease(kind stores.Kind) bool {
	return kind == stores.KindClaim || kind == stores.KindLock || kind == stores.KindPlace
}

// sinceOf is when an entry was last known to be taken, without its renewals.
func (h *hold) sinceOf(i int) time.Time {
	if h.sinces != nil {
		return h.sinces[i]
	}
	return h.since
}
