package breaker

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// gateNumber is a gate that can be told from others.
type gateNumber int

func (gateNumber) Allow(context.Context, run.Task) bool { return true }

// matcherNumber is a matcher that can be told from others.
type matcherNumber int

func (matcherNumber) Match(error) bool { return true }

// The rows of the inheritance: one per field, with the way back to what holds
// when nobody says anything.
var fields = []struct {
	name                          string
	parent, child, back, standard Options
}{
	{"CoolOff", Options{CoolOff: time.Hour}, Options{CoolOff: time.Minute}, Options{CoolOff: DefaultCoolOff}, Options{CoolOff: 30 * time.Second}},
	{"Window", Options{Window: time.Hour}, Options{Window: time.Second}, Options{Window: DefaultWindow}, Options{Window: time.Minute}},
	{"MinCalls", Options{MinCalls: 3}, Options{MinCalls: 4}, Options{MinCalls: DefaultMinCalls}, Options{MinCalls: 20}},
	{"Probes", Options{Probes: 3}, Options{Probes: 4}, Options{Probes: DefaultProbes}, Options{Probes: 1}},
	{"Threshold", Options{Threshold: 3}, Options{Threshold: 4}, Options{Threshold: DefaultThreshold}, Options{Threshold: 5}},
	{"CountIf", Options{CountIf: matcherNumber(1)}, Options{CountIf: matcherNumber(2)}, Options{CountIf: AnyRaised}, Options{CountIf: AnyRaised}},
	{"Namespace", Options{Namespace: "parent"}, Options{Namespace: "child"}, Options{Namespace: DefaultNamespace}, Options{Namespace: "cmdx:breaker"}},
	{"OnOpen", Options{OnOpen: run.PolicySkip}, Options{OnOpen: run.PolicyFail}, Options{OnOpen: run.PolicyFail}, Options{OnOpen: run.PolicyFail}},
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
		if !rows[field.Name] && !slices.Contains(withoutDefault, field.Name) {
			t.Errorf("%s has no row in the table of inheritance", field.Name)
		}
	}
}

// withoutDefault are the fields for which nothing stands in.
var withoutDefault = []string{"Scope", "FailureRate"}

func TestFieldsWithoutADefaultInherit(t *testing.T) {
	for _, row := range []struct{ parent, child Options }{
		{Options{Scope: "parent"}, Options{Scope: "child"}},
		{Options{FailureRate: 0.5}, Options{FailureRate: 0.25}},
	} {
		if row.parent.Merge(Options{}) != row.parent || row.parent.Merge(row.child) != row.child {
			t.Errorf("%+v and %+v merge wrongly", row.parent, row.child)
		}
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

func TestValidate(t *testing.T) {
	if problems := (Options{}).WithDefaults().Validate(); problems != nil {
		t.Errorf("the defaults are wrong: %v", problems)
	}
	for wrong, o := range map[string]Options{
		"Namespace begins":                  {Namespace: "cmdx-owner"},
		"CoolOff is -1ns":                   {CoolOff: -1},
		"Window is -1ns":                    {Window: -1},
		"MinCalls is -1":                    {MinCalls: -1},
		"Probes is -1":                      {Probes: -1},
		"Threshold is -1":                   {Threshold: -1},
		"FailureRate is -0.5":               {FailureRate: -0.5},
		"FailureRate is 1.01":               {FailureRate: 1.01},
		"both Threshold":                    {Threshold: 1, FailureRate: 1},
		"OnOpen is an unknown policy":       {OnOpen: 77},
		"OnStoreError is an unknown policy": {OnStoreError: 77},
	} {
		problems := o.Validate()
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Text, wrong) || problems[0].Fix == "" {
			t.Errorf("%+v: %v, want %q and a way out", o, problems, wrong)
		}
	}
}

func TestSharedLeavesOutWhatBelongsToOneType(t *testing.T) {
	a := Options{Scope: "a", If: gateNumber(1), Unless: gateNumber(2), CountIf: matcherNumber(1)}
	if a.Shared() != (Options{Scope: "a"}).Shared() {
		t.Error("gates count as shared")
	}
	if a.Shared() == (Options{Scope: "a", CoolOff: time.Hour}).Shared() {
		t.Error("CoolOff: time.Hour does not count as shared")
	}
}

func TestThresholdAndFailureRateDisplaceEachOther(t *testing.T) {
	count, share := Options{Threshold: 3}, Options{FailureRate: 0.5}
	if got := count.Merge(share).WithDefaults(); got.Threshold != 0 || got.FailureRate != 0.5 {
		t.Errorf("a share over a count: %d, %g", got.Threshold, got.FailureRate)
	}
	if got := share.Merge(count).WithDefaults(); got.Threshold != 3 || got.FailureRate != 0 {
		t.Errorf("a count over a share: %d, %g", got.Threshold, got.FailureRate)
	}
	if got := share.Merge(Options{CoolOff: time.Second}); got.FailureRate != 0.5 || got.Threshold != 0 {
		t.Errorf("a child that says neither: %d, %g", got.Threshold, got.FailureRate)
	}
}
