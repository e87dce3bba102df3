// Package storetest holds the contract of [stores.Store] and [stores.Guards]
// as cases that can be run against any store, and a wrapper that makes a
// store fail where a test wants it to.
//
// A store of one's own is tested in a few lines:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, storetest.Suite{
//			New: func(t *testing.T) stores.Store { return mystore.Open(t.TempDir()) },
//		})
//	}
package storetest

import (
	"context"
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// defaultUnit is long enough for a store on another machine to answer many
// calls within one unit.
const defaultUnit = time.Second

// Suite says how a store is made and how time passes for it. Only New is
// needed.
type Suite struct {
	// New returns a store for one case. Cases use keys that no other case
	// has, so all of them may share one server. New is called inside Wrap.
	New func(t *testing.T) stores.Store
	// Wrap calls body, which is one case: the place for a testing/synctest
	// bubble. Nil calls body as it is.
	Wrap func(t *testing.T, body func(t *testing.T))
	// Unit is what lifetimes are multiples of. Between two looks at a store
	// at least half a unit lies between what should and what should not have
	// ended, so a store with a real clock needs a unit well above the time
	// of its slowest call. Zero means 1 s.
	Unit time.Duration
	// Advance lets the store's clock pass by. Nil means [time.Sleep], which
	// costs no time inside a bubble.
	Advance func(time.Duration)
	// Settle returns when what [stores.Guards.TakeBack] began behind the
	// caller is done. Nil is for a store that does it at once.
	Settle func()
	// Prefix begins every key. Empty means "storetest".
	Prefix string
	// Without are the kinds of entries that the store does not know: cases
	// that need one of them are skipped, and the store has to refuse the kind
	// with [stores.ErrUnknownKind]. Nil is for a store that knows them all.
	Without []stores.Kind
}

// Case is one sentence of the contract.
type Case struct {
	// Name is a few words for the subtest.
	Name string
	// Explanation is the sentence, as a failure shows it.
	Explanation string
	// NeedsGuards is true when the sentence is one of [stores.Guards]; such
	// a case is skipped for a store that has the four verbs only.
	NeedsGuards bool
	// Kinds are the kinds of entries, beside claims, that the store has to
	// know; see [Suite].
	Kinds []stores.Kind
	// Check acts on a store and reports through the Env what breaks the
	// sentence.
	Check func(e *Env)
}

// Cases returns all cases: first those of the four verbs, then those of the
// guards. The slice is the caller's.
func Cases() []Case {
	var all []Case
	for _, group := range [][]Case{
		verbCases(), lifetimeCases(), counterCases(), keyCases(), endedContextCases(),
		claimCases(), leaveCases(), extendCases(), lostClaimCases(), severalEntriesCases(), malformedCases(),
		lockCases(), placeCases(), rateCases(), breakerCases(), lostHoldCases(), severalKindsCases(), malformedRuleCases(),
		simultaneousCases(), simultaneousKindsCases(),
	} {
		all = append(all, group...)
	}
	return all
}

// Run runs every case as a subtest of t, one after another.
func Run(t *testing.T, suite Suite) {
	t.Helper()
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) { suite.run(t, c) })
	}
}

func (s Suite) run(t *testing.T, c Case) {
	t.Helper()
	wrap := s.Wrap
	if wrap == nil {
		wrap = func(t *testing.T, body func(*testing.T)) { body(t) }
	}
	wrap(t, func(t *testing.T) {
		e := s.env(s.New(t))
		if c.NeedsGuards && e.guards == nil {
			t.Skip("the store has the four plain verbs only")
		}
		for _, kind := range c.Kinds {
			if slices.Contains(s.Without, kind) {
				t.Skipf("the store does not know entries of kind %s", kind)
			}
		}
		for _, problem := range e.judge(c) {
			t.Errorf("%s\n\tthe contract: %s", problem, c.Explanation)
		}
	})
}

// env prepares one case on a store.
func (s Suite) env(store stores.Store) *Env {
	e := &Env{Store: store, Unit: s.Unit, ctx: context.Background(), advance: s.Advance, settle: s.Settle, without: s.Without}
	e.guards, _ = store.(stores.Guards)
	if e.Unit <= 0 {
		e.Unit = defaultUnit
	}
	if e.advance == nil {
		e.advance = time.Sleep
	}
	if e.settle == nil {
		e.settle = func() {}
	}
	prefix := s.Prefix
	if prefix == "" {
		prefix = "storetest"
	}
	e.prefix = prefix + ":" + rand.Text() + ":"
	return e
}
