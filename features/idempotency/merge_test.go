package idempotency

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// gateNumber is a gate that can be told from others.
type gateNumber int

func (gateNumber) Allow(context.Context, run.Task) bool { return true }

// gateList is a gate that cannot be compared.
type gateList []int

func (gateList) Allow(context.Context, run.Task) bool { return true }

// The rows of the inheritance: one per field, with the way back to what holds
// when nobody says anything.
var fields = []struct {
	name                          string
	parent, child, back, standard Options
}{
	{"TTL", Options{TTL: time.Hour}, Options{TTL: time.Minute}, Options{TTL: DefaultTTL}, Options{TTL: 300 * time.Second}},
	{"ProcessingTTL", Options{ProcessingTTL: time.Hour}, Options{ProcessingTTL: time.Minute}, Options{ProcessingTTL: DefaultTTL}, Options{ProcessingTTL: 300 * time.Second}},
	{"Renew", Options{Renew: run.On}, Options{Renew: run.Off}, Options{Renew: run.Off}, Options{Renew: run.Off}},
	{"Namespace", Options{Namespace: "parent"}, Options{Namespace: "child"}, Options{Namespace: DefaultNamespace}, Options{Namespace: "cmdx:idem"}},
	{"OnDuplicate", Options{OnDuplicate: run.PolicyFail}, Options{OnDuplicate: run.PolicySkip}, Options{OnDuplicate: run.PolicySkip}, Options{OnDuplicate: run.PolicySkip}},
	{"OnProcessing", Options{OnProcessing: run.PolicyFail}, Options{OnProcessing: run.PolicySkip}, Options{OnProcessing: run.PolicySkip}, Options{OnProcessing: run.PolicySkip}},
	{"OnBlank", Options{OnBlank: run.PolicyFail}, Options{OnBlank: run.PolicyStepAside}, Options{OnBlank: run.PolicyStepAside}, Options{OnBlank: run.PolicyStepAside}},
	{"Settle", Options{Settle: run.AfterMiddlewares}, Options{Settle: run.AfterPipeline}, Options{Settle: run.AfterPipeline}, Options{Settle: run.AfterPipeline}},
	{"If", Options{If: gateNumber(1)}, Options{If: gateNumber(2)}, Options{If: run.Always}, Options{If: run.Always}},
	{"Unless", Options{Unless: gateNumber(1)}, Options{Unless: gateNumber(2)}, Options{Unless: run.Never}, Options{Unless: run.Never}},
	{"OnStoreError", Options{OnStoreError: run.FailOpen}, Options{OnStoreError: run.FailClosed}, Options{OnStoreError: run.FailClosed}, Options{OnStoreError: run.FailClosed}},
}

func TestEveryFieldHasARow(t *testing.T) {
	rows := map[string]bool{}
	for _, row := range fields {
		rows[row.name] = true
	}
	for field := range reflect.TypeFor[Options]().Fields() {
		if !rows[field.Name] {
			t.Errorf("%s has no row in the table of inheritance", field.Name)
		}
		delete(rows, field.Name)
	}
	for name := range rows {
		t.Errorf("there is a row for %s, but no such field", name)
	}
}

func TestEveryFieldInherits(t *testing.T) {
	for _, row := range fields {
		t.Run(row.name, func(t *testing.T) {
			at := func(o Options) any { return reflect.ValueOf(o).FieldByName(row.name).Interface() }
			check := func(what string, got, want Options) {
				t.Helper()
				if at(got) != at(want) {
					t.Errorf("%s: %v, want %v", what, at(got), at(want))
				}
			}
			parent, child := row.parent, row.child
			check("a child that says nothing", row.parent.Merge(Options{}), row.parent)
			check("a child that says something", row.parent.Merge(row.child), row.child)
			check("a child under a silent parent", Options{}.Merge(row.child), row.child)
			check("the way back", row.parent.Merge(row.back), row.back)
			check("the way back, defaults filled in", row.parent.Merge(row.back).WithDefaults(), row.standard)
			check("the way back, inherited in turn", row.parent.Merge(row.back).Merge(Options{}), row.back)
			check("nobody says anything", Options{}.WithDefaults(), row.standard)
			check("what is said, defaults filled in", row.parent.WithDefaults(), row.parent)
			if row.parent != parent || row.child != child {
				t.Error("merging changed one of the two")
			}
			for other := range reflect.TypeFor[Options]().Fields() {
				merged := reflect.ValueOf(row.parent.Merge(row.child)).FieldByIndex(other.Index)
				if other.Name != row.name && !merged.IsZero() {
					t.Errorf("%s became %v", other.Name, merged)
				}
			}
		})
	}
}

func TestWhatFollowsAnotherField(t *testing.T) {
	o := Options{TTL: time.Hour, OnDuplicate: run.PolicyFail}.WithDefaults()
	if o.ProcessingTTL != time.Hour || o.OnProcessing != run.PolicyFail {
		t.Errorf("ProcessingTTL is %v and OnProcessing %v: they follow TTL and OnDuplicate", o.ProcessingTTL, o.OnProcessing)
	}
	o = Options{TTL: time.Hour}.Merge(Options{TTL: time.Minute}).WithDefaults()
	if o.ProcessingTTL != time.Minute {
		t.Errorf("ProcessingTTL is %v: it follows the TTL that holds in the end", o.ProcessingTTL)
	}
	o = Options{ProcessingTTL: time.Second, OnProcessing: run.PolicySkip}.Merge(Options{TTL: time.Hour, OnDuplicate: run.PolicyFail}).WithDefaults()
	if o.ProcessingTTL != time.Second || o.OnProcessing != run.PolicySkip {
		t.Errorf("ProcessingTTL is %v and OnProcessing %v: what a parent says is not displaced", o.ProcessingTTL, o.OnProcessing)
	}
}

func TestGatesThatCannotBeCompared(t *testing.T) {
	o := Options{If: gateList{1}, Unless: gateList{2}}
	merged := o.Merge(Options{}).Merge(o).WithDefaults()
	if merged.If == nil || merged.Unless == nil {
		t.Error("a gate was lost")
	}
}

func TestValidate(t *testing.T) {
	const unknown = 77
	for _, row := range []struct {
		name    string
		options Options
		wrong   string // the field named; "" for none
	}{
		{"nothing said", Options{}, ""},
		{"the defaults", Options{}.WithDefaults(), ""},
		{"the smallest", Options{TTL: time.Millisecond, ProcessingTTL: time.Millisecond}, ""},
		{"not whole milliseconds", Options{TTL: 1500 * time.Microsecond}, ""},
		{"the largest", Options{TTL: math.MaxInt64, ProcessingTTL: math.MaxInt64}, ""},
		{"everything else", Options{OnDuplicate: run.PolicyFail, OnProcessing: run.PolicyFail, OnBlank: run.PolicyFail, OnStoreError: run.FailOpen, Renew: run.On, Namespace: "a"}, ""},
		{"a TTL of -1 ns", Options{TTL: -1}, "TTL"},
		{"a TTL of -2 ns", Options{TTL: -2}, "TTL"},
		{"the smallest Duration", Options{TTL: math.MinInt64}, "TTL"},
		{"a TTL of 1 ns", Options{TTL: 1}, "TTL"},
		{"a TTL of 999 µs", Options{TTL: 999 * time.Microsecond}, "TTL"},
		{"a TTL just below", Options{TTL: time.Millisecond - 1}, "TTL"},
		{"a negative ProcessingTTL", Options{ProcessingTTL: -time.Second}, "ProcessingTTL"},
		{"a ProcessingTTL just below", Options{ProcessingTTL: time.Millisecond - 1}, "ProcessingTTL"},
		{"an unknown OnDuplicate", Options{OnDuplicate: unknown}, "OnDuplicate"},
		{"an OnDuplicate that steps aside", Options{OnDuplicate: run.PolicyStepAside}, "OnDuplicate"},
		{"an unknown OnProcessing", Options{OnProcessing: unknown}, "OnProcessing"},
		{"an OnProcessing that steps aside", Options{OnProcessing: run.PolicyStepAside}, "OnProcessing"},
		{"an unknown OnBlank", Options{OnBlank: unknown}, "OnBlank"},
		{"an OnBlank that skips", Options{OnBlank: run.PolicySkip}, "OnBlank"},
		{"an unknown Settle", Options{Settle: 77}, "Settle"},
		{"an unknown OnStoreError", Options{OnStoreError: unknown}, "OnStoreError"},
	} {
		t.Run(row.name, func(t *testing.T) {
			problems := row.options.Validate()
			if row.wrong == "" {
				if problems != nil {
					t.Fatalf("%v", problems)
				}
				return
			}
			if len(problems) != 1 {
				t.Fatalf("%d problems, want 1: %v", len(problems), problems)
			}
			if !strings.HasPrefix(problems[0].Text, row.wrong+" is ") || problems[0].Fix == "" {
				t.Errorf("%q, %q does not name %s and a way out", problems[0].Text, problems[0].Fix, row.wrong)
			}
		})
	}
	if n := len((Options{TTL: -1, ProcessingTTL: -1, OnDuplicate: unknown, OnStoreError: unknown}).Validate()); n != 4 {
		t.Errorf("four mistakes give %d problems", n)
	}
}

func TestSettings(t *testing.T) {
	id, order := run.FromContext("id"), run.FromContext("order")
	parent := Settings{}.With(id, Options{TTL: time.Hour})
	for _, row := range []struct {
		name     string
		settings Settings
		resolver run.KeyResolver
		ttl      time.Duration
	}{
		{"nothing declared", Settings{}, nil, DefaultTTL},
		{"a resolver", Settings{}.With(id), id, DefaultTTL},
		{"a resolver and options", parent, id, time.Hour},
		{"options merged in their order", Settings{}.With(id, Options{TTL: time.Hour}, Options{TTL: time.Minute}), id, time.Minute},
		{"a new resolver keeps the options", parent.With(order), order, time.Hour},
		{"nil keeps the resolver", parent.With(nil, Options{TTL: time.Minute}), id, time.Minute},
		{"Disabled turns it off and keeps the options", parent.With(run.Disabled), nil, time.Hour},
		{"options alone do not turn it on again", parent.With(run.Disabled).With(nil, Options{TTL: time.Minute}), nil, time.Minute},
		{"a resolver does", parent.With(run.Disabled).With(order), order, time.Hour},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := row.settings.Resolver(); got != row.resolver {
				t.Errorf("the resolver is %v, want %v", got, row.resolver)
			}
			if got := row.settings.Options().TTL; got != row.ttl {
				t.Errorf("the TTL is %v, want %v", got, row.ttl)
			}
			if (NewGuard(row.settings) == nil) != (row.resolver == nil) {
				t.Error("there is a guard without a resolver, or a resolver without a guard")
			}
		})
	}
	if parent.Resolver() != id || parent.Options().TTL != time.Hour {
		t.Error("a child changed its parent")
	}
}

func TestIncomplete(t *testing.T) {
	options := Options{TTL: time.Hour}
	for _, row := range []struct {
		name     string
		settings Settings
		want     bool
	}{
		{"nothing declared", Settings{}, false},
		{"options only", Settings{}.With(nil, options), true},
		{"nothing but the call", Settings{}.With(nil), true},
		{"options, then a resolver", Settings{}.With(nil, options).With(run.FromContext("id")), false},
		{"options, then Disabled", Settings{}.With(nil, options).With(run.Disabled), false},
		{"Disabled with options", Settings{}.With(run.Disabled, options), false},
	} {
		if got := row.settings.Incomplete(); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
}
