package deprecation

import "github.com/cmdx-go/cmdx/internal/run"

// Settings are the layers of a type's deprecation, merged: one action and the
// options. The zero value is a type that is not deprecated.
type Settings struct {
	action   run.Callback
	off      bool
	declared bool
	options  Options
}

// With lays one declaration over s. A nil action keeps the inherited one;
// run.Disabled turns the deprecation off until an action is given again.
func (s Settings) With(action run.Callback, options ...Options) Settings {
	s.declared = true
	switch {
	case action == nil:
	case run.IsDisabled(action):
		s.action, s.off = nil, true
	default:
		s.action, s.off = action, false
	}
	for _, o := range options {
		s.options = s.options.Merge(o)
	}
	return s
}

// Action is the effective action; nil when the type is not deprecated.
func (s Settings) Action() run.Callback { return s.action }

// Options are the effective options, defaults filled in.
func (s Settings) Options() Options { return s.options.WithDefaults() }

// Incomplete tells that there are options but no action.
func (s Settings) Incomplete() bool { return s.declared && s.action == nil && !s.off }
