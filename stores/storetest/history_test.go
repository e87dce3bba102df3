package storetest

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

func memory(*testing.T) stores.Store { return stores.NewMemory() }

func TestMemoryHasAHistory(t *testing.T) {
	CheckHistory(t, HistorySuite{Suite: Suite{New: memory, Wrap: synctest.Test}, Rounds: 100})
}

func TestMemoryHasAHistoryOfLocks(t *testing.T) {
	CheckHistory(t, HistorySuite{Suite: Suite{New: memory, Wrap: synctest.Test}, Rounds: 100, Locks: true})
}

func TestAHistoryOfLocksShowsBrokenStores(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(stores.Guards) stores.Guards
	}{
		{"ignores the token at release", func(g stores.Guards) stores.Guards { return releasesAnybody{g} }},
		{"forgets NX", func(g stores.Guards) stores.Guards { return forgetsNX{g} }},
		{"looks before it takes", func(g stores.Guards) stores.Guards { return looksBeforeItTakes{g} }},
		{"extends what has expired", func(g stores.Guards) stores.Guards { return extendsTheDead{g} }},
		{"lets locks live on", func(g stores.Guards) stores.Guards { return livesOn{g} }},
		{"forgets tokens", func(g stores.Guards) stores.Guards { return forgetfulOfToken{g} }},
		{"takes nothing back", func(g stores.Guards) stores.Guards { return noTakeBack{g} }},
		{"tells too long a wait", func(g stores.Guards) stores.Guards { return tellsTooLong{g} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			suite := HistorySuite{
				Suite: Suite{New: func(*testing.T) stores.Store { return c.make(stores.NewMemory()) }, Wrap: synctest.Test},
				Locks: true,
			}.withDefaults()
			for round := range 200 {
				if problem := suite.judge(t, round); problem != "" {
					if !strings.Contains(problem, "no order of the calls explains") {
						t.Errorf("another problem was found: %s", problem)
					}
					return
				}
			}
			t.Errorf("nothing was found in 200 rounds of seed %d", suite.Seed)
		})
	}
}

func TestMemoryHasAHistoryUnderACrowd(t *testing.T) {
	CheckHistory(t, HistorySuite{
		Suite: Suite{New: memory, Wrap: synctest.Test}, Rounds: 20, Workers: 12, Keys: 4, Steps: 12,
	})
}

func TestMemoryHasAHistoryInRealTime(t *testing.T) {
	CheckHistory(t, HistorySuite{
		Suite: Suite{New: memory, Unit: 8 * time.Millisecond}, Rounds: 10, Tolerance: 2 * time.Millisecond,
	})
}

// Stores that break the rules in what only a history shows, or that anybody
// would see.
type (
	releasesAnybody    struct{ stores.Guards }
	completesAnything  struct{ stores.Guards }
	forgetsNX          struct{ stores.Guards }
	looksBeforeItTakes struct{ stores.Guards }
	extendsTheDead     struct{ stores.Guards }
	extendsTheDone     struct{ stores.Guards }
	onlySaysExtended   struct{ stores.Guards }
	livesOn            struct{ stores.Guards }
	endsEarly          struct{ stores.Guards }
	refusesItself      struct{ stores.Guards }
	tellsTooLong       struct{ stores.Guards }
	answersTwoKeys     struct{ stores.Guards }
)

func (s releasesAnybody) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	if entries[0].Part == stores.PartRelease {
		_, err := s.Delete(ctx, entries[0].Key)
		return []stores.Answer{{Outcome: stores.OutcomeDone}}, err
	}
	return s.Guards.Leave(ctx, token, entries)
}

func (s completesAnything) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	answers, err := s.Guards.Leave(ctx, token, entries)
	if e := entries[0]; err == nil && e.Part == stores.PartComplete && answers[0].Outcome == stores.OutcomeLost {
		_, err = s.Set(ctx, e.Key, stores.ValueCompleted, stores.SetOptions{TTL: e.Keep})
		answers[0].Outcome = stores.OutcomeDone
	}
	return answers, err
}

func (s forgetsNX) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	_, err := s.Delete(ctx, entries[0].Key)
	if err != nil {
		return stores.Entered{}, err
	}
	return s.Guards.Enter(ctx, token, entries, from)
}

// Enter is right as long as nobody comes between the look and the deed.
func (s looksBeforeItTakes) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	if _, found, _ := s.Get(ctx, entries[0].Key); found {
		return s.Guards.Enter(ctx, token, entries, from)
	}
	runtime.Gosched()
	_, _ = s.Delete(ctx, entries[0].Key)
	return s.Guards.Enter(ctx, token, entries, from)
}

func (s extendsTheDead) Extend(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	answers, err := s.Guards.Extend(ctx, token, entries)
	if err == nil && answers[0].Outcome == stores.OutcomeLost {
		if got, _ := s.Enter(ctx, token, entries, 0); got.Verdict == stores.VerdictEntered {
			answers[0].Outcome = stores.OutcomeDone
		}
	}
	return answers, err
}

func (s extendsTheDone) Extend(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	answers, err := s.Guards.Extend(ctx, token, entries)
	if e := entries[0]; err == nil && answers[0].Outcome == stores.OutcomeLost {
		e.Keep, e.Part = e.TTL, stores.PartComplete
		_, err = s.Leave(ctx, token, []stores.Entry{e})
	}
	return answers, err
}

func (s onlySaysExtended) Extend(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	value, _, err := s.Get(ctx, entries[0].Key)
	outcome := stores.OutcomeLost
	if value == stores.ValueProcessing {
		outcome = stores.OutcomeDone
	}
	return []stores.Answer{{Outcome: outcome}}, err
}

func (s livesOn) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	entries = slices.Clone(entries)
	entries[0].TTL *= 2
	got, err := s.Guards.Enter(ctx, token, entries, from)
	got.RetryAfter = 0
	return got, err
}

func (s endsEarly) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	entries = slices.Clone(entries)
	entries[0].Keep /= 3
	return s.Guards.Leave(ctx, token, entries)
}

func (s refusesItself) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	if value, found, _ := s.Get(ctx, entries[0].Key); found {
		return stores.Entered{Verdict: stores.VerdictRefused, State: value}, nil
	}
	return s.Guards.Enter(ctx, token, entries, from)
}

func (s tellsTooLong) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	got, err := s.Guards.Enter(ctx, token, entries, from)
	got.RetryAfter *= 2
	return got, err
}

func (s answersTwoKeys) Get(ctx context.Context, key string) (string, bool, error) {
	return s.Guards.Get(ctx, key[:len(key)-1]+"0")
}

func TestAHistoryShowsBrokenStores(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(stores.Guards) stores.Guards
	}{
		{"ignores the token at release", func(g stores.Guards) stores.Guards { return releasesAnybody{g} }},
		{"completes without asking for the owner", func(g stores.Guards) stores.Guards { return completesAnything{g} }},
		{"forgets NX", func(g stores.Guards) stores.Guards { return forgetsNX{g} }},
		{"looks before it takes", func(g stores.Guards) stores.Guards { return looksBeforeItTakes{g} }},
		{"extends what has expired", func(g stores.Guards) stores.Guards { return extendsTheDead{g} }},
		{"extends completed claims", func(g stores.Guards) stores.Guards { return extendsTheDone{g} }},
		{"only says that it extends", func(g stores.Guards) stores.Guards { return onlySaysExtended{g} }},
		{"lets claims live on", func(g stores.Guards) stores.Guards { return livesOn{g} }},
		{"ends completions early", func(g stores.Guards) stores.Guards { return endsEarly{g} }},
		{"refuses the holder itself", func(g stores.Guards) stores.Guards { return refusesItself{g} }},
		{"tells too long a wait", func(g stores.Guards) stores.Guards { return tellsTooLong{g} }},
		{"mixes up keys", func(g stores.Guards) stores.Guards { return answersTwoKeys{g} }},
		{"forgets tokens", func(g stores.Guards) stores.Guards { return forgetfulOfToken{g} }},
		{"takes nothing back", func(g stores.Guards) stores.Guards { return noTakeBack{g} }},
		{"takes back completions", func(g stores.Guards) stores.Guards { return greedyTakeBack{g} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			suite := HistorySuite{
				Suite: Suite{New: func(*testing.T) stores.Store { return c.make(stores.NewMemory()) }, Wrap: synctest.Test},
			}.withDefaults()
			for round := range 200 {
				problem := suite.judge(t, round)
				if problem == "" {
					continue
				}
				if !strings.Contains(problem, "no order of the calls explains") {
					t.Errorf("another problem was found: %s", problem)
				}
				return
			}
			t.Errorf("nothing was found in 200 rounds of seed %d", suite.Seed)
		})
	}
}

// What only others at the same time bring to light needs others.
func TestAHistoryOfOneWorkerDoesNotShowARace(t *testing.T) {
	CheckHistory(t, HistorySuite{
		Suite: Suite{
			New:  func(*testing.T) stores.Store { return looksBeforeItTakes{stores.NewMemory()} },
			Wrap: synctest.Test,
		},
		Rounds: 50, Workers: 1,
	})
}

func TestAHistoryShowsAStoreThatNeverAnswers(t *testing.T) {
	suite := HistorySuite{Suite: Suite{New: func(*testing.T) stores.Store {
		f := NewFaulty(nil)
		for op := range opCount {
			f.LoseAnswer(op, Always)
		}
		return f
	}, Wrap: synctest.Test}}.withDefaults()
	if problem := suite.judge(t, 0); !strings.Contains(problem, "unexpected error") {
		t.Errorf("got %q, want an unexpected error", problem)
	}
}

func TestAHistoryNeedsGuards(t *testing.T) {
	suite := HistorySuite{Suite: Suite{New: func(*testing.T) stores.Store { return Plain(nil) }}}.withDefaults()
	if problem := suite.judge(t, 0); !strings.Contains(problem, "stores.Guards") {
		t.Errorf("got %q, want a word about stores.Guards", problem)
	}
}
