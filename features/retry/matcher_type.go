package retry

import (
	"github.com/cmdx-go/cmdx/internal/run"
)

type typeMatcher[E error] struct{}

// ErrorType matches errors that are an E or wrap one, as errors.As tells it;
// E may be an interface. Chains that come back to themselves and methods that
// panic do no harm.
func ErrorType[E error]() run.ErrorMatcher { return typeMatcher[E]{} }

// Match looks through the chain of err.
func (typeMatcher[E]) Match(err error) bool { return has(err, is[E]) }

func is[E error](err error) bool {
	if _, ok := err.(E); ok {
		return true
	}
	asked, ok := err.(interface{ As(any) bool })
	return ok && asked.As(new(E))
}
