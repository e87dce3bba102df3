package stores

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

var background = context.Background()

func TestMemoryEndsAKeyAtTheMillisecond(t *testing.T) {
	for _, c := range []struct{ ttl, lives time.Duration }{
		{1, time.Millisecond},
		{999 * time.Microsecond, time.Millisecond},
		{time.Millisecond, time.Millisecond},
		{time.Millisecond + 1, 2 * time.Millisecond},
		{1500 * time.Microsecond, 2 * time.Millisecond},
		{time.Hour, time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			m, token := NewMemory(), NewToken()
			claim := []Entry{{Kind: KindClaim, Key: "claim", TTL: c.ttl}}
			if _, err := m.Set(background, "set", "1", SetOptions{TTL: c.ttl}); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Incr(background, "incr", c.ttl); err != nil {
				t.Fatal(err)
			}
			if got, err := m.Enter(background, token, claim, 0); err != nil || got.Verdict != VerdictEntered {
				t.Fatal(got, err)
			}
			time.Sleep(c.lives - 1)
			got, err := m.Enter(background, NewToken(), claim, 0)
			if err != nil || got.Verdict != VerdictRefused || got.RetryAfter != time.Millisecond {
				t.Errorf("ttl %s: a nanosecond before the end: got %+v, %v, want refused with RetryAfter 1ms", c.ttl, got, err)
			}
			for _, key := range []string{"set", "incr", "claim"} {
				if _, found, _ := m.Get(background, key); !found {
					t.Errorf("ttl %s: %s is gone a nanosecond before its end", c.ttl, key)
				}
			}
			time.Sleep(time.Nanosecond)
			for _, key := range []string{"set", "incr", "claim"} {
				if _, found, _ := m.Get(background, key); found {
					t.Errorf("ttl %s: %s is there at its end", c.ttl, key)
				}
			}
		})
	}
}

func TestMemoryTellsHowLongAClaimStandsInTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory()
		for _, c := range []struct {
			key        string
			ttl, after time.Duration
			want       time.Duration
		}{
			{"a", 10 * time.Second, 0, 10 * time.Second},
			{"b", 10 * time.Second, 3 * time.Second, 7 * time.Second},
			{"c", 10 * time.Second, 3*time.Second + 1, 7 * time.Second},
			{"d", math.MaxInt64, 0, math.MaxInt64},
		} {
			claim := []Entry{{Kind: KindClaim, Key: c.key, TTL: c.ttl}}
			if _, err := m.Enter(background, NewToken(), claim, 0); err != nil {
				t.Fatal(err)
			}
			time.Sleep(c.after)
			got, _ := m.Enter(background, NewToken(), claim, 0)
			if got.RetryAfter != c.want && !(c.ttl == math.MaxInt64 && got.RetryAfter > math.MaxInt64/2) {
				t.Errorf("%s: got RetryAfter %s, want %s", c.key, got.RetryAfter, c.want)
			}
		}
	})
}

func TestMemoryKeepsHugeLifetimesForDecades(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory()
		const century = 100 * 365 * 24 * time.Hour
		for key, ttl := range map[string]time.Duration{"century": century, "most": math.MaxInt64} {
			if _, err := m.Set(background, key, "1", SetOptions{TTL: ttl}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(century - time.Millisecond)
		if _, err := m.Set(background, "later", "1", SetOptions{TTL: math.MaxInt64}); err != nil { // now+ttl overflows
			t.Fatal(err)
		}
		for _, key := range []string{"century", "most", "later"} {
			if _, found, _ := m.Get(background, key); !found {
				t.Errorf("%s has not lived for a century", key)
			}
		}
		time.Sleep(time.Hour)
		if _, found, _ := m.Get(background, "century"); found {
			t.Error("a century is over, and the key is still there")
		}
		if _, found, _ := m.Get(background, "most"); !found {
			t.Error("the largest lifetime has ended after a century")
		}
	})
}

func TestMemoryClockNeverGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shard{}
		born := time.Now()
		time.Sleep(time.Hour)
		if got := s.read(time.Since(born)); got != time.Hour {
			t.Fatalf("got %s, want 1h", got)
		}
		if got := s.read(time.Since(born.Add(time.Minute))); got != time.Hour { // as if the clock stood a minute earlier
			t.Errorf("went back to %s", got)
		}
	})
}

func TestMemoryCloseDoesNoHarm(t *testing.T) {
	m := NewMemory()
	done := make(chan error)
	for range 2 {
		go func() { done <- errors.Join(m.Close(), m.Close()) }()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if stored, err := m.Set(background, "a", "1", SetOptions{TTL: time.Hour}); !stored || err != nil {
		t.Errorf("after Close: got %t, %v", stored, err)
	}
	if _, found, err := m.Get(background, "a"); !found || err != nil {
		t.Errorf("after Close: got %t, %v", found, err)
	}
}

func TestMemoryThatNobodyMadeGivesErrors(t *testing.T) {
	token := NewToken()
	entries := []Entry{{Kind: KindClaim, Key: "a", TTL: time.Hour}}
	for _, m := range []*Memory{nil, {}} {
		_, _, errGet := m.Get(background, "a")
		_, errSet := m.Set(background, "a", "1", SetOptions{TTL: time.Hour})
		_, errIncr := m.Incr(background, "a", time.Hour)
		_, errDelete := m.Delete(background, "a")
		_, errEnter := m.Enter(background, token, entries, 0)
		_, errExtend := m.Extend(background, token, entries)
		_, errLeave := m.Leave(background, token, entries)
		m.TakeBack(token, entries)
		for i, err := range []error{errGet, errSet, errIncr, errDelete, errEnter, errExtend, errLeave} {
			if err == nil {
				t.Errorf("call %d gave no error", i)
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestMemoryTakesAMissingContextForOneThatNeverEnds(t *testing.T) {
	m := NewMemory()
	var none context.Context
	if stored, err := m.Set(none, "a", "1", SetOptions{TTL: time.Hour}); !stored || err != nil {
		t.Errorf("got %t, %v", stored, err)
	}
}
