package retry

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/cmdx-go/cmdx/internal/run"
)

// charge is a task as far as gates need one.
type charge struct {
	run.Anchor
	live bool
}

func (*charge) Work(context.Context) error { return nil }
func (c *charge) isLive() bool             { return c.live }
func (c *charge) worthIt(err error, attempt int) bool {
	return c.live && errors.Is(err, errBusy) && attempt < 2
}
func (c *charge) hopeless(err error, attempt int) bool {
	return errors.Is(err, errReset) || attempt > 5
}
func fixed(yes bool) func(*charge, error, int) bool {
	return func(*charge, error, int) bool { return yes }
}
func isLiveGate() run.Gate { return run.WhenGate[charge]{Func: (*charge).isLive} }

func TestAllowed(t *testing.T) {
	live, dead := &charge{live: true}, &charge{}
	for _, row := range []struct {
		name    string
		options Options
		task    *charge
		err     error
		attempt int
		want    bool
	}{
		{"no gates", Options{}, dead, errBusy, 0, true},
		{"defaults", Options{}.WithDefaults(), dead, errBusy, 0, true},
		{"never", Options{If: run.Never}, live, errBusy, 0, false},
		{"unless always", Options{Unless: run.Always}, live, errBusy, 0, false},
		{"a plain gate that holds", Options{If: isLiveGate()}, live, errBusy, 0, true},
		{"a plain gate that does not", Options{If: isLiveGate()}, dead, errBusy, 0, false},
		{"a plain gate turned round", Options{Unless: isLiveGate()}, live, errBusy, 0, false},
		{"the error fits", Options{If: WhenError((*charge).worthIt)}, live, wrap(errBusy), 1, true},
		{"another error", Options{If: WhenError((*charge).worthIt)}, live, errReset, 1, false},
		{"a late attempt", Options{If: WhenError((*charge).worthIt)}, live, errBusy, 2, false},
		{"another task", Options{If: WhenError((*charge).worthIt)}, dead, errBusy, 0, false},
		{"unless the error fits", Options{Unless: WhenError((*charge).hopeless)}, live, errReset, 0, false},
		{"unless it does not", Options{Unless: WhenError((*charge).hopeless)}, live, errBusy, 0, true},
		{"both", Options{If: WhenError(fixed(true)), Unless: WhenError(fixed(false))}, live, errBusy, 0, true},
		{"both, the second refuses", Options{If: WhenError(fixed(true)), Unless: WhenError(fixed(true))}, live, errBusy, 0, false},
		{"mixed", Options{If: isLiveGate(), Unless: WhenError((*charge).hopeless)}, live, errBusy, 6, false},
	} {
		if got := row.options.Allowed(t.Context(), row.task, row.err, row.attempt); got != row.want {
			t.Errorf("%s: %t, want %t", row.name, got, row.want)
		}
	}
}

func TestUnlessIsNotAskedAfterARefusal(t *testing.T) {
	asked := false
	o := Options{If: run.Never, Unless: WhenError(func(*charge, error, int) bool { asked = true; return false })}
	if o.Allowed(t.Context(), &charge{}, errBusy, 0) || asked {
		t.Error("Unless was asked although If had refused")
	}
}

func TestIsErrorGate(t *testing.T) {
	for _, row := range []struct {
		name string
		gate run.Gate
		want bool
	}{
		{"nil", nil, false},
		{"always", run.Always, false},
		{"a method", isLiveGate(), false},
		{"the application's", gateNumber(1), false},
		{"WhenError", WhenError((*charge).worthIt), true},
		{"the application's with an error", askingGate{}, true},
	} {
		if got := IsErrorGate(row.gate); got != row.want {
			t.Errorf("%s: %t, want %t", row.name, got, row.want)
		}
	}
}

type askingGate struct{}

func (askingGate) Allow(context.Context, run.Task) bool                  { return false }
func (askingGate) AllowError(context.Context, run.Task, error, int) bool { return true }

func TestAnErrorGateOfTheApplicationIsAskedWithTheError(t *testing.T) {
	if !(Options{If: askingGate{}}).Allowed(t.Context(), &charge{}, errBusy, 0) {
		t.Error("Allow was asked instead of AllowError")
	}
}

func TestWhenErrorTellsItsType(t *testing.T) {
	gate, ok := WhenError((*charge).worthIt).(run.ForType)
	if !ok || gate.TaskType() != reflect.TypeFor[charge]() {
		t.Error("the gate does not tell the type it was written for")
	}
	if !WhenError((*charge).worthIt).Allow(t.Context(), &charge{}) {
		t.Error("a gate that is asked without an error stands in the way")
	}
}
