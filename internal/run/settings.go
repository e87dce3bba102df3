package run

// Layer is a guard's option struct, or a list of such: a pure value that
// merges.
type Layer[O any] interface {
	// Merge lays child over the value: what the child says wins.
	Merge(child O) O
	// WithDefaults fills in what nobody said.
	WithDefaults() O
}

// Settings are a guard's declarations of a type, merged layer by layer: one
// resolver and the options. The zero value is a type that declares nothing.
type Settings[O Layer[O]] struct {
	resolver KeyResolver
	off      bool
	declared bool
	options  O
}

// With lays one declaration over s and returns the result. A nil resolver
// keeps the inherited one; Disabled turns the guard off until a resolver is
// given again, options flow through.
func (s Settings[O]) With(resolver KeyResolver, options ...O) Settings[O] {
	s.declared = true
	switch {
	case IsDisabled(resolver):
		s.resolver, s.off = nil, true
	case resolver != nil:
		s.resolver, s.off = resolver, false
	}
	for _, o := range options {
		s.options = s.options.Merge(o)
	}
	return s
}

// OrPerTask is [Settings.With] for guards that count for the whole type when
// nobody has said what for.
func (s Settings[O]) OrPerTask(resolver KeyResolver, options ...O) Settings[O] {
	if resolver == nil && s.resolver == nil && !s.off {
		resolver = PerTask
	}
	return s.With(resolver, options...)
}

// Resolver is the effective resolver; nil when the guard is off.
func (s Settings[O]) Resolver() KeyResolver { return s.resolver }

// Options are the effective options, defaults filled in.
func (s Settings[O]) Options() O { return s.options.WithDefaults() }

// Incomplete tells that there are options but no resolver to use them.
func (s Settings[O]) Incomplete() bool { return s.declared && s.resolver == nil && !s.off }

// OrGate is child, or parent when child is nil. It does not compare gates,
// which may be of types that cannot be.
func OrGate(child, parent Gate) Gate {
	if child != nil {
		return child
	}
	return parent
}
