package lock

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

// The rows of the inheritance: one per field, with the way back to what holds
// when nobody says anything.
var fields = []struct {
	name                          string
	parent, child, back, standard Options
}{
	{"TTL", Options{TTL: time.Hour}, Options{TTL: time.Minute}, Options{TTL: DefaultTTL}, Options{TTL: 30 * time.Second}},
	{"Wait", Options{Wait: time.Hour}, Options{Wait: time.Minute}, Options{Wait: NoWait}, Options{Wait: NoWait}},
	{"Renew", Options{Renew: run.On}, Options{Renew: run.Off}, Options{Renew: run.Off}, Options{Renew: run.Off}},
	{"Namespace", Options{Namespace: "parent"}, Options{Namespace: "child"}, Options{Namespace: DefaultNamespace}, Options{Namespace: "cmdx:lock"}},
	{"Settle", Options{Settle: run.AfterMiddlewares}, Options{Settle: run.AfterPipeline}, Options{Settle: run.AfterPipeline}, Options{Settle: run.AfterPipeline}},
	{"OnConflict", Options{OnConflict: run.PolicySkip}, Options{OnConflict: run.PolicyFail}, Options{OnConflict: run.PolicyFail}, Options{OnConflict: run.PolicyFail}},
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
var withoutDefault = []string{"Scope"}

func TestFieldsWithoutADefaultInherit(t *testing.T) {
	for _, row := range []struct{ parent, child Options }{
		{Options{Scope: "parent"}, Options{Scope: "child"}},
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
		"TTL is -1ns":                       {TTL: -1},
		"TTL is 999µs":                      {TTL: 999 * time.Microsecond},
		"Wait is -2ns":                      {Wait: -2},
		"Renew is an unknown":               {Renew: 77},
		"OnConflict is PolicyStepAside":     {OnConflict: run.PolicyStepAside},
		"OnStoreError is an unknown policy": {OnStoreError: 77},
	} {
		problems := o.Validate()
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Text, wrong) || problems[0].Fix == "" {
			t.Errorf("%+v: %v, want %q and a way out", o, problems, wrong)
		}
	}
}

func TestSharedLeavesOutWhatBelongsToOneType(t *testing.T) {
	a := Options{Scope: "a", If: gateNumber(1), Unless: gateNumber(2)}
	if a.Shared() != (Options{Scope: "a"}).Shared() {
		t.Error("gates count as shared")
	}
	if a.Shared() == (Options{Scope: "a", TTL: time.Hour}).Shared() {
		t.Error("TTL: time.Hour does not count as shared")
	}
}
