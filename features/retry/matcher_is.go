package retry

import (
	"slices"

	"github.com/cmdx-go/cmdx/internal/run"
)

type isMatcher struct{ targets []error }

// ErrorIs matches errors that are one of errs or wrap one, as errors.Is tells
// it. nil among errs matches nothing. Chains that come back to themselves and
// methods that panic do no harm.
func ErrorIs(errs ...error) run.ErrorMatcher { return isMatcher{slices.Clone(errs)} }

// Match looks through the chain of err.
func (m isMatcher) Match(err error) bool {
	return has(err, m.is)
}

func (m isMatcher) is(err error) bool {
	asked, asks := err.(interface{ Is(error) bool })
	for _, target := range m.targets {
		if target == nil {
			continue
		}
		if equal(err, target) || asks && asked.Is(target) {
			return true
		}
	}
	return false
}

// equal compares errors, of which some cannot be compared and are nobody.
func equal(err, target error) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	return err == target
}
