package cmdxtest

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/result"
)

// WithCause asks for a cause too, by one of these:
//
//   - an error that errors.Is finds in it
//   - a pointer that errors.As can set to what it finds in it:
//     var timeout *net.OpError; BeFailed().WithCause(&timeout)
//   - a [Matcher] that is asked about the cause
//   - nil, for a failure without a cause, as Fail makes one
func (m ResultMatcher) WithCause(cause any) ResultMatcher { return m.with(causeCheck{cause}) }

type causeCheck struct{ wanted any }

func (c causeCheck) fits(r *cmdx.Result) (fits bool, err error) {
	if m, ok := c.wanted.(Matcher); ok {
		return m.Match(r.Cause())
	}
	defer func() { // Is, As and Unwrap are the application's
		if p := recover(); p != nil {
			fits, err = false, fmt.Errorf("a method of the cause or of the wanted error panicked: %v", p)
		}
	}()
	switch wanted := c.wanted.(type) {
	case nil:
		return r.Cause() == nil, nil
	case error:
		return errors.Is(r.Cause(), wanted), nil
	}
	if !canBeSet(c.wanted) {
		return false, fmt.Errorf("WithCause takes an error, a pointer as for errors.As, a matcher or nil, not a value of type %T", c.wanted)
	}
	return errors.As(r.Cause(), c.wanted), nil
}

// canBeSet tells whether errors.As takes target without a panic.
func canBeSet(target any) bool {
	v := reflect.ValueOf(target)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return false
	}
	to := v.Type().Elem()
	return to.Kind() == reflect.Interface || to.Implements(reflect.TypeFor[error]())
}

func (c causeCheck) want() string {
	switch wanted := c.wanted.(type) {
	case nil:
		return "have no cause"
	case Matcher:
		return "have a cause that fits"
	case error:
		return "have the cause " + result.Describe(wanted)
	}
	return "have a cause of the type " + strings.TrimPrefix(fmt.Sprintf("%T", c.wanted), "*")
}

func (c causeCheck) got(r *cmdx.Result) string {
	if m, ok := c.wanted.(Matcher); ok {
		return "the cause does not fit:\n" + indented(m.FailureMessage(r.Cause()))
	}
	if r.Cause() == nil {
		return "it has no cause"
	}
	return "the cause is " + describe(r, r.ToMap())
}
