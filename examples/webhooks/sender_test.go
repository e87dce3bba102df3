package main

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cmdx-go/cmdx"
)

// diary notes when deliveries were handed out and how many were under way.
type diary struct {
	mu      sync.Mutex
	at      []time.Time
	now     int
	busiest int
}

func (d *diary) around(handle func(context.Context, Delivery) *cmdx.Result) func(context.Context, Delivery) *cmdx.Result {
	return func(ctx context.Context, delivery Delivery) *cmdx.Result {
		d.mu.Lock()
		d.at = append(d.at, time.Now())
		d.now++
		d.busiest = max(d.busiest, d.now)
		d.mu.Unlock()
		defer func() {
			d.mu.Lock()
			d.now--
			d.mu.Unlock()
		}()
		return handle(ctx, delivery)
	}
}

func (r *receiver) sender(workers int) *Sender {
	return &Sender{Workers: workers, Redeliveries: 10, Pause: time.Second, Handle: r.receive, Tally: &Tally{}}
}

func wantTally(t *testing.T, got *Tally, handled, completed, inProgress, failed, redelivered, givenUp int64) {
	t.Helper()
	is := []int64{
		got.Handled.Load(), got.Completed.Load(), got.InProgress.Load(),
		got.Failed.Load(), got.Redelivered.Load(), got.GivenUp.Load(),
	}
	want := []int64{handled, completed, inProgress, failed, redelivered, givenUp}
	if !slices.Equal(is, want) {
		t.Errorf("handled, completed, in progress, failed, redelivered, given up: %v, not %v", is, want)
	}
}

func TestWhatIsAcknowledgedIsNotSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{})
		sender := r.sender(1)
		left := sender.Send(t.Context(), []Delivery{{ID: "a"}, {ID: "b"}, {ID: "a"}})
		if left != 0 || sender.Tally.Settled.Load() != 3 {
			t.Errorf("%d left, %d settled", left, sender.Tally.Settled.Load())
		}
		wantTally(t, sender.Tally, 2, 1, 0, 0, 0, 0)
	})
}

func TestADuplicateInProgressIsNotSentAgainWhenTheOtherRunIsAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Takes: time.Millisecond})
		sender := r.sender(2)
		sender.Send(t.Context(), []Delivery{{ID: "a"}, {ID: "a"}})
		wantTally(t, sender.Tally, 1, 0, 1, 0, 0, 0)
		r.handled(t, "a", 1)
	})
}

func TestADuplicateInProgressKeepsTheDeliveryWhenTheOtherRunFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Takes: 10 * time.Millisecond, Fails: firstCallsFail(4)})
		sender := r.sender(2)
		sender.Send(t.Context(), []Delivery{{ID: "a"}, {ID: "a"}})
		r.handled(t, "a", 1)
		if got := sender.Tally.Failed.Load(); got != 1 {
			t.Errorf("%d runs failed, so this shows nothing", got)
		}
	})
}

func TestTheSenderGivesUpInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Fails: func(string, int) bool { return true }})
		sender := r.sender(4)
		sender.Redeliveries = 2
		if left := sender.Send(t.Context(), []Delivery{{ID: "a"}}); left != 0 {
			t.Errorf("%d left", left)
		}
		wantTally(t, sender.Tally, 0, 0, 0, 3, 2, 1)
	})
}

func TestTheSenderWaitsBeforeEachRedelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Fails: firstCallsFail(12)})
		sender, diary := r.sender(4), &diary{}
		sender.Handle = diary.around(r.receive)
		sender.Send(t.Context(), []Delivery{{ID: "a"}})
		if len(diary.at) != 4 {
			t.Fatalf("sent %d times, not 4", len(diary.at))
		}
		for i, pause := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			// The task's own pauses, of 30 ms at most, come on top.
			if gap := diary.at[i+1].Sub(diary.at[i]); gap < pause || gap > pause+30*time.Millisecond {
				t.Errorf("redelivery %d came after %v, not after %v", i+1, gap, pause)
			}
		}
	})
}

func TestThePauseStopsGrowing(t *testing.T) {
	sender := &Sender{Pause: time.Second}
	for again, want := range map[int]time.Duration{0: 1, 1: 2, 2: 4, 3: 8, 4: 8, 100: 8} {
		if got := sender.pause(again); got != want*time.Second {
			t.Errorf("the pause after %d redeliveries is %v, not %v", again, got, want*time.Second)
		}
	}
}

func TestAsManyDeliveriesAreUnderWayAsThereAreWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Takes: time.Second})
		sender, diary := r.sender(3), &diary{}
		sender.Handle = diary.around(r.receive)
		var deliveries []Delivery
		for i := range 10 {
			deliveries = append(deliveries, Delivery{ID: strconv.Itoa(i)})
		}
		sender.Send(t.Context(), deliveries)
		if diary.busiest != 3 {
			t.Errorf("%d at once", diary.busiest)
		}
		wantTally(t, sender.Tally, 10, 0, 0, 0, 0, 0)
	})
}

func TestNothingToSendEndsAtOnce(t *testing.T) {
	if left := newReceiver(&Service{}).sender(2).Send(t.Context(), nil); left != 0 {
		t.Errorf("%d left", left)
	}
}

func TestASenderThatIsInterruptedLeavesTheRestBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Takes: time.Second})
		sender, diary := r.sender(1), &diary{}
		sender.Handle = diary.around(r.receive)
		sender.Redeliveries = 0 // so that what fails with ctx could be taken for given up
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		left := sender.Send(ctx, []Delivery{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}, {ID: "e"}})
		if left != 3 || diary.now != 0 {
			t.Errorf("%d left, %d still under way", left, diary.now)
		}
		if len(diary.at) != 3 {
			t.Errorf("%d were handed out", len(diary.at))
		}
		wantTally(t, sender.Tally, 2, 0, 0, 1, 0, 0)
		r.handled(t, "c", 0)
	})
}
