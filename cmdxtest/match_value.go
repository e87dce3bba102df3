package cmdxtest

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/cmdx-go/cmdx"
)

// WithReason asks for this reason too: a string, which must be the whole
// reason, or a [Matcher] such as Gomega's ContainSubstring.
func (m ResultMatcher) WithReason(reason any) ResultMatcher {
	return m.with(valueCheck{
		what: "the reason", verb: "have the reason", given: []any{reason},
		find: func(r *cmdx.Result) (any, bool) { return r.Reason(), true },
	})
}

// WithMetadata asks for this key in the metadata too, and, when a value is
// given, for that value or what fits that [Matcher]. Other keys do not matter.
func (m ResultMatcher) WithMetadata(key string, value ...any) ResultMatcher {
	return m.with(valueCheck{
		what: fmt.Sprintf("the metadata %q", key), verb: fmt.Sprintf("have the metadata %q", key), given: value,
		find: func(r *cmdx.Result) (any, bool) { v, ok := r.Metadata()[key]; return v, ok },
	})
}

// HaveContext matches a result whose context has the key, and, when a value is
// given, that value or what fits that [Matcher]. Other keys do not matter.
func HaveContext(key string, value ...any) ResultMatcher {
	return ResultMatcher{}.with(valueCheck{
		what: fmt.Sprintf("the context's %q", key), verb: fmt.Sprintf("have in its context %q", key), given: value,
		find: func(r *cmdx.Result) (any, bool) { return r.Context().Get(key) },
	})
}

// HaveRetried matches a result of a run that tried again: that many times, as
// the [Matcher] says, or, without either, at least once. The first attempt is
// no retry.
func HaveRetried(times ...any) ResultMatcher {
	if len(times) == 0 {
		return ResultMatcher{}.with(retriedCheck{})
	}
	return ResultMatcher{}.with(valueCheck{
		what: "the number of retries", verb: "have a number of retries", given: times,
		find: func(r *cmdx.Result) (any, bool) { return r.Retries(), true },
	})
}

type retriedCheck struct{}

func (retriedCheck) fits(r *cmdx.Result) (bool, error) { return r.Retries() > 0, nil }
func (retriedCheck) want() string                      { return "have retried" }
func (retriedCheck) got(*cmdx.Result) string           { return "it made one attempt" }

// valueCheck asks for a value that find finds in a result.
type valueCheck struct {
	what, verb string
	given      []any // none: the value only has to be there
	find       func(*cmdx.Result) (any, bool)
}

func (c valueCheck) fits(r *cmdx.Result) (bool, error) {
	if len(c.given) > 1 {
		return false, errors.New("one value can be asked for, not several")
	}
	v, found := c.find(r)
	if !found || len(c.given) == 0 {
		return found, nil
	}
	return equal(c.given[0], v)
}

func (c valueCheck) want() string {
	switch {
	case len(c.given) == 0:
		return c.verb
	case isMatcher(c.given[0]):
		return c.verb + " that fits"
	}
	return c.verb + " " + shown(c.given[0])
}

func (c valueCheck) got(r *cmdx.Result) string {
	v, found := c.find(r)
	if !found {
		return c.what + " is not there"
	}
	if m, ok := c.given[0].(Matcher); ok {
		return c.what + " does not fit:\n" + indented(m.FailureMessage(v))
	}
	return c.what + " is " + shownBeside(v, c.given[0])
}

func isMatcher(v any) bool { _, ok := v.(Matcher); return ok }

// equal compares an actual value with a wanted one, or asks the matcher in its
// place. Types count: int(1) is not int64(1).
func equal(want, actual any) (bool, error) {
	if m, ok := want.(Matcher); ok {
		return m.Match(actual)
	}
	return reflect.DeepEqual(want, actual), nil
}
