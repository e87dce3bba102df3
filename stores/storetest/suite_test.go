package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// failing returns the names of the cases that a store does not pass, and
// their problems.
func failing(t *testing.T, make func() stores.Store) (names, problems []string) {
	t.Helper()
	for _, c := range Cases() {
		synctest.Test(t, func(t *testing.T) {
			if found := (Suite{}).env(make()).judge(c); len(found) > 0 {
				names = append(names, c.Name)
				problems = append(problems, found...)
			}
		})
	}
	return names, problems
}

func TestCasesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cases() {
		if c.Name == "" || seen[c.Name] || c.Check == nil || !strings.HasSuffix(c.Explanation, ".") {
			t.Errorf("case %q: a name of its own, a sentence and a check are needed", c.Name)
		}
		seen[c.Name] = true
	}
}

func TestEveryCaseCanFail(t *testing.T) {
	broken := errors.New("broken")
	failed, problems := failing(t, func() stores.Store {
		f := NewFaulty(nil)
		for op := range opCount {
			f.Fail(op, Always, broken)
		}
		return f
	})
	for _, c := range Cases() {
		if !slices.Contains(failed, c.Name) {
			t.Errorf("case %q finds nothing wrong with a store that never works", c.Name)
		}
	}
	for _, problem := range problems {
		if !strings.HasPrefix(problem, "cases_") {
			t.Errorf("the problem does not begin with its place: %s", problem)
		}
	}
}

// Stores that break one sentence each.
type (
	noLifetimeCheck  struct{ stores.Guards }
	noConditions     struct{ stores.Guards }
	lazySet          struct{ stores.Guards }
	noDelete         struct{ stores.Guards }
	loose            struct{ stores.Guards } // Incr by Get and Set
	deaf             struct{ stores.Guards } // to the context
	foldedKeys       struct{ stores.Guards }
	forgetfulOfToken struct{ stores.Guards }
	anybodyLeaves    struct{ stores.Guards }
	recreating       struct{ stores.Guards }
	noUndo           struct{ stores.Guards }
	fromZero         struct{ stores.Guards }
	forwardLeave     struct{ stores.Guards }
	noTakeBack       struct{ stores.Guards }
	greedyTakeBack   struct{ stores.Guards }
	shortKeep        struct{ stores.Guards }
	stepsOverAll     struct{ stores.Guards }
	panicking        struct{ stores.Guards }
)

func (s noLifetimeCheck) Set(ctx context.Context, key, value string, o stores.SetOptions) (bool, error) {
	if o.TTL <= 0 {
		o.TTL = time.Hour
	}
	return s.Guards.Set(ctx, key, value, o)
}

func (s noConditions) Set(ctx context.Context, key, value string, o stores.SetOptions) (bool, error) {
	return s.Guards.Set(ctx, key, value, stores.SetOptions{TTL: o.TTL})
}

func (s lazySet) Set(ctx context.Context, key, value string, o stores.SetOptions) (bool, error) {
	if present, found, _ := s.Get(ctx, key); found && present == value && !o.NX && o.TTL > 0 && ctx.Err() == nil {
		return true, nil
	}
	return s.Guards.Set(ctx, key, value, o)
}

func (s noDelete) Delete(ctx context.Context, key string) (bool, error) {
	_, found, err := s.Get(ctx, key)
	return found, err
}

func (s loose) Incr(ctx context.Context, key string, ttl time.Duration) (int64, error) {
	sum, err := s.Guards.Incr(ctx, key, ttl)
	if value, found, _ := s.Get(ctx, key); found && err == nil {
		_, _ = s.Set(ctx, key, value, stores.SetOptions{TTL: ttl})
	}
	return sum, err
}

func (s deaf) Get(_ context.Context, key string) (string, bool, error) {
	return s.Guards.Get(context.Background(), key)
}

func (s deaf) Leave(_ context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	return s.Guards.Leave(context.Background(), token, entries)
}

func (s foldedKeys) Get(ctx context.Context, key string) (string, bool, error) {
	return s.Guards.Get(ctx, strings.ToLower(key))
}

func (s foldedKeys) Set(ctx context.Context, key, value string, o stores.SetOptions) (bool, error) {
	return s.Guards.Set(ctx, strings.ToLower(key), value, o)
}

func (s forgetfulOfToken) Enter(ctx context.Context, _ stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	return s.Guards.Enter(ctx, stores.NewToken(), entries, from)
}

func (s anybodyLeaves) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	for _, entry := range entries {
		if entry.Part == stores.PartRelease {
			_, _ = s.Delete(ctx, entry.Key)
		}
	}
	return s.Guards.Leave(ctx, token, entries)
}

func (s recreating) Extend(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	if ctx.Err() == nil {
		for i := range entries {
			_, _ = s.Enter(ctx, token, entries[i:i+1], 0)
		}
	}
	return s.Guards.Extend(ctx, token, entries)
}

func (s noUndo) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	for i := from; i >= 0 && i < len(entries); i++ {
		if got, err := s.Guards.Enter(ctx, token, entries[i:i+1], 0); err != nil || got.Verdict != stores.VerdictEntered {
			got.At = i
			return got, err
		}
	}
	return s.Guards.Enter(ctx, token, nil, from)
}

func (s fromZero) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	return s.Guards.Enter(ctx, token, entries, min(from, 0))
}

func (s forwardLeave) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	entries = slices.Clone(entries)
	slices.Reverse(entries)
	answers, err := s.Guards.Leave(ctx, token, entries)
	slices.Reverse(answers)
	return answers, err
}

func (noTakeBack) TakeBack(stores.Token, []stores.Entry) {}

func (s greedyTakeBack) TakeBack(token stores.Token, entries []stores.Entry) {
	_, _ = s.Leave(context.Background(), token, do(stores.PartTakeBack, entries...))
}

func (s shortKeep) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Keep = min(entries[i].Keep, entries[i].TTL)
	}
	return s.Guards.Leave(ctx, token, entries)
}

func (s stepsOverAll) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].StepOver = true
	}
	return s.Guards.Enter(ctx, token, entries, from)
}

func (panicking) Get(context.Context, string) (string, bool, error) { panic("gone") }

func TestTheSuiteFindsBrokenStores(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(stores.Guards) stores.Store
		fails []string // all cases that name this sentence
	}{
		{"takes any lifetime", func(g stores.Guards) stores.Store { return noLifetimeCheck{g} }, []string{"ttl/not positive"}},
		{"ignores NX and XX", func(g stores.Guards) stores.Store { return noConditions{g} }, []string{"verbs/set NX", "verbs/set XX", "verbs/set NX and XX", "at once/set NX", "ttl/expired for every verb"}},
		{"leaves out a Set of the same value", func(g stores.Guards) stores.Store { return lazySet{g} }, []string{"lost/overwritten"}},
		{"deletes nothing", func(g stores.Guards) stores.Store { return noDelete{g} }, []string{"verbs/delete", "at once/delete", "lost/deleted"}},
		{"renews counters", func(g stores.Guards) stores.Store { return loose{g} }, []string{"incr/ttl counts from the first"}},
		{"is deaf to ctx", func(g stores.Guards) stores.Store { return deaf{g} }, []string{"ctx/verbs", "ctx/guards"}},
		{"folds keys", func(g stores.Guards) stores.Store { return foldedKeys{g} }, []string{"keys/any text"}},
		{"forgets tokens", func(g stores.Guards) stores.Store { return forgetfulOfToken{g} }, []string{"claim/sent again", "at once/one token", "leave/complete", "leave/release", "extend/lives longer"}},
		{"lets anybody release", func(g stores.Guards) stores.Store { return anybodyLeaves{g} }, []string{"lost/deleted and taken", "lost/expired and taken", "lost/overwritten", "leave/release", "claim/refusal changes nothing"}},
		{"extends what has ended", func(g stores.Guards) stores.Store { return recreating{g} }, []string{"extend/never re-creates", "lost/expired", "lost/deleted"}},
		{"gives nothing back", func(g stores.Guards) stores.Store { return noUndo{g} }, []string{"several/refused in the middle", "several/from", "several/sent again and refused", "several/stepped over"}},
		{"enters from the beginning", func(g stores.Guards) stores.Store { return fromZero{g} }, []string{"several/from leaves out what lies before"}},
		{"leaves forwards", func(g stores.Guards) stores.Store { return forwardLeave{g} }, []string{"leave/in reverse order"}},
		{"takes nothing back", func(g stores.Guards) stores.Store { return noTakeBack{g} }, []string{"take back/gives back what is under way"}},
		{"takes back completions", func(g stores.Guards) stores.Store { return greedyTakeBack{g} }, []string{"leave/release of a completed claim"}},
		{"cuts Keep", func(g stores.Guards) stores.Store { return shortKeep{g} }, []string{"leave/complete"}},
		{"steps over errors unasked", func(g stores.Guards) stores.Store { return stepsOverAll{g} }, []string{"claim/foreign value", "several/stepped over"}},
		{"panics", func(g stores.Guards) stores.Store { return panicking{g} }, []string{"verbs/get", "claim/entered"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			failed, _ := failing(t, func() stores.Store { return c.make(stores.NewMemory()) })
			for _, want := range c.fails {
				if !slices.Contains(failed, want) {
					t.Errorf("case %q finds nothing; these do: %q", want, failed)
				}
			}
		})
	}
}

func TestRunCallsTheSeams(t *testing.T) {
	made, wrapped, advanced := 0, 0, time.Duration(0)
	Run(t, Suite{
		New: func(*testing.T) stores.Store { made++; return stores.NewMemory() },
		Wrap: func(t *testing.T, body func(*testing.T)) {
			wrapped++
			synctest.Test(t, body)
		},
		Unit:    10 * time.Millisecond,
		Advance: func(d time.Duration) { advanced += d; time.Sleep(d) },
		Prefix:  "mine",
	})
	if n := len(Cases()); made != n || wrapped != n || advanced <= 0 {
		t.Errorf("%d cases: made %d stores, wrapped %d bodies, advanced %s", n, made, wrapped, advanced)
	}
	e := (Suite{Prefix: "mine", Unit: time.Minute}).env(stores.NewMemory())
	if key := e.Key("a"); !strings.HasPrefix(key, "mine:") || !strings.HasSuffix(key, ":a") || e.Units(1.5) != 90*time.Second {
		t.Errorf("got key %s and %s", key, e.Units(1.5))
	}
}
