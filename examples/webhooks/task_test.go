package main

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cmdx-go/cmdx"
)

// receiver is a runtime with the task that it runs.
type receiver struct {
	*cmdx.Runtime
	*HandleDelivery
}

func newReceiver(service *Service) *receiver {
	return &receiver{cmdx.New(cmdx.Configuration{}), &HandleDelivery{Service: service, Ledger: &Ledger{}}}
}

func (r *receiver) receive(ctx context.Context, d Delivery) *cmdx.Result {
	return r.Runtime.Execute(ctx, r.HandleDelivery, d)
}

func (r *receiver) handled(t *testing.T, id string, want int) {
	t.Helper()
	r.Ledger.mu.Lock()
	defer r.Ledger.mu.Unlock()
	if got := r.Ledger.times[id]; got != want {
		t.Errorf("%q was handled %d times, not %d", id, got, want)
	}
}

func firstCallsFail(n int) func(string, int) bool {
	return func(_ string, call int) bool { return call <= n }
}

func wantDuplicate(t *testing.T, r *cmdx.Result, status cmdx.Status, state string) {
	t.Helper()
	m := r.Metadata()
	if r.Status() != status || m["code"] != "duplicate" || m["state"] != state {
		t.Errorf("%v %v, not a %v duplicate with state %q", r, m, status, state)
	}
	if want := "cmdx:idem:HandleDelivery:a"; m["idempotency_key"] != want {
		t.Errorf("the key is %v, not %q", m["idempotency_key"], want)
	}
}

func TestTheTaskIsDeclaredWell(t *testing.T) {
	if err := cmdx.Validate(&HandleDelivery{}); err != nil {
		t.Error(err)
	}
}

func TestTheTaskReadsTheDelivery(t *testing.T) {
	r := newReceiver(&Service{})
	result := r.receive(t.Context(), Delivery{ID: "a", Event: "ping", Body: json.RawMessage(`{"zen":1}`)})
	if !result.IsSuccess() {
		t.Fatal(result)
	}
	done := result.Task().(*HandleDelivery)
	if done.Delivery != "a" || done.Event != "ping" || string(done.Body) != `{"zen":1}` {
		t.Errorf("Work saw %q, %q, %s", done.Delivery, done.Event, done.Body)
	}
	if result := r.receive(t.Context(), Delivery{ID: "no-body"}); !result.IsSuccess() {
		t.Errorf("a delivery without a body: %v", result)
	}
}

func TestWhatWasHandledIsAcknowledgedAndNotHandledAgain(t *testing.T) {
	r := newReceiver(&Service{})
	if first := r.receive(t.Context(), Delivery{ID: "a"}); !first.IsSuccess() || !acknowledged(first) {
		t.Fatal(first)
	}
	again := r.receive(t.Context(), Delivery{ID: "a"})
	wantDuplicate(t, again, cmdx.StatusSkipped, "completed")
	if !acknowledged(again) {
		t.Error("the sender would send it for ever")
	}
	r.handled(t, "a", 1)
	if other := r.receive(t.Context(), Delivery{ID: "b"}); !other.IsSuccess() {
		t.Errorf("another delivery: %v", other)
	}
}

func TestADuplicateInProgressIsNotAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Takes: time.Second})
		first := make(chan *cmdx.Result, 1)
		go func() { first <- r.receive(t.Context(), Delivery{ID: "a"}) }()
		synctest.Wait()
		second := r.receive(t.Context(), Delivery{ID: "a"})
		wantDuplicate(t, second, cmdx.StatusFailed, "processing")
		if acknowledged(second) {
			t.Error("it is acknowledged although the work is not done")
		}
		if result := <-first; !result.IsSuccess() {
			t.Error(result)
		}
		r.handled(t, "a", 1)
	})
}

func TestAServiceThatIsAwayIsAskedAgainUnderTheSameClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Fails: firstCallsFail(3)})
		result := r.receive(t.Context(), Delivery{ID: "a"})
		if !result.IsSuccess() || result.Retries() != 3 {
			t.Errorf("%v after %d retries", result, result.Retries())
		}
		r.handled(t, "a", 1)
	})
}

func TestWhatFailedForGoodMayBeDeliveredAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Fails: firstCallsFail(4)})
		failed := r.receive(t.Context(), Delivery{ID: "a"})
		if !failed.IsFailed() || !errors.Is(failed.Err(), ErrUnavailable) || acknowledged(failed) {
			t.Errorf("after four failing calls: %v", failed)
		}
		r.handled(t, "a", 0)
		if again := r.receive(t.Context(), Delivery{ID: "a"}); !again.IsSuccess() {
			t.Errorf("the redelivery: %v", again)
		}
		r.handled(t, "a", 1)
	})
}

func TestADeliveryWithoutAnIdFails(t *testing.T) {
	r := newReceiver(&Service{})
	if result := r.receive(t.Context(), Delivery{}); !result.IsFailed() || result.Metadata()["code"] != cmdx.CodeKeyBlank {
		t.Errorf("%v %v", result, result.Metadata())
	}
	r.handled(t, "", 0)
}

func TestWhatWasHandledIsRememberedForADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{})
		r.receive(t.Context(), Delivery{ID: "a"})
		time.Sleep(24*time.Hour - time.Millisecond)
		wantDuplicate(t, r.receive(t.Context(), Delivery{ID: "a"}), cmdx.StatusSkipped, "completed")
		r.handled(t, "a", 1)
	})
}

func TestTheClaimOutlivesTheLongestWorkWithAllItsRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(&Service{Takes: longestWork, Fails: firstCallsFail(3)})
		first := make(chan *cmdx.Result, 1)
		go func() { first <- r.receive(t.Context(), Delivery{ID: "a"}) }()
		time.Sleep(4*longestWork - time.Second)
		wantDuplicate(t, r.receive(t.Context(), Delivery{ID: "a"}), cmdx.StatusFailed, "processing")
		if result := <-first; !result.IsSuccess() {
			t.Error(result)
		}
		r.handled(t, "a", 1)
	})
}
