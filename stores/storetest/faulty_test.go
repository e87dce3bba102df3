package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

var (
	ctx     = context.Background()
	errAway = errors.New("the store is away")
)

func claimOf(key string, part stores.Part) stores.Entry {
	return stores.Entry{Kind: stores.KindClaim, Key: key, TTL: time.Minute, Keep: time.Hour, Part: part}
}

// callAll calls every operation that gives an error once, on keys named after
// the operations.
var callAll = map[Op]func(f *Faulty, ctx context.Context, token stores.Token) error{
	OpGet: func(f *Faulty, ctx context.Context, _ stores.Token) error {
		value, found, err := f.Get(ctx, "get")
		return mustBeZero(err, value == "" && !found)
	},
	OpSet: func(f *Faulty, ctx context.Context, _ stores.Token) error {
		stored, err := f.Set(ctx, "set", "1", stores.SetOptions{TTL: time.Minute})
		return mustBeZero(err, !stored)
	},
	OpIncr: func(f *Faulty, ctx context.Context, _ stores.Token) error {
		sum, err := f.Incr(ctx, "incr", time.Minute)
		return mustBeZero(err, sum == 0)
	},
	OpDelete: func(f *Faulty, ctx context.Context, _ stores.Token) error {
		deleted, err := f.Delete(ctx, "delete")
		return mustBeZero(err, !deleted)
	},
	OpEnter: func(f *Faulty, ctx context.Context, token stores.Token) error {
		got, err := f.Enter(ctx, token, []stores.Entry{claimOf("enter", 0)}, 0)
		return mustBeZero(err, got.Verdict == 0)
	},
	OpExtend: func(f *Faulty, ctx context.Context, token stores.Token) error {
		got, err := f.Extend(ctx, token, []stores.Entry{claimOf("extend", 0)})
		return mustBeZero(err, got == nil)
	},
	OpLeave: func(f *Faulty, ctx context.Context, token stores.Token) error {
		got, err := f.Leave(ctx, token, []stores.Entry{claimOf("leave", stores.PartComplete)})
		return mustBeZero(err, got == nil)
	},
}

func mustBeZero(err error, zero bool) error {
	if err != nil && !zero {
		return fmt.Errorf("an answer beside the error %v", err)
	}
	return err
}

// prepared is a store in which every operation of callAll has something to do.
func prepared(t *testing.T) (inner *stores.Memory, f *Faulty, token stores.Token) {
	t.Helper()
	inner, token = stores.NewMemory(), stores.NewToken()
	for _, key := range []string{"get", "delete"} {
		if _, err := inner.Set(ctx, key, "1", stores.SetOptions{TTL: time.Minute}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := inner.Enter(ctx, token, []stores.Entry{claimOf("extend", 0), claimOf("leave", 0)}, 0); err != nil {
		t.Fatal(err)
	}
	return inner, NewFaulty(inner), token
}

// deedsIn tells what the operations that change something have done.
func deedsIn(t *testing.T, inner *stores.Memory) map[Op]bool {
	t.Helper()
	value := func(key string) string {
		v, _, err := inner.Get(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	return map[Op]bool{
		OpSet:    value("set") == "1",
		OpIncr:   value("incr") == "1",
		OpDelete: value("delete") == "",
		OpEnter:  value("enter") == stores.ValueProcessing,
		OpLeave:  value("leave") == stores.ValueCompleted,
	}
}

func wantDeeds(t *testing.T, inner *stores.Memory, done bool) {
	t.Helper()
	for op, was := range deedsIn(t, inner) {
		if was != done {
			t.Errorf("%s: done %t, want %t", op, was, done)
		}
	}
}

func TestFaultyWithoutFaultsKeepsTheContract(t *testing.T) {
	Run(t, Suite{
		New:  func(*testing.T) stores.Store { return NewFaulty(stores.NewMemory()) },
		Wrap: synctest.Test,
	})
}

func TestFaultyFailsBeforeTheDeed(t *testing.T) {
	inner, f, token := prepared(t)
	for op, call := range callAll {
		f.Fail(op, 2, errAway)
		for range 2 {
			if err := call(f, ctx, token); !errors.Is(err, errAway) {
				t.Errorf("%s: got %v, want the planned error", op, err)
			}
		}
	}
	wantDeeds(t, inner, false)
	if f.Pending() != 0 {
		t.Errorf("%d faults are left", f.Pending())
	}
	for op, call := range callAll {
		if err := call(f, ctx, token); err != nil {
			t.Errorf("%s: got %v after its faults", op, err)
		}
	}
	wantDeeds(t, inner, true)
}

func TestFaultyLosesTheAnswerAfterTheDeed(t *testing.T) {
	inner, f, token := prepared(t)
	for op, call := range callAll {
		f.LoseAnswer(op, 1)
		if err := call(f, ctx, token); !errors.Is(err, stores.ErrAnswerLost) {
			t.Errorf("%s: got %v, want ErrAnswerLost", op, err)
		}
	}
	wantDeeds(t, inner, true)
}

func TestFaultyHangsUntilTheContextEnds(t *testing.T) {
	for _, after := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			inner, f, token := prepared(t)
			for op, call := range callAll {
				hang := f.Hang
				if after {
					hang = f.HangAfter
				}
				hangs := hang(op, 1)
				within, cancel := context.WithCancelCause(ctx)
				done := make(chan error, 1)
				go func() { done <- call(f, within, token) }()
				if announced := <-hangs; announced.Op != op {
					t.Errorf("%s: announced %s", op, announced.Op)
				}
				synctest.Wait()
				if len(done) > 0 {
					t.Errorf("%s: came back while ctx was alive", op)
				}
				cancel(errAway)
				if err := <-done; !errors.Is(err, errAway) || errors.Is(err, stores.ErrAnswerLost) != after {
					t.Errorf("%s: got %v, want ctx's cause, with ErrAnswerLost: %t", op, err, after)
				}
			}
			wantDeeds(t, inner, after)
		})
	}
}

func TestFaultyKeepsTheOrderOfPlans(t *testing.T) {
	f := NewFaulty(nil)
	second := errors.New("second")
	f.Fail(OpGet, 1, errAway)
	f.Fail(OpGet, 0, errors.New("never"))
	f.Fail(OpGet, 2, second)
	f.LoseAnswer(OpGet, 1)
	f.Fail(Op(99), 1, errAway)
	if f.Pending() != 4 {
		t.Errorf("%d faults pending, want 4", f.Pending())
	}
	for i, want := range []error{errAway, second, second, stores.ErrAnswerLost, nil} {
		if _, _, err := f.Get(ctx, "a"); !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("call %d: got %v, want %v", i, err, want)
		}
	}
	if _, err := f.Delete(ctx, "a"); err != nil {
		t.Errorf("another operation: got %v", err)
	}
}

func TestFaultyFailsAlwaysUntilHealed(t *testing.T) {
	f := NewFaulty(nil)
	f.Fail(OpGet, Always, nil)
	f.Fail(OpDelete, Always, nil)
	f.FailEntry(OpEnter, "a", Always, nil)
	enter := func() stores.Verdict {
		got, _ := f.Enter(ctx, stores.NewToken(), []stores.Entry{claimOf("a", 0)}, 0)
		return got.Verdict
	}
	for range 20 {
		if _, _, err := f.Get(ctx, "a"); !errors.Is(err, ErrPlanned) {
			t.Fatalf("got %v, want ErrPlanned", err)
		}
		if enter() != stores.VerdictError {
			t.Fatal("the entry's fault has ended")
		}
	}
	if f.Pending() != 0 {
		t.Errorf("%d pending: those for ever do not count", f.Pending())
	}
	f.Heal(OpGet)
	if _, _, err := f.Get(ctx, "a"); err != nil {
		t.Errorf("healed: got %v", err)
	}
	if _, err := f.Delete(ctx, "a"); !errors.Is(err, ErrPlanned) {
		t.Errorf("not healed: got %v", err)
	}
	f.Heal()
	if _, err := f.Delete(ctx, "a"); err != nil || enter() != stores.VerdictEntered {
		t.Errorf("all healed: got %v", err)
	}
}

func TestFaultyTakeBack(t *testing.T) {
	inner, f, token := prepared(t)
	there := func() bool {
		_, found, _ := inner.Get(ctx, "extend")
		return found
	}
	claim := []stores.Entry{claimOf("extend", 0)}
	f.Fail(OpTakeBack, 1, errAway)
	hangs := f.Hang(OpTakeBack, 1)
	f.TakeBack(token, claim)
	f.TakeBack(token, claim)
	if announced := <-hangs; announced.Key != "extend" || announced.Ended {
		t.Errorf("announced %+v", announced)
	}
	if !there() {
		t.Error("a failed TakeBack has taken back")
	}
	f.LoseAnswer(OpTakeBack, 1)
	f.TakeBack(token, claim)
	if there() {
		t.Error("a TakeBack whose answer was lost has done nothing")
	}
}

func TestFaultyMeetsEachPlanOnceAmongMany(t *testing.T) {
	f := NewFaulty(nil)
	f.Fail(OpGet, 30, errAway)
	f.LoseAnswer(OpGet, 20)
	f.FailEntry(OpLeave, "a", 10, errAway)
	var failed, lost, entries atomic.Int64
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			_, _, err := f.Get(ctx, "a")
			if errors.Is(err, errAway) {
				failed.Add(1)
			}
			if errors.Is(err, stores.ErrAnswerLost) {
				lost.Add(1)
			}
			answers, _ := f.Leave(ctx, stores.NewToken(), []stores.Entry{claimOf("a", stores.PartRelease)})
			if answers[0].Outcome == stores.OutcomeError {
				entries.Add(1)
			}
		})
	}
	all.Wait()
	if failed.Load() != 30 || lost.Load() != 20 || entries.Load() != 10 || f.Pending() != 0 {
		t.Errorf("got %d, %d and %d faults, %d pending, want 30, 20, 10 and none", failed.Load(), lost.Load(), entries.Load(), f.Pending())
	}
	if len(f.CallsOf(OpGet)) != 100 {
		t.Errorf("%d calls in the log, want 100", len(f.CallsOf(OpGet)))
	}
}
