package retry

import (
	"slices"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Policy is what the layers of a task type declare about retries: any number
// of matchers and one set of options. It never changes, so a parent and its
// children may hold the same one. The zero value declares nothing.
type Policy struct {
	matchers []run.ErrorMatcher
	off      bool
	declared bool
	options  Options
}

// With lays one declaration over p and returns the result; p stays as it is.
// A matcher is added to the inherited ones, nil adds none, and run.Disabled
// drops them all until one is given again. Options merge in their order, also
// over disabled retries, so that they are there when a matcher comes.
func (p Policy) With(match run.ErrorMatcher, options ...Options) Policy {
	p.declared = true
	switch {
	case match == nil:
	case run.IsDisabled(match):
		p.matchers, p.off = nil, true
	default:
		p.matchers, p.off = slices.Concat(p.matchers, []run.ErrorMatcher{match}), false
	}
	for _, o := range options {
		p.options = p.options.Merge(o)
	}
	return p
}

// Active tells whether a retry can happen at all: there is a matcher, and the
// limit allows one.
func (p Policy) Active() bool {
	return len(p.matchers) > 0 && p.options.Limit >= 0
}

// Incomplete tells that retries were declared without any matcher to pick
// errors, and were not disabled either.
func (p Policy) Incomplete() bool { return p.declared && len(p.matchers) == 0 && !p.off }

// Options are the effective options, defaults filled in, also while there is
// no matcher.
func (p Policy) Options() Options { return p.options.WithDefaults() }

// Matchers are the effective matchers, parents' first, in a slice of the
// caller's own; none when retries are off.
func (p Policy) Matchers() []run.ErrorMatcher { return slices.Clone(p.matchers) }

// Match tells whether any matcher picks err; nil is never picked. It panics
// with what a matcher of the application panics with.
func (p Policy) Match(err error) bool {
	if err == nil {
		return false
	}
	for _, m := range p.matchers {
		if m.Match(err) {
			return true
		}
	}
	return false
}
