package result

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cmdx-go/cmdx/internal/run"
)

var (
	errDeclined = errors.New("card declined")
	errClose    = errors.New("close failed")
)

// Errors as a hostile or clumsy application writes them.
type (
	endless  int
	knot     struct{ _ int }
	explodes struct{ cause error }
)

func (endless) Error() string     { return "endless" }
func (e endless) Unwrap() error   { return e + 1 }
func (*knot) Error() string       { return "knot" }
func (k *knot) Unwrap() []error   { return []error{k, k} }
func (*explodes) Error() string   { panic("Error") }
func (e *explodes) Unwrap() error { return e.cause }

// made is a sealed result of a task called name.
func made(name string, o Outcome) *Result {
	r := &Result{}
	Begin(r, &run.Run{Type: &run.Type{Name: name, Kind: "Task"}}, nil, r.start, false)
	*Draft(r) = o
	Seal(r, Record{})
	return r
}

func TestRead(t *testing.T) {
	mine, theirs := &run.Run{}, &run.Run{}
	skip := NewSignal(mine, StatusSkipped, "closed")
	fail := NewSignal(mine, StatusFailed, "broken")
	foreign := NewSignal(theirs, StatusFailed, "foreign")
	idle := NewSignal(nil, StatusFailed, "idle")
	nested := made("Nested", Outcome{Status: StatusFailed, Reason: "no funds"})
	fault := (*Fault)(nested)
	wrap := func(err error) error { return fmt.Errorf("wrapped: %w", err) }

	for _, row := range []struct {
		name   string
		err    error
		signal *Signal
		echo   *Result
		text   string // of the echo
		raised bool
	}{
		{"nil", nil, nil, nil, "", false},
		{"an error", errDeclined, nil, nil, "", true},
		{"a signal", skip, skip, nil, "", false},
		{"a wrapped signal", wrap(wrap(skip)), skip, nil, "", false},
		{"a signal alone in a list", errors.Join(nil, skip), skip, nil, "", false},
		{"a signal beside an error", errors.Join(skip, errClose), nil, nil, "", true},
		{"an error beside a signal", errors.Join(errClose, skip), nil, nil, "", true},
		{"two signals: the failure", errors.Join(fail, skip), fail, nil, "", false},
		{"two signals, one foreign", errors.Join(fail, foreign), nil, nil, "", true},
		{"a signal and a fault", errors.Join(skip, fault), nil, nil, "", true},
		{"a foreign signal", foreign, nil, nil, "", true},
		{"a wrapped foreign signal", wrap(foreign), nil, nil, "", true},
		{"a signal of nobody", idle, nil, nil, "", true},
		{"a fault", fault, nil, nested, "no funds", false},
		{"a wrapped fault", wrap(fault), nil, nested, "wrapped: " + fault.Error(), false},
		{"a fault beside an error", errors.Join(fault, errClose), nil, nil, "", true},
		{"two faults", errors.Join(fault, fault), nil, nil, "", true},
		{"a panic with a signal", &PanicError{Value: skip}, nil, nil, "", true},
		{"a panic with a fault", &PanicError{Value: fault}, nil, nil, "", true},
		{"a chain without an end", endless(0), nil, nil, "", true},
		{"a knot", &knot{}, nil, nil, "", true},
		{"Unwrap panics", (*explodes)(nil), nil, nil, "", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := Read(row.err, mine)
			if r.Signal != row.signal || r.Echo != row.echo || r.EchoText != row.text || (r.Raised != nil) != row.raised {
				t.Errorf("%+v", r)
			}
			if failed := row.err != nil && row.signal != skip; Failed(row.err) != failed {
				t.Errorf("Failed says %t", !failed)
			}
		})
	}
}

func TestReadOfNobody(t *testing.T) {
	if r := Read(NewSignal(nil, StatusSkipped, "idle"), nil); r.Raised == nil {
		t.Errorf("a signal of nobody counts where nobody runs: %+v", r)
	}
}

func TestOutcomes(t *testing.T) {
	nested := made("Nested", Raise(errDeclined))
	echo := Read(fmt.Errorf("order: %w", nested.Err()), nil).Outcome()
	if echo.Status != StatusFailed || echo.Origin != nested || echo.Cause != errDeclined || !echo.Raised {
		t.Errorf("echo: %+v", echo)
	}
	thrown := NewThrow(&run.Run{}, nested, Metadata{"order": 7}).Outcome()
	if thrown.Reason != "[errors.errorString] card declined" || thrown.Origin != nested || thrown.Cause != errDeclined || thrown.Metadata["order"] != 7 || !thrown.Signalled {
		t.Errorf("thrown: %+v", thrown)
	}
	if o := (Reading{}).Outcome(); o.Status != StatusSuccess {
		t.Errorf("nothing: %+v", o)
	}
}

func TestOutranks(t *testing.T) {
	order := []Status{StatusSuccess, StatusSkipped, StatusFailed}
	for i, s := range order {
		later := NewSignal(nil, s, "")
		if !later.Outranks(nil) {
			t.Errorf("%s does not outrank nothing", s)
		}
		for j, before := range order {
			if got := later.Outranks(NewSignal(nil, before, "")); got != (i >= j) {
				t.Errorf("%s after %s: %t", s, before, got)
			}
		}
	}
}
