package retry

import (
	"errors"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

var (
	errBusy  = errors.New("busy")
	errReset = errors.New("reset")
	errOther = errors.New("other")
)

func TestLayersOfMatchers(t *testing.T) {
	busy, reset := ErrorIs(errBusy), ErrorIs(errReset)
	none := Policy{}
	parent := none.With(busy)
	for _, row := range []struct {
		name                              string
		policy                            Policy
		busy, reset, active, isIncomplete bool
		matchers                          int
	}{
		{"nothing declared", none, false, false, false, false, 0},
		{"one matcher", parent, true, false, true, false, 1},
		{"the child adds one", parent.With(reset), true, true, true, false, 2},
		{"the child adds none", parent.With(nil, Options{Limit: 1}), true, false, true, false, 1},
		{"options without a matcher", none.With(nil, Options{Limit: 1}), false, false, false, true, 0},
		{"disabled", parent.With(run.Disabled), false, false, false, false, 0},
		{"disabled without a parent", none.With(run.Disabled), false, false, false, false, 0},
		{"disabled, then options", parent.With(run.Disabled).With(nil, Options{Limit: 1}), false, false, false, false, 0},
		{"disabled, then given again", parent.With(run.Disabled).With(reset), false, true, true, false, 1},
		{"no retries", parent.With(nil, Options{Limit: NoRetries}), true, false, false, false, 1},
		{"no retries, then some", parent.With(nil, Options{Limit: NoRetries}).With(nil, Options{Limit: 1}), true, false, true, false, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := row.policy
			if p.Match(errBusy) != row.busy || p.Match(errReset) != row.reset {
				t.Errorf("busy %t, reset %t", p.Match(errBusy), p.Match(errReset))
			}
			if p.Match(errOther) || p.Match(nil) {
				t.Error("it matches what nobody named")
			}
			if p.Active() != row.active || p.Incomplete() != row.isIncomplete {
				t.Errorf("active %t, incomplete %t", p.Active(), p.Incomplete())
			}
			if len(p.Matchers()) != row.matchers {
				t.Errorf("%d matchers", len(p.Matchers()))
			}
		})
	}
}

func TestLimitOverLayers(t *testing.T) {
	any1 := Policy{}.With(AnyError, Options{Limit: 1})
	for _, row := range []struct {
		name   string
		policy Policy
		limit  int
	}{
		{"said by nobody", Policy{}.With(AnyError), 3},
		{"zero inherits the default", Policy{}.With(AnyError, Options{Limit: 0}), 3},
		{"one", any1, 1},
		{"inherited", any1.With(nil), 1},
		{"three over one", any1.With(nil, Options{Limit: 3}), 3},
		{"two matchers do not add up", any1.With(ErrorIs(errBusy), Options{Limit: 2}), 2},
		{"the last of several options", Policy{}.With(AnyError, Options{Limit: 5}, Options{Limit: 2}, Options{Delay: time.Second}), 2},
		{"none", any1.With(nil, Options{Limit: NoRetries}), NoRetries},
		{"options flow through Disabled", any1.With(run.Disabled).With(AnyError), 1},
		{"options beside Disabled", any1.With(run.Disabled, Options{Limit: 4}).With(AnyError), 4},
	} {
		if got := row.policy.Options().Limit; got != row.limit {
			t.Errorf("%s: %d, want %d", row.name, got, row.limit)
		}
	}
}

// Siblings that append to one parent must not write into each other's array.
func TestAChildNeverChangesItsParent(t *testing.T) {
	parent := Policy{}
	for range 3 {
		parent = parent.With(ErrorIs(errOther), Options{Limit: 2})
	}
	first := parent.With(ErrorIs(errBusy), Options{Limit: 7})
	second := parent.With(ErrorIs(errReset), Options{Limit: 9})
	if !first.Match(errBusy) || first.Match(errReset) || !second.Match(errReset) || second.Match(errBusy) {
		t.Error("the second child overwrote the first one's matcher")
	}
	if parent.Match(errBusy) || parent.Match(errReset) || parent.Options().Limit != 2 || len(parent.Matchers()) != 3 {
		t.Error("a child changed its parent")
	}
	if first.Options().Limit != 7 || second.Options().Limit != 9 {
		t.Error("the children share options")
	}
	handedOut := first.Matchers()
	handedOut[3] = ErrorIs(errOther)
	if !first.Match(errBusy) {
		t.Error("Matchers hands out the policy's own slice")
	}
}

func TestMatchersOfAnyTypeMayBeGiven(t *testing.T) {
	p := Policy{}.With(matcherOfFuncs{func(err error) bool { return err == errBusy }})
	if !p.Match(errBusy) || p.Match(errReset) {
		t.Error("the application's matcher was not asked")
	}
}

// matcherOfFuncs cannot be compared.
type matcherOfFuncs []func(error) bool

func (m matcherOfFuncs) Match(err error) bool { return m[0](err) }
