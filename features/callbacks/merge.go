package callbacks

import (
	"maps"
	"slices"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Set is what layers declare, by kind. It never changes: every method returns
// a new one, so a parent and its children may hold the same one. The zero Set
// declares nothing.
type Set struct {
	lists map[Kind]list
}

type list struct {
	entries []Entry
	alone   bool
}

// With adds a callback of a kind behind the inherited ones.
func (s Set) With(kind Kind, e Entry) Set {
	return s.change(kind, func(l list) list {
		l.entries = append(slices.Clip(l.entries), e)
		return l
	})
}

// Off drops all callbacks of a kind; those of the runtime too are left out
// from now on.
func (s Set) Off(kind Kind) Set {
	return s.change(kind, func(list) list { return list{alone: true} })
}

// Without drops a callback of a kind wherever it was declared, and tells
// whether there was one.
func (s Set) Without(kind Kind, value any) (Set, bool) {
	same := func(e Entry) bool { return run.Same(e.Value(), value) }
	if !slices.ContainsFunc(s.lists[kind].entries, same) {
		return s, false
	}
	return s.change(kind, func(l list) list {
		l.entries = slices.DeleteFunc(slices.Clone(l.entries), same)
		return l
	}), true
}

func (s Set) change(kind Kind, to func(list) list) Set {
	lists := maps.Clone(s.lists)
	if lists == nil {
		lists = map[Kind]list{}
	}
	lists[kind] = to(lists[kind])
	return Set{lists}
}

// Of are the callbacks of a kind in the order in which they are called. The
// caller must not write to the slice.
func (s Set) Of(kind Kind) []Entry { return s.lists[kind].entries }

// Alone tells that the kind was turned off at some layer, so that callbacks of
// the runtime are not called.
func (s Set) Alone(kind Kind) bool { return s.lists[kind].alone }

// Empty tells whether nothing was declared for any kind.
func (s Set) Empty() bool { return len(s.lists) == 0 }
