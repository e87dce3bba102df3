package retry

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"testing"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Errors as a hostile or clumsy application writes them.
type (
	stubborn struct{ yes bool }
	selfish  struct{ _ int }
	knot     struct{ _ int }
	twin     struct{ _ int }
	explodes struct{ err error }
	answers  struct{}
	words    []string
	holder   struct{ v any }
	asPipe   struct{}
	isPipe   struct{}
	endless  int
)

func (stubborn) Error() string       { return "stubborn" }
func (s stubborn) Unretryable() bool { return s.yes }

func (s *selfish) Error() string { return "selfish" }
func (s *selfish) Unwrap() error { return s }

func (k *knot) Error() string   { return "knot" }
func (k *knot) Unwrap() []error { return []error{k} }

func (t *twin) Error() string   { return "twin" }
func (t *twin) Unwrap() []error { return []error{t, t, t} }

func (*explodes) Error() string     { panic("Error") }
func (*explodes) Is(error) bool     { panic("Is") }
func (*explodes) As(any) bool       { panic("As") }
func (e *explodes) Unwrap() error   { return e.err }
func (answers) Error() string       { return "answers" }
func (answers) Unretryable() bool   { panic("Unretryable") }
func (words) Error() string         { return "words" }
func (holder) Error() string        { return "holder" }
func (asPipe) Error() string        { return "asPipe" }
func (isPipe) Error() string        { return "isPipe" }
func (isPipe) Is(target error) bool { return target == io.ErrClosedPipe }

func (asPipe) As(target any) bool {
	p, ok := target.(**fs.PathError)
	if ok {
		*p = &fs.PathError{}
	}
	return ok
}

func (e endless) Error() string { return "endless" }
func (e endless) Unwrap() error { return e + 1 }

func wrap(err error) error { return fmt.Errorf("wrapped: %w", err) }

func TestMatchers(t *testing.T) {
	opError := ErrorType[*net.OpError]()
	var typedNil *net.OpError
	for _, row := range []struct {
		name    string
		matcher run.ErrorMatcher
		err     error
		want    bool
	}{
		{"any: nil", AnyError, nil, false},
		{"any: an error", AnyError, errBusy, true},
		{"any: a wrapped error", AnyError, wrap(errBusy), true},
		{"any: a typed nil", AnyError, typedNil, true},
		{"any: unretryable", AnyError, stubborn{true}, false},
		{"any: wrapped unretryable", AnyError, wrap(wrap(stubborn{true})), false},
		{"any: joined unretryable", AnyError, errors.Join(errBusy, wrap(stubborn{true})), true},
		{"any: two %w", AnyError, fmt.Errorf("%w, %w", errBusy, stubborn{true}), true},
		{"any: says it is retryable", AnyError, stubborn{false}, true},
		{"any: joined unretryables", AnyError, errors.Join(stubborn{true}, stubborn{true}), true},
		{"any: unretryable joined with nothing", AnyError, errors.Join(nil, stubborn{true}), false},
		{"any: panics over the question", AnyError, answers{}, false},
		{"any: a cycle", AnyError, &selfish{}, true},
		{"any: a cycle beside unretryable", AnyError, errors.Join(&selfish{}, stubborn{true}), true},
		{"any: a cycle of several", AnyError, &twin{}, true},
		{"any: a chain without an end", AnyError, endless(0), true},
		{"any: Unwrap panics", AnyError, (*explodes)(nil), true},
		{"any: uncomparable", AnyError, words{"a"}, true},

		{"is: nil", ErrorIs(errBusy), nil, false},
		{"is: itself", ErrorIs(errBusy), errBusy, true},
		{"is: another", ErrorIs(errBusy), errReset, false},
		{"is: the second named", ErrorIs(errBusy, errReset), errReset, true},
		{"is: wrapped", ErrorIs(io.EOF), wrap(wrap(io.EOF)), true},
		{"is: joined", ErrorIs(io.EOF), errors.Join(errBusy, io.EOF), true},
		{"is: by an Is method", ErrorIs(io.ErrClosedPipe), wrap(isPipe{}), true},
		{"is: the Is method says no", ErrorIs(io.EOF), wrap(isPipe{}), false},
		{"is: nothing named", ErrorIs(), errBusy, false},
		{"is: nil named", ErrorIs(nil), errBusy, false},
		{"is: nil and another named", ErrorIs(nil, errBusy), errBusy, true},
		{"is: unretryable is the user's word", ErrorIs(errBusy), errors.Join(errBusy, stubborn{true}), true},
		{"is: uncomparable", ErrorIs(words{"a"}), words{"a"}, false},
		{"is: uncomparable inside", ErrorIs(holder{[]int{1}}, errBusy), errors.Join(holder{[]int{1}}, errBusy), true},
		{"is: comparable inside", ErrorIs(holder{1}), wrap(holder{1}), true},
		{"is: a cycle", ErrorIs(errBusy), &selfish{}, false},
		{"is: a cycle first", ErrorIs(errBusy), errors.Join(&selfish{}, errBusy), true},
		{"is: a cycle of joins first", ErrorIs(errBusy), errors.Join(&knot{}, errBusy), true},
		{"is: a cycle of several", ErrorIs(errBusy), &twin{}, false},
		{"is: Is panics, its cause matches", ErrorIs(errBusy), &explodes{errBusy}, true},
		{"is: typed nil that panics", ErrorIs(errBusy), errors.Join((*explodes)(nil), errBusy), true},
		{"is: typed nil", ErrorIs(typedNil), wrap(typedNil), true},

		{"type: nil", opError, nil, false},
		{"type: itself", opError, &net.OpError{}, true},
		{"type: wrapped", opError, wrap(&net.OpError{}), true},
		{"type: joined", opError, errors.Join(errBusy, &net.OpError{}), true},
		{"type: another", opError, errBusy, false},
		{"type: typed nil", opError, typedNil, true},
		{"type: its cause", ErrorType[*net.DNSError](), &net.OpError{Err: &net.DNSError{}}, true},
		{"type: a typed nil's cause", ErrorType[*net.DNSError](), typedNil, false},
		{"type: an interface", ErrorType[net.Error](), wrap(&net.OpError{Err: errBusy}), true},
		{"type: a value", ErrorType[stubborn](), wrap(stubborn{true}), true},
		{"type: by an As method", ErrorType[*fs.PathError](), wrap(asPipe{}), true},
		{"type: the As method says no", opError, wrap(asPipe{}), false},
		{"type: As panics, its cause matches", opError, &explodes{&net.OpError{}}, true},
		{"type: a cycle", opError, &selfish{}, false},
		{"type: a chain without an end", opError, endless(0), false},

		{"func: yes", ErrorFunc(func(err error) bool { return err == errBusy }), errBusy, true},
		{"func: no", ErrorFunc(func(err error) bool { return err == errBusy }), wrap(errBusy), false},
		{"func: never given nil", ErrorFunc(func(error) bool { return true }), nil, false},
		{"func: nil", ErrorFunc(nil), errBusy, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := row.matcher.Match(row.err); got != row.want {
				t.Errorf("%t, want %t", got, row.want)
			}
		})
	}
}

// What the standard library answers, ours answers too.
func TestMatchersAgreeWithErrors(t *testing.T) {
	for i, err := range []error{
		errBusy, wrap(errBusy), errors.Join(errBusy, io.EOF), wrap(errors.Join(wrap(io.EOF), isPipe{})), isPipe{}, asPipe{}, wrap(asPipe{}),
		&net.OpError{Err: io.EOF}, fmt.Errorf("%w %w", &fs.PathError{Err: errReset}, stubborn{}), errors.Join(), holder{1}, wrap(holder{[]int{}}),
	} {
		for _, target := range []error{errBusy, errReset, io.EOF, io.ErrClosedPipe, holder{1}} {
			if got, want := ErrorIs(target).Match(err), errors.Is(err, target); got != want {
				t.Errorf("error %d is %v: %t, errors.Is says %t", i, target, got, want)
			}
		}
		_, isPath := errors.AsType[*fs.PathError](err)
		if got := ErrorType[*fs.PathError]().Match(err); got != isPath {
			t.Errorf("error %d as *fs.PathError: %t, errors.AsType says %t", i, got, isPath)
		}
	}
}

func TestErrorIsKeepsItsOwnList(t *testing.T) {
	list := []error{errBusy}
	m := ErrorIs(list...)
	list[0] = errReset
	if !m.Match(errBusy) || m.Match(errReset) {
		t.Error("changing the caller's slice changed the matcher")
	}
}

func TestAPanicOfErrorFuncIsTheCallers(t *testing.T) {
	defer func() {
		if recover() != "mine" {
			t.Error("the panic was swallowed")
		}
	}()
	Policy{}.With(ErrorFunc(func(error) bool { panic("mine") })).Match(errBusy)
}

func TestALongHonestChainIsReadToItsEnd(t *testing.T) {
	err := io.EOF
	for range deepest - 1 {
		err = wrap(err)
	}
	if !ErrorIs(io.EOF).Match(err) {
		t.Error("the last error of the chain was not found")
	}
	several := make([]error, widest-2)
	for i := range several {
		several[i] = errBusy
	}
	if !ErrorIs(io.EOF).Match(errors.Join(append(several, io.EOF)...)) {
		t.Error("the last of the joined errors was not found")
	}
}

func TestCheckMatcher(t *testing.T) {
	for _, row := range []struct {
		name    string
		matcher run.ErrorMatcher
		wrong   bool
	}{
		{"nil", nil, false},
		{"disabled", run.Disabled, false},
		{"any", AnyError, false},
		{"is", ErrorIs(errBusy), false},
		{"is nothing", ErrorIs(), true},
		{"is nil", ErrorIs(errBusy, nil), true},
		{"type", ErrorType[*net.OpError](), false},
		{"func", ErrorFunc(func(error) bool { return true }), false},
		{"no func", ErrorFunc(nil), true},
		{"the application's", matcherOfFuncs{}, false},
	} {
		p := CheckMatcher(row.matcher)
		if (p != nil) != row.wrong || p != nil && (p.Text == "" || p.Fix == "") {
			t.Errorf("%s: %v", row.name, p)
		}
	}
}
