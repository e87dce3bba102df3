package retry

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

// jitterOf is a jitter that can be told from others by its answer.
func jitterOf(d time.Duration) Jitter {
	return func(int, time.Duration, time.Duration) time.Duration { return d }
}

// said shows options as data: functions cannot be compared.
func said(o Options) [6]any {
	var jitter any
	if o.Jitter != nil {
		jitter = o.Jitter(1, 7, 7)
	}
	return [6]any{o.Limit, o.Delay, o.MaxDelay, jitter, o.If, o.Unless}
}

// The rows of the inheritance: one per field, with the way back to what holds
// when nobody says anything.
var fields = []struct {
	name                          string
	parent, child, back, standard Options
}{
	{"Limit", Options{Limit: 5}, Options{Limit: 1}, Options{Limit: NoRetries}, Options{Limit: 3}},
	{"Delay", Options{Delay: time.Second}, Options{Delay: time.Minute}, Options{Delay: NoDelay}, Options{Delay: 500 * time.Millisecond}},
	{"MaxDelay", Options{MaxDelay: time.Second}, Options{MaxDelay: time.Hour}, Options{MaxDelay: NoMaxDelay}, Options{MaxDelay: NoMaxDelay}},
	{"Jitter", Options{Jitter: jitterOf(1)}, Options{Jitter: jitterOf(2)}, Options{Jitter: NoJitter}, Options{Jitter: NoJitter}},
	{"If", Options{If: gateNumber(1)}, Options{If: gateNumber(2)}, Options{If: run.Always}, Options{If: run.Always}},
	{"Unless", Options{Unless: gateNumber(1)}, Options{Unless: gateNumber(2)}, Options{Unless: run.Never}, Options{Unless: run.Never}},
}

func TestEveryFieldHasARow(t *testing.T) {
	typ := reflect.TypeFor[Options]()
	if typ.NumField() != len(fields) {
		t.Fatalf("Options has %d fields, the table %d rows", typ.NumField(), len(fields))
	}
	for i, row := range fields {
		if typ.Field(i).Name != row.name {
			t.Errorf("row %d is %s, the field is %s", i, row.name, typ.Field(i).Name)
		}
	}
}

func TestEveryFieldInherits(t *testing.T) {
	for i, row := range fields {
		t.Run(row.name, func(t *testing.T) {
			at := func(o Options) any { return said(o)[i] }
			check := func(what string, got, want Options) {
				t.Helper()
				if at(got) != at(want) {
					t.Errorf("%s: %v, want %v", what, at(got), at(want))
				}
			}
			parent, child := said(row.parent), said(row.child)
			check("a child that says nothing", row.parent.Merge(Options{}), row.parent)
			check("a child that says something", row.parent.Merge(row.child), row.child)
			check("a child under a silent parent", Options{}.Merge(row.child), row.child)
			check("the way back", row.parent.Merge(row.back), row.back)
			check("the way back, defaults filled in", row.parent.Merge(row.back).WithDefaults(), row.back)
			check("the way back, inherited in turn", row.parent.Merge(row.back).Merge(Options{}), row.back)
			check("nobody says anything", Options{}.WithDefaults(), row.standard)
			check("what is said, defaults filled in", row.child.WithDefaults(), row.child)
			if said(row.parent) != parent || said(row.child) != child {
				t.Error("merging changed one of the two")
			}
			for j, other := range said(row.parent.Merge(row.child)) {
				if j != i && other != said(Options{})[j] {
					t.Errorf("another field became %v", other)
				}
			}
		})
	}
}

func TestDefaultsTwiceAreTheSame(t *testing.T) {
	o := Options{Limit: NoRetries, Delay: NoDelay}.WithDefaults()
	if said(o) != said(o.WithDefaults()) {
		t.Errorf("%v, then %v", said(o), said(o.WithDefaults()))
	}
}

func TestValidate(t *testing.T) {
	var missing func(*charge, error, int) bool
	for _, row := range []struct {
		name    string
		options Options
		wrong   string // the field named; "" for none
	}{
		{"nothing said", Options{}, ""},
		{"everything off", Options{Limit: NoRetries, Delay: NoDelay, MaxDelay: NoMaxDelay, Jitter: NoJitter, If: run.Always, Unless: run.Never}, ""},
		{"smallest", Options{Limit: 1, Delay: 1, MaxDelay: 1}, ""},
		{"largest", Options{Limit: math.MaxInt, Delay: math.MaxInt64, MaxDelay: math.MaxInt64}, ""},
		{"a ceiling below the delay", Options{Delay: time.Hour, MaxDelay: time.Second}, ""},
		{"gates with an error", Options{If: WhenError((*charge).worthIt), Unless: WhenError((*charge).worthIt)}, ""},
		{"limit -2", Options{Limit: -2}, "Limit"},
		{"smallest limit", Options{Limit: math.MinInt}, "Limit"},
		{"delay -2 ns", Options{Delay: -2}, "Delay"},
		{"delay -1 s", Options{Delay: -time.Second}, "Delay"},
		{"ceiling -2 ns", Options{MaxDelay: -2}, "MaxDelay"},
		{"smallest ceiling", Options{MaxDelay: math.MinInt64}, "MaxDelay"},
		{"If without a function", Options{If: WhenError(missing)}, "If"},
		{"Unless without a function", Options{Unless: WhenError(missing)}, "Unless"},
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
	if n := len((Options{Limit: -2, Delay: -2, MaxDelay: -2}).Validate()); n != 3 {
		t.Errorf("three mistakes give %d problems", n)
	}
}
