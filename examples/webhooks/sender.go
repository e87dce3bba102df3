package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cmdx-go/cmdx"
)

// longestPause is how many times the first pause the later ones may reach.
const longestPause = 8

// Sender plays the system that sends webhooks: at least once, to any of
// several workers, and again when a delivery was not acknowledged.
type Sender struct {
	// Workers is how many deliveries are under way at once.
	Workers int
	// Redeliveries is how often a delivery that is not acknowledged is sent
	// again before the sender gives it up.
	Redeliveries int
	// Pause comes before the first redelivery; it doubles for each further
	// one, up to eight times.
	Pause time.Duration
	// Handle runs the task for a delivery.
	Handle func(context.Context, Delivery) *cmdx.Result
	// Tally counts what becomes of it all.
	Tally *Tally
}

// Tally counts what the sender saw. It may be read while it is written.
type Tally struct {
	Handled     atomic.Int64 // results that are a success
	Completed   atomic.Int64 // duplicates of a completed run
	InProgress  atomic.Int64 // duplicates of a run under way
	Failed      atomic.Int64 // other results that are no success
	Refused     Refusals
	Redelivered atomic.Int64
	GivenUp     atomic.Int64
	Settled     atomic.Int64 // deliveries acknowledged or given up
}

// acknowledged is what an HTTP handler would answer with 2xx: the work is
// done, now or earlier. A duplicate in progress has failed and is not.
func acknowledged(r *cmdx.Result) bool { return r.IsOK() }

func (t *Tally) count(r *cmdx.Result) {
	metadata := r.Metadata()
	switch {
	case r.IsSuccess():
		t.Handled.Add(1)
	case t.Refused.of(r) != nil:
		t.Refused.of(r).Add(1)
	case metadata["code"] != cmdx.CodeDuplicate:
		t.Failed.Add(1)
	case metadata["state"] == "completed":
		t.Completed.Add(1)
	default:
		t.InProgress.Add(1)
	}
}

// Send returns when every delivery is acknowledged or given up, or when ctx
// has ended and every worker has stopped. It tells how many it left behind.
func (s *Sender) Send(ctx context.Context, deliveries []Delivery) (left int) {
	if len(deliveries) == 0 {
		return 0
	}
	// There is room for all, so that no redelivery ever waits to get in.
	r := &round{Sender: s, queue: make(chan sending, len(deliveries))}
	for _, d := range deliveries {
		r.queue <- sending{Delivery: d}
	}
	r.open.Store(int64(len(deliveries)))
	var workers sync.WaitGroup
	for range min(s.Workers, len(deliveries)) {
		workers.Go(func() { r.work(ctx) })
	}
	workers.Wait()
	return int(r.open.Load())
}

// sending is a delivery on its way.
type sending struct {
	Delivery
	again int // redeliveries so far that count
	sent  int // how often it was sent before, for whatever reason
}

// round is one call of Send.
type round struct {
	*Sender
	queue chan sending
	open  atomic.Int64 // deliveries not settled yet

	// thanked holds the ids that were acknowledged, by whichever of their
	// deliveries: as every sender, this one then sends them no more.
	thanked sync.Map
}

func (r *round) work(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case next, more := <-r.queue:
			if !more {
				return
			}
			r.deliver(ctx, next)
		}
	}
}

func (r *round) deliver(ctx context.Context, d sending) {
	if d.sent > 0 {
		r.Tally.Redelivered.Add(1)
	}
	d.sent++
	result := r.Handle(ctx, d.Delivery)
	r.Tally.count(result)
	switch {
	case acknowledged(result):
		r.thanked.Store(d.ID, true)
		r.settle()
	case ctx.Err() != nil: // left behind
	case r.Tally.Refused.of(result) != nil: // its work has not been tried: no redelivery is used up
		time.AfterFunc(after(result, r.Pause), func() { r.redeliver(d) })
		if crowded(result) {
			// Who took the next one at once would only spend the rate limit.
			_ = wait(ctx, r.Pause)
		}
	case d.again >= r.Redeliveries:
		r.Tally.GivenUp.Add(1)
		r.settle()
	default:
		pause := r.pause(d.again)
		d.again++
		time.AfterFunc(pause, func() { r.redeliver(d) })
	}
}

func (r *round) redeliver(d sending) {
	if _, thanked := r.thanked.Load(d.ID); thanked {
		r.settle()
		return
	}
	r.queue <- d
}

func (r *round) settle() {
	r.Tally.Settled.Add(1)
	if r.open.Add(-1) == 0 {
		close(r.queue)
	}
}

func (s *Sender) pause(again int) time.Duration {
	return s.Pause * time.Duration(min(1<<min(again, 30), longestPause))
}
