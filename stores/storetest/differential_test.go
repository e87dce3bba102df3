package storetest

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

var bubble = Suite{New: memory, Wrap: synctest.Test}

func TestMemoryIsLikeMemory(t *testing.T) {
	Compare(t, bubble, Suite{New: memory, Wrap: synctest.Test, Unit: 100 * time.Millisecond}, Comparison{Scripts: 200})
}

func TestMemoryIsLikeMemoryInRealTime(t *testing.T) {
	Compare(t, bubble, Suite{New: memory, Unit: 40 * time.Millisecond}, Comparison{})
}

// around makes a suite of a store around Memory.
func around(wrap func(stores.Guards) stores.Store) Suite {
	return Suite{New: func(*testing.T) stores.Store { return wrap(stores.NewMemory()) }, Wrap: synctest.Test}
}

func TestAComparisonShowsWhatDiffers(t *testing.T) {
	for _, c := range []struct {
		name  string
		wrap  func(stores.Guards) stores.Store
		shows string // in the last line
	}{
		{"takes any lifetime", func(g stores.Guards) stores.Store { return noLifetimeCheck{g} }, "set"},
		{"ignores NX and XX", func(g stores.Guards) stores.Store { return noConditions{g} }, ""},
		{"leaves out a Set of the same value", func(g stores.Guards) stores.Store { return lazySet{g} }, ""},
		{"deletes nothing", func(g stores.Guards) stores.Store { return noDelete{g} }, ""},
		{"renews counters", func(g stores.Guards) stores.Store { return loose{g} }, ""},
		{"is deaf to ctx", func(g stores.Guards) stores.Store { return deaf{g} }, "context has ended"},
		{"forgets tokens", func(g stores.Guards) stores.Store { return forgetfulOfToken{g} }, ""},
		{"lets anybody release", func(g stores.Guards) stores.Store { return anybodyLeaves{g} }, ""},
		{"extends what has ended", func(g stores.Guards) stores.Store { return recreating{g} }, ""},
		{"gives nothing back", func(g stores.Guards) stores.Store { return noUndo{g} }, ""},
		{"enters from the beginning", func(g stores.Guards) stores.Store { return fromZero{g} }, ""},
		{"leaves forwards", func(g stores.Guards) stores.Store { return forwardLeave{g} }, ""},
		{"takes nothing back", func(g stores.Guards) stores.Store { return noTakeBack{g} }, ""},
		{"takes back completions", func(g stores.Guards) stores.Store { return greedyTakeBack{g} }, ""},
		{"cuts Keep", func(g stores.Guards) stores.Store { return shortKeep{g} }, ""},
		{"steps over errors unasked", func(g stores.Guards) stores.Store { return stepsOverAll{g} }, "enter"},
		{"panics", func(g stores.Guards) stores.Store { return panicking{g} }, "but: panicked"},
		{"tells too long a wait", func(g stores.Guards) stores.Store { return tellsTooLong{g} }, "units left"},
		{"has no guards", func(g stores.Guards) stores.Store { return Plain(g) }, "no guards"},
	} {
		t.Run(c.name, func(t *testing.T) {
			problem := Comparison{Scripts: 300}.withDefaults().judge(t, bubble, around(c.wrap))
			lines := strings.Split(strings.TrimSpace(problem), "\n")
			last := lines[len(lines)-1]
			if len(lines) < 2 || !strings.Contains(last, "but: ") || !strings.Contains(last, c.shows) {
				t.Fatalf("got %q, want a difference in its last line that shows %q", problem, c.shows)
			}
			if steps := len(lines) - 1; steps > 8 {
				t.Errorf("the script was not made short, it has %d steps:\n%s", steps, problem)
			}
		})
	}
}

// slow takes its time for the first calls.
type slow struct {
	stores.Guards
	calls *atomic.Int64
	upTo  int64
}

func (s slow) Get(ctx context.Context, key string) (string, bool, error) {
	if s.calls.Add(1) <= s.upTo {
		time.Sleep(30 * time.Millisecond)
	}
	return s.Guards.Get(ctx, key)
}

func TestAComparisonGivesASlowStoreMoreTime(t *testing.T) {
	for _, c := range []struct {
		upTo int64
		slow bool
	}{{1, false}, {1 << 40, true}} {
		var calls atomic.Int64
		suite := Suite{
			New:  func(*testing.T) stores.Store { return slow{stores.NewMemory(), &calls, c.upTo} },
			Wrap: synctest.Test, Unit: time.Millisecond,
		}
		problem := Comparison{Scripts: 1, Steps: 40}.withDefaults().judge(t, bubble, suite)
		if (problem != "") != c.slow || c.slow && !strings.Contains(problem, "too slow") {
			t.Errorf("slow is %t, got %q", c.slow, problem)
		}
	}
}

func TestAComparisonUsesAStoresOwnClock(t *testing.T) {
	advanced := time.Duration(0)
	suite := Suite{New: memory, Wrap: synctest.Test, Advance: func(d time.Duration) {
		advanced += d
		time.Sleep(d)
	}}
	Compare(t, bubble, suite, Comparison{Scripts: 2})
	if advanced <= 0 {
		t.Error("Advance was not called")
	}
}

func TestAScriptIsDrawnFromItsSeedAlone(t *testing.T) {
	broken := around(func(g stores.Guards) stores.Store { return noUndo{g} })
	c := Comparison{Seed: 1, Scripts: 100}.withDefaults()
	first, second := c.judge(t, bubble, broken), c.judge(t, bubble, broken)
	if first != second || first == "" {
		t.Errorf("two runs of one seed show %q and %q", first, second)
	}
}
