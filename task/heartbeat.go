package task

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/stores"
)

// heartbeat lets what a run holds live on while Work is under way. It starts
// with the run's hold and ends before the hold is left; nothing of it goes on
// afterwards.
//
// A lease is renewed after a third of its lifetime. A renewal that fails is
// tried again until the last third begins; then, or when the store says that
// the lease is lost, Work's ctx ends with a [*result.LeaseLostError].
type heartbeat struct {
	store   stores.Guards
	token   stores.Token
	entries []stores.Entry // those that are renewed
	holds   []string       // what each is, for the error
	shortest,
	retry time.Duration
	lose context.CancelCauseFunc
	stop context.CancelFunc
	over chan struct{}

	mu      sync.Mutex
	renewed time.Time
	lost    error
}

// beat starts the heartbeat of what the run holds and returns Work's ctx;
// without anything to renew that is ctx.
func (e *execution) beat(ctx context.Context, h *hold) context.Context {
	h.heartbeat, ctx = h.startBeat(ctx, h.held)
	return ctx
}

// startBeat renews what is held of entries[:n]. The ctx that it returns ends
// when that is lost; without anything to renew it is ctx, and the heartbeat
// is nil.
func (h *hold) startBeat(ctx context.Context, n int) (*heartbeat, context.Context) {
	if !h.renews(n) {
		return nil, ctx
	}
	b := &heartbeat{store: h.store, token: h.token, renewed: time.Now(), over: make(chan struct{})}
	for i, g := range h.guards[:n] {
		if traits := g.Traits(); h.toRenew(i) {
			b.entries = append(b.entries, h.entries[i])
			b.holds = append(b.holds, traits.Holds)
			if b.shortest == 0 || h.entries[i].TTL < b.shortest {
				b.shortest = h.entries[i].TTL
			}
			if since := h.sinceOf(i); since.Before(b.renewed) {
				b.renewed = since
			}
		}
	}
	b.retry = max(b.shortest/12, time.Millisecond)
	workCtx, lose := context.WithCancelCause(ctx)
	renewCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	b.lose, b.stop = lose, stop
	go b.run(renewCtx)
	return b, workCtx
}

func (h *hold) renews(n int) bool {
	for i := range h.guards[:n] {
		if h.toRenew(i) {
			return true
		}
	}
	return false
}

// toRenew tells whether an entry is renewed: after the pipeline only what is
// postponed.
func (h *hold) toRenew(i int) bool {
	return h.guards[i].Traits().Renew && h.holds(i) && (h.later == nil || h.later[i])
}

// beatLater lets what is postponed live on; there is no Work any more that a
// loss could end.
func (e *execution) beatLater(h *hold) {
	if h.heartbeat != nil {
		renewed, lost := h.heartbeat.lastRenewal()
		h.heartbeat = nil
		if lost != nil {
			return
		}
		h.sinces = h.renewedSinces(renewed)
	}
	h.heartbeat, _ = h.startBeat(&e.carrier, h.left)
}

// renewedSinces are the times at which entries were last known to be held.
func (h *hold) renewedSinces(renewed time.Time) []time.Time {
	sinces := make([]time.Time, len(h.entries))
	for i := range sinces {
		sinces[i] = h.sinceOf(i)
		if h.guards[i].Traits().Renew && renewed.After(sinces[i]) {
			sinces[i] = renewed
		}
	}
	return sinces
}

// end stops the heartbeat and waits for it.
func (b *heartbeat) end() {
	if b == nil {
		return
	}
	b.stop()
	<-b.over
	b.lose(nil)
}

// lastRenewal is when the renewed entries were last known to be held.
func (b *heartbeat) lastRenewal() (time.Time, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.renewed, b.lost
}

func (b *heartbeat) run(ctx context.Context) {
	defer close(b.over)
	wait := b.shortest/3 - time.Since(b.renewed)
	for pause(ctx, wait) == nil {
		asked := time.Now()
		at, err := b.renew(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errLeaseGone), err != nil && time.Since(b.renewed) >= b.lastThird():
			b.giveUp(at, err)
			return
		case err != nil:
			wait = min(b.retry, b.lastThird()-time.Since(b.renewed))
		default:
			b.mu.Lock()
			b.renewed = asked
			b.mu.Unlock()
			wait = b.shortest/3 - time.Since(asked)
		}
	}
}

func (b *heartbeat) lastThird() time.Duration { return b.shortest * 2 / 3 }

var errLeaseGone = errors.New("the store does not hold the lease any more")

// renew asks the store once. Its error is errLeaseGone, with the entry's
// index, when the store says so; any other error says nothing about the lease.
func (b *heartbeat) renew(ctx context.Context) (at int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = result.Recovered(p, nil)
		}
	}()
	// No try may use up the time of those after it.
	deadline := b.renewed.Add(b.shortest)
	if soon := time.Now().Add(b.shortest / 6); soon.Before(deadline) {
		deadline = soon
	}
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	answers, err := b.store.Extend(ctx, b.token, b.entries)
	if err != nil {
		return 0, err
	}
	if len(answers) != len(b.entries) {
		return 0, fmt.Errorf("stores: %T did not answer for every entry of Extend", b.store)
	}
	for i, a := range answers {
		switch a.Outcome {
		case stores.OutcomeLost:
			return i, errLeaseGone
		case stores.OutcomeError:
			at, err = i, a.Err
		case stores.OutcomeDone:
		default:
			at, err = i, fmt.Errorf("stores: %T answered Extend with the unknown outcome %d", b.store, a.Outcome)
		}
	}
	return at, err
}

// giveUp ends Work's ctx because entry at is lost.
func (b *heartbeat) giveUp(at int, why error) {
	lost := &result.LeaseLostError{Feature: b.holds[at], Key: b.entries[at].Key}
	if !errors.Is(why, errLeaseGone) {
		lost.Err = why
	}
	b.mu.Lock()
	b.lost = lost
	b.mu.Unlock()
	b.lose(lost)
}
