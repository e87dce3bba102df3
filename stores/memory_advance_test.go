package stores

import (
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryAdvanceEndsWhatIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory()
		token := NewToken()
		entries := []Entry{{Kind: KindClaim, Key: "claim", TTL: time.Hour, Keep: time.Hour, Part: PartComplete}}
		if _, err := m.Enter(background, token, entries, 0); err != nil {
			t.Fatal(err)
		}
		m.Advance(time.Hour - time.Millisecond)
		if got, _ := m.Enter(background, NewToken(), entries, 0); got.Verdict != VerdictRefused || got.RetryAfter != time.Millisecond {
			t.Errorf("a millisecond before the end: got %+v", got)
		}
		m.Advance(time.Millisecond)
		if answers, err := m.Leave(background, token, entries); err != nil || answers[0].Outcome != OutcomeLost {
			t.Errorf("the owner of an ended claim: got %+v, %v", answers, err)
		}
		if got, _ := m.Enter(background, NewToken(), entries, 0); got.Verdict != VerdictEntered {
			t.Errorf("at the end: got %+v", got)
		}
	})
}

func TestMemoryAdvanceAndTimeAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory()
		m.Set(background, "k", "v", SetOptions{TTL: time.Minute})
		m.Advance(30 * time.Second)
		time.Sleep(30*time.Second - 1)
		if _, found, _ := m.Get(background, "k"); !found {
			t.Error("gone a nanosecond early")
		}
		time.Sleep(time.Nanosecond)
		if _, found, _ := m.Get(background, "k"); found {
			t.Error("there at its end")
		}
	})
}

func TestMemoryAdvanceNeverGoesBackNorOver(t *testing.T) {
	m := NewMemory()
	m.Set(background, "k", "v", SetOptions{TTL: time.Hour})
	for _, d := range []time.Duration{0, -1, -2 * time.Hour, math.MinInt64} {
		m.Advance(d)
	}
	if _, found, _ := m.Get(background, "k"); !found {
		t.Error("what is not positive moved the clock")
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { m.Advance(math.MaxInt64) })
	}
	wg.Wait()
	if _, found, _ := m.Get(background, "k"); found {
		t.Error("292 years changed nothing")
	}
}
