package middleware

import (
	"slices"

	"github.com/cmdx-go/cmdx/internal/run"
)

// List is what layers declare, from outside to inside. It never changes: every
// method returns a new one, so a parent and its children may hold the same
// one. The zero List declares nothing.
type List struct {
	outer, inner []Entry
	alone        bool
}

// With adds a middleware at its position.
func (l List) With(e Entry) List {
	if e.Options.Position == Outermost {
		l.outer = slices.Concat([]Entry{e}, l.outer)
		return l
	}
	l.inner = append(slices.Clip(l.inner), e)
	return l
}

// Off drops all middlewares; those of the runtime too are left out from now
// on.
func (List) Off() List { return List{alone: true} }

// Without drops a middleware wherever it was declared, and tells whether there
// was one.
func (l List) Without(m run.Middleware) (List, bool) {
	same := func(e Entry) bool { return run.Same(e.Middleware, m) }
	found := slices.ContainsFunc(l.outer, same) || slices.ContainsFunc(l.inner, same)
	l.outer = slices.DeleteFunc(slices.Clone(l.outer), same)
	l.inner = slices.DeleteFunc(slices.Clone(l.inner), same)
	return l, found
}

// Around gives a type's middlewares together with the runtime's, from outside
// to inside.
func (l List) Around(runtime List) []Entry {
	if l.alone || runtime.Empty() {
		return slices.Concat(l.outer, l.inner)
	}
	return slices.Concat(l.outer, runtime.outer, runtime.inner, l.inner)
}

// Empty tells whether there is none.
func (l List) Empty() bool { return len(l.outer)+len(l.inner) == 0 }

// Alone tells that middlewares of the runtime are left out.
func (l List) Alone() bool { return l.alone }
