package task

import (
	"context"
	"math/rand/v2"
	"time"
)

// The pauses between two tries for a lock. They double up to the longest, and
// each is drawn from the upper half, so that those who wait do not ask in
// step. None is shorter than the floor, which bounds what a lock that frees
// and fills quickly can cost the store.
const (
	firstPause   = 10 * time.Millisecond
	longestPause = 500 * time.Millisecond
	floorPause   = 5 * time.Millisecond
)

// wait is the waiting of a run for a lock that somebody else holds.
type wait struct {
	at    int // the entry
	until time.Time
	pause time.Duration
	ctx   context.Context // ends with the caller's, or when what is held is lost
	beat  *heartbeat      // renews what is held meanwhile; nil for nothing
}

// awaitTurn pauses before entry at is asked for again. When the time is up it
// makes that the last try. It returns why there is to be none at all.
func (h *hold) awaitTurn(ctx context.Context, at int, retryAfter time.Duration) error {
	w := h.wait
	if w == nil || w.at != at {
		if lost := h.endWait(); lost != nil {
			return lost
		}
		w = &wait{at: at, until: time.Now().Add(h.guards[at].Traits().Wait)}
		w.beat, w.ctx = h.startBeat(ctx, at)
		h.wait = w
	}
	if left := time.Until(w.until); left > 0 {
		if pause(w.ctx, min(w.next(retryAfter), left)) != nil {
			return context.Cause(w.ctx)
		}
	}
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	if !time.Now().Before(w.until) {
		h.entries[at].Wait = false
	}
	return nil
}

// next draws a pause. A lock that ends sooner by itself is asked for then.
func (w *wait) next(retryAfter time.Duration) time.Duration {
	w.pause = min(max(2*w.pause, firstPause), longestPause)
	drawn := w.pause/2 + rand.N(w.pause/2+1)
	if retryAfter > 0 {
		drawn = min(drawn, retryAfter)
	}
	return max(drawn, floorPause)
}

// endWait stops the renewals of a wait, keeps how far they got, and tells
// when something that was held meanwhile is lost.
func (h *hold) endWait() error {
	w := h.wait
	if w == nil {
		return nil
	}
	h.wait = nil
	if w.beat == nil {
		return nil
	}
	w.beat.end()
	renewed, lost := w.beat.lastRenewal()
	for i := range w.at {
		if h.guards[i].Traits().Renew && renewed.After(h.sinces[i]) {
			h.sinces[i] = renewed
		}
	}
	return lost
}
