package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// HistorySuite says how [CheckHistory] works a store. Of the Suite, New, Wrap,
// Unit, Settle and Prefix are used; Advance is not: the workers sleep, so a
// store needs package time's clock or a real one. Only New is needed.
type HistorySuite struct {
	Suite
	// Rounds is how many histories are made, each on a new store and new
	// keys. Zero means 20.
	Rounds int
	// Workers is how many goroutines act at once. Zero means 4.
	Workers int
	// Keys is how many keys they share. Zero means 2.
	Keys int
	// Steps is how many calls each worker makes. Zero means 20; the time that
	// judging takes grows steeply with the calls per key.
	Steps int
	// Tolerance is by how much the store's clock may differ from ours over a
	// lifetime, its rounding included. Zero means a tenth of a unit.
	Tolerance time.Duration
	// Seed draws what the workers do, not how they meet. Zero draws one,
	// which a failure shows.
	Seed uint64
	// Locks lets the workers take locks instead of claims.
	Locks bool
	// Late lets calls whose answer was lost reach the store later, also
	// behind the TakeBack of their run. It is for stores with a server
	// between them and the caller.
	Late bool
	// Restart ends what the store stands on and starts it again; it returns
	// when calls are answered again. It is called once in each round while
	// the workers go on, and calls may fail meanwhile. A client below the
	// store must not send anything twice by itself. Nil restarts nothing.
	Restart func()
	// Forgets says that nothing the store held outlives a Restart. By default
	// all of it has to.
	Forgets bool
}

// CheckHistory lets many workers enter, extend, leave and take back claims or
// locks on a few keys, lets them expire, loses answers, and asks whether what was
// answered can be explained by calls that happened one after another, each
// between its beginning and its end, under the rules of [stores.Guards]. A
// call without an answer may have happened at any later time, or not at all.
// A history that cannot be explained fails t and is shown.
func CheckHistory(t *testing.T, suite HistorySuite) {
	t.Helper()
	suite = suite.withDefaults()
	for round := range suite.Rounds {
		if problem := suite.judge(t, round); problem != "" {
			t.Errorf("round %d of seed %d: %s", round, suite.Seed, problem)
			return
		}
	}
}

func (s HistorySuite) withDefaults() HistorySuite {
	orDefault := func(n *int, standard int) {
		if *n <= 0 {
			*n = standard
		}
	}
	orDefault(&s.Rounds, 20)
	orDefault(&s.Workers, 4)
	orDefault(&s.Keys, 2)
	orDefault(&s.Steps, 20)
	if s.Unit <= 0 {
		s.Unit = defaultUnit
	}
	if s.Tolerance <= 0 {
		s.Tolerance = s.Unit / 10
	}
	if s.Seed == 0 {
		s.Seed = rand.Uint64() | 1
	}
	if s.Wrap == nil {
		s.Wrap = func(t *testing.T, body func(*testing.T)) { body(t) }
	}
	return s
}

// judge makes the history of one round and tells what is wrong with it; ""
// for nothing.
func (s HistorySuite) judge(t *testing.T, round int) string {
	t.Helper()
	var made *history
	var problems []string
	s.Wrap(t, func(t *testing.T) {
		e := s.env(s.New(t))
		if e.guards == nil {
			problems = []string{fmt.Sprintf("%T has the four plain verbs only: a history needs stores.Guards", e.Store)}
			return
		}
		made = s.work(e, round)
		problems = made.problems
	})
	if len(problems) > 0 {
		return problems[0]
	}
	if made == nil { // Wrap has not called its body: there is nothing to judge
		return "Wrap has not run the round"
	}
	return made.explain(keyRules{tolerance: s.Tolerance.Nanoseconds()})
}

// draw is the source of one worker's choices.
func (s HistorySuite) draw(round, worker int) *rand.Rand {
	return rand.New(rand.NewPCG(s.Seed, uint64(round)<<32|uint64(worker)))
}

// lifetime draws a lifetime that ends between the steps of a quarter unit by
// which workers sleep.
func (s HistorySuite) lifetime(random *rand.Rand) time.Duration {
	eighths := 9 + 8*random.IntN(3)
	return (time.Duration(eighths) * s.Unit / 8).Round(time.Millisecond)
}

// pause sleeps for up to one and a half units, in steps of a quarter.
func (s HistorySuite) pause(random *rand.Rand) {
	time.Sleep(time.Duration(random.IntN(7)) * s.Unit / 4)
}

// entry is the entry of a run.
func (s HistorySuite) entry(key string, ttl, keep time.Duration, part stores.Part) []stores.Entry {
	kind := stores.KindClaim
	if s.Locks {
		kind = stores.KindLock
	}
	return []stores.Entry{{Kind: kind, Key: key, TTL: ttl, Keep: keep, Part: part}}
}
