package ratelimit

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
)

var second, minute = Options{Limit: 1, Per: time.Second}, Options{Limit: 9, Per: time.Minute}

func TestAListReplacesTheInheritedOne(t *testing.T) {
	parent := List{second, minute}
	if got := parent.Merge(nil); !reflect.DeepEqual(got, parent) {
		t.Errorf("a silent child has %v", got)
	}
	child := List{minute}
	got := parent.Merge(child)
	if !reflect.DeepEqual(got, child) {
		t.Errorf("a child has %v", got)
	}
	got[0].Limit = 99
	if child[0].Limit != 9 || parent[1].Limit != 9 {
		t.Error("the merged list is the child's own")
	}
}

func TestWithDefaults(t *testing.T) {
	list := List{second}
	want := Options{
		Limit: 1, Per: time.Second, Pace: stores.PaceWindow, Namespace: "cmdx:rate", OnLimit: run.PolicyFail,
		If: run.Always, Unless: run.Never, OnStoreError: run.FailClosed,
	}
	if got := list.WithDefaults()[0]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if list[0] != second {
		t.Error("the list itself was filled in")
	}
	said := Options{
		Scope: "s", Limit: 2, Per: time.Hour, Pace: stores.PaceSmooth, Namespace: "n", OnLimit: run.PolicySkip,
		If: run.Never, Unless: run.Always, OnStoreError: run.FailOpen,
	}
	if got := said.WithDefaults(); got != said {
		t.Errorf("what is said became %+v", got)
	}
}

func TestValidate(t *testing.T) {
	smooth := Options{Limit: 1, Per: time.Second, Pace: stores.PaceSmooth}
	elsewhere, slower := smooth, smooth
	elsewhere.Scope, slower.Per = "s", 2*time.Second
	for _, list := range []List{{second, minute}, {smooth, second}, {smooth, elsewhere}, {smooth, slower}, {second, second}, {{Limit: 1 << 40, Per: 1 << 62}}} {
		if problems := list.Validate(); problems != nil {
			t.Errorf("%v: %v", list, problems)
		}
	}
	for wrong, list := range map[string]List{
		"Limit is 0":                        {{Per: time.Second}},
		"Limit is -1":                       {{Limit: -1, Per: time.Second}},
		"Per is 0s":                         {{Limit: 1}},
		"Per is -1s":                        {{Limit: 1, Per: -time.Second}},
		"Per is 999µs":                      {{Limit: 1, Per: 999 * time.Microsecond}},
		"Pace is unknown":                   {{Limit: 1, Per: time.Second, Pace: 9}},
		"OnLimit is PolicyStepAside":        {{Limit: 1, Per: time.Second, OnLimit: run.PolicyStepAside}},
		"OnStoreError is an unknown policy": {{Limit: 1, Per: time.Second, OnStoreError: 9}},
		"Namespace begins":                  {{Limit: 1, Per: time.Second, Namespace: "cmdx-owner"}},
		"two smooth limits per 1s":          {smooth, second, smooth},
	} {
		problems := list.Validate()
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Text, wrong) || problems[0].Fix == "" {
			t.Errorf("%v: %v, want %q and a way out", list, problems, wrong)
		}
	}
}

func TestKeysOfSegmentsNeverMeet(t *testing.T) {
	windowed := &Options{Per: time.Second, Pace: stores.PaceWindow}
	smooth := &Options{Per: 1500 * time.Microsecond, Pace: stores.PaceSmooth}
	slower := &Options{Per: time.Second, Pace: stores.PaceSmooth}
	if got := windowed.suffixed("a"); got != "a" {
		t.Errorf("a window's segment is %q", got)
	}
	if got := smooth.suffixed("a"); got != "a:smooth:2" {
		t.Errorf("a smooth segment is %q", got)
	}
	segments := []string{"a", "a:window", "a:window:window", "a:smooth:2", "a:smooth:1000", "a:smooth:", "a:smooth:x", "a:smooth:2:window", "a:smooth:2:smooth:2", ":smooth:2", "smooth:2"}
	seen := map[string]string{}
	for _, s := range segments {
		for kind, o := range map[string]*Options{"window": windowed, "smooth": smooth, "slower": slower} {
			key := o.suffixed(s)
			if before, met := seen[key]; met {
				t.Errorf("%s of %q and %s share %q", kind, s, before, key)
			}
			seen[key] = kind + " of " + s
		}
	}
}

func TestCallsAreRememberedForTheLongestWindowOfTheirKey(t *testing.T) {
	smooth := Options{Limit: 1, Per: time.Hour, Pace: stores.PaceSmooth}
	elsewhere := Options{Limit: 1, Per: 24 * time.Hour, Scope: "s"}
	list := List{second, minute, smooth, elsewhere}.WithDefaults()
	for i, want := range []time.Duration{time.Minute, time.Minute, time.Hour, 24 * time.Hour} {
		if got := list.remembered(list[i]); got != want {
			t.Errorf("limit %d is remembered for %s, want %s", i, got, want)
		}
	}
}

func TestSharedDoesNotDependOnTheOrder(t *testing.T) {
	a, b := List{second, minute}.WithDefaults(), List{minute, second}.WithDefaults()
	if a.Shared("cmdx:rate", "") != b.Shared("cmdx:rate", "") {
		t.Error("the order counts")
	}
	b[0].Limit = 10
	if a.Shared("cmdx:rate", "") == b.Shared("cmdx:rate", "") {
		t.Error("a limit does not count")
	}
	if (List{}).Missing() == nil || a.Missing() != nil {
		t.Error("a list without limits is not complete, one with limits is")
	}
}
