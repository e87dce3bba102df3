package cmdxtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cmdx-go/cmdx"
)

// ResultMatcher is a [Matcher] of a *cmdx.Result, made by [BeSuccess],
// [BeSkipped], [BeFailed], [BeDuplicate], [HaveContext], [HaveErrorOn],
// [HaveRetried] and [HaveChain]. It is a value that never changes: its With…
// methods give another one that asks for more. It keeps nothing of what it was
// asked about and may be used from many goroutines, and builds its texts only
// when it failed.
type ResultMatcher struct{ checks []check }

var _ Matcher = ResultMatcher{}

// check is one thing that a matcher asks of a result.
type check interface {
	// fits answers; the error tells that it was asked in a wrong way.
	fits(r *cmdx.Result) (bool, error)
	// want says what is asked for, behind "Expected the result to …".
	want() string
	// got says what is there instead of it.
	got(r *cmdx.Result) string
}

func (m ResultMatcher) with(c check) ResultMatcher {
	return ResultMatcher{append(slices.Clip(m.checks), c)}
}

// Match tells whether actual, a *cmdx.Result, has everything that is asked
// for. Any other type, a nil result, and a matcher that was made in a wrong way
// give an error.
func (m ResultMatcher) Match(actual any) (bool, error) {
	r, err := resultOf(actual)
	if err != nil {
		return false, err
	}
	if len(m.checks) == 0 {
		return false, errors.New("cmdxtest: this ResultMatcher asks for nothing: make it with BeSuccess or its like")
	}
	all := true
	for _, c := range m.checks { // all of them: one asked wrongly is never hidden
		fits, err := c.fits(r)
		if err != nil {
			return false, fmt.Errorf("cmdxtest: asked to %s: %w", c.want(), err)
		}
		all = all && fits
	}
	return all, nil
}

func resultOf(actual any) (*cmdx.Result, error) {
	switch a := actual.(type) {
	case *cmdx.Result:
		if a == nil {
			return nil, errors.New("cmdxtest: the *cmdx.Result is nil: no execution returns that")
		}
		return a, nil
	case *cmdx.Fault:
		return nil, errors.New("cmdxtest: a *cmdx.Result is asked for, not a *cmdx.Fault: take its Result()")
	}
	return nil, fmt.Errorf("cmdxtest: a *cmdx.Result is asked for, not a value of type %T", actual)
}

// FailureMessage shows the whole result and everything in it that is not as it
// was asked for.
func (m ResultMatcher) FailureMessage(actual any) string {
	r, err := resultOf(actual)
	if err != nil {
		return err.Error()
	}
	var wrong []string
	for _, c := range m.checks {
		if fits, err := c.fits(r); err == nil && !fits {
			wrong = append(wrong, c.got(r))
		}
	}
	return m.expected(r, "to ") + "\nbut " + strings.Join(wrong, "\nand ")
}

// NegatedFailureMessage shows the whole result and what it should not be.
func (m ResultMatcher) NegatedFailureMessage(actual any) string {
	r, err := resultOf(actual)
	if err != nil {
		return err.Error()
	}
	return m.expected(r, "not to ")
}

func (m ResultMatcher) expected(r *cmdx.Result, to string) string {
	var wants []string
	for _, c := range m.checks {
		wants = append(wants, c.want())
	}
	return "Expected the result\n" + indented(Show(r)) + "\n" + to + strings.Join(wants, ", ")
}

// String tells what the matcher asks for.
func (m ResultMatcher) String() string {
	var wants []string
	for _, c := range m.checks {
		wants = append(wants, c.want())
	}
	return strings.Join(wants, ", ")
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}
