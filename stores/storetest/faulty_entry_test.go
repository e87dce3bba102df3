package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cmdx-go/cmdx/stores"
)

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
