package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

func TestFaultyEntryErrors(t *testing.T) {
	absent := func(inner *stores.Memory, keys ...string) error {
		for _, key := range keys {
			if _, found, _ := inner.Get(ctx, key); found {
				return fmt.Errorf("%s is still there", key)
			}
		}
		return nil
	}
	a, b, c := claimOf("a", 0), claimOf("b", 0), claimOf("c", 0)

	t.Run("enter", func(t *testing.T) {
		inner, token := stores.NewMemory(), stores.NewToken()
		f := NewFaulty(inner)
		f.FailEntry(OpEnter, "b", 1, errAway)
		got, err := f.Enter(ctx, token, []stores.Entry{a, b, c}, 0)
		if err != nil || got.Verdict != stores.VerdictError || got.At != 1 || !errors.Is(got.Err, errAway) {
			t.Errorf("got %+v, %v, want the entry's error at 1", got, err)
		}
		if err := absent(inner, "a", "b", "c"); err != nil {
			t.Error(err)
		}
		if got, err := f.Enter(ctx, token, []stores.Entry{a, b, c}, 0); err != nil || got.Verdict != stores.VerdictEntered {
			t.Errorf("after the fault: got %+v, %v", got, err)
		}
	})
	t.Run("enter, stepped over", func(t *testing.T) {
		inner, token := stores.NewMemory(), stores.NewToken()
		f := NewFaulty(inner)
		f.FailEntry(OpEnter, "b", 1, errAway)
		f.FailEntry(OpEnter, "c", 1, nil)
		b, c := b, c
		b.StepOver, c.StepOver = true, true
		got, err := f.Enter(ctx, token, []stores.Entry{a, b, c}, 0)
		if err != nil || got.Verdict != stores.VerdictEntered || len(got.SteppedOver) != 2 || got.SteppedOver[0].At != 1 || !errors.Is(got.SteppedOver[0].Err, errAway) || !errors.Is(got.SteppedOver[1].Err, ErrPlanned) {
			t.Errorf("got %+v, %v, want b and c stepped over", got, err)
		}
		if err := absent(inner, "b", "c"); err != nil {
			t.Error(err)
		}
		if err := absent(inner, "a"); err == nil {
			t.Error("a was not taken")
		}
	})
	t.Run("enter, refused before and behind", func(t *testing.T) {
		inner, token := stores.NewMemory(), stores.NewToken()
		f := NewFaulty(inner)
		_, _ = inner.Enter(ctx, stores.NewToken(), []stores.Entry{c}, 0)
		b := b
		b.StepOver = true
		f.FailEntry(OpEnter, "b", 2, errAway)
		if got, err := f.Enter(ctx, token, []stores.Entry{c, b}, 0); err != nil || got.Verdict != stores.VerdictRefused || got.At != 0 {
			t.Errorf("got %+v, %v, want refused at 0", got, err)
		}
		if f.Pending() != 2 {
			t.Errorf("%d faults pending: an entry that was not reached cannot fail", f.Pending())
		}
		got, err := f.Enter(ctx, token, []stores.Entry{a, b, c}, 0)
		if err != nil || got.Verdict != stores.VerdictRefused || got.At != 2 || len(got.SteppedOver) != 1 {
			t.Errorf("got %+v, %v, want refused at 2 with b stepped over", got, err)
		}
		if err := absent(inner, "a", "b"); err != nil {
			t.Error(err)
		}
	})
	t.Run("extend and leave", func(t *testing.T) {
		inner, token := stores.NewMemory(), stores.NewToken()
		f := NewFaulty(inner)
		_, _ = inner.Enter(ctx, token, []stores.Entry{a, b, c}, 0)
		f.FailEntry(OpExtend, "b", 1, errAway)
		f.FailEntry(OpLeave, "b", 1, errAway)
		f.FailEntry(OpGet, "b", 1, errAway) // a verb has no entries
		outcomes := func(answers []stores.Answer, err error) []stores.Outcome {
			if err != nil || len(answers) != 3 || !errors.Is(answers[1].Err, errAway) {
				t.Errorf("got %v, %v", answers, err)
			}
			var all []stores.Outcome
			for _, answer := range answers {
				all = append(all, answer.Outcome)
			}
			return all
		}
		want := []stores.Outcome{stores.OutcomeDone, stores.OutcomeError, stores.OutcomeDone}
		if got := outcomes(f.Extend(ctx, token, []stores.Entry{a, b, c})); !slices.Equal(got, want) {
			t.Errorf("Extend: got %v, want %v", got, want)
		}
		if answers, err := f.Leave(ctx, token, []stores.Entry{b}); err != nil || answers[0].Outcome != stores.OutcomeDone {
			t.Errorf("an entry without a part: got %v, %v", answers, err)
		}
		if got := outcomes(f.Leave(ctx, token, do(stores.PartRelease, a, b, c))); !slices.Equal(got, want) {
			t.Errorf("Leave: got %v, want %v", got, want)
		}
		if err := absent(inner, "a", "c"); err != nil {
			t.Error(err)
		}
		if err := absent(inner, "b"); err == nil {
			t.Error("b was left in spite of its fault")
		}
		if f.Pending() != 0 {
			t.Errorf("%d faults are left", f.Pending())
		}
	})
}

func TestFaultyKeepsALog(t *testing.T) {
	f, token := NewFaulty(nil), stores.NewToken()
	var watched []string
	f.Watch(func(c Call) { watched = append(watched, c.String()) })
	within, cancel := context.WithTimeout(ctx, time.Hour)
	_, _ = f.Set(within, "a", "1", stores.SetOptions{TTL: time.Minute, NX: true})
	_, _ = f.Incr(ctx, "n", time.Second)
	cancel()
	_, _, _ = f.Get(within, "a")
	_, _ = f.Delete(ctx, "a")
	_, _ = f.Enter(ctx, token, []stores.Entry{claimOf("x", 0), claimOf("y", 0)}, 1)
	_, _ = f.Extend(ctx, token, []stores.Entry{claimOf("y", 0)})
	_, _ = f.Leave(ctx, token, []stores.Entry{claimOf("x", stores.PartRelease), claimOf("y", stores.PartComplete)})
	f.TakeBack(stores.Token{}, nil)

	want := []string{"set a", "incr n", "get a", "delete a", "enter x y from 1", "extend y", "leave x=release y=complete", "take back"}
	if got := f.Trace(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !slices.Equal(watched, want) {
		t.Errorf("watched %q, want %q", watched, want)
	}
	calls := f.Calls()
	set, incr, get, leave, takeBack := calls[0], calls[1], calls[2], calls[6], calls[7]
	if !set.HasDeadline || set.Ended || set.HasToken() || set.Value != "1" || !set.Options.NX || set.Options.TTL != time.Minute {
		t.Errorf("set: got %+v", set)
	}
	if incr.HasDeadline || incr.Options.TTL != time.Second || !get.Ended {
		t.Errorf("got %+v and %+v", incr, get)
	}
	if leave.Token != token || !leave.HasToken() || leave.Key != "x" || leave.Part != stores.PartRelease || len(leave.Entries) != 2 {
		t.Errorf("leave: got %+v", leave)
	}
	if takeBack.HasToken() || takeBack.Key != "" {
		t.Errorf("take back: got %+v", takeBack)
	}
	if got := f.CallsOf(OpLeave); len(got) != 1 || got[0].Op != OpLeave {
		t.Errorf("got %v", got)
	}
	f.Forget()
	if len(f.Calls()) != 0 {
		t.Error("the log was not forgotten")
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

func TestPlainHidesTheGuards(t *testing.T) {
	inner := stores.NewMemory()
	for _, s := range []stores.Store{Plain(inner), Plain(nil)} {
		if _, err := stores.AsGuards(s); !errors.Is(err, stores.ErrUnsupported) {
			t.Errorf("got %v, want ErrUnsupported", err)
		}
		if stored, err := s.Set(ctx, "a", "1", stores.SetOptions{TTL: time.Minute}); !stored || err != nil {
			t.Errorf("got %t, %v", stored, err)
		}
	}
	if value, found, _ := inner.Get(ctx, "a"); value != "1" || !found {
		t.Error("the store inside was not written to")
	}
}

func TestOperationsHaveWords(t *testing.T) {
	seen := map[string]bool{}
	for op := range opCount {
		if word := op.String(); word == "" || word == Op(99).String() || seen[word] {
			t.Errorf("operation %d is called %q", op, word)
		}
		seen[op.String()] = true
	}
}
