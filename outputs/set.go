package outputs

import "slices"

// Set is an ordered list of declarations, each name once. It never changes;
// the zero Set is empty.
type Set struct{ list []Declaration }

// With returns a set that has d too. A declaration of the same name is
// replaced where it stands; a new one comes last.
func (s Set) With(d Declaration) Set {
	list := slices.Clone(s.list)
	i := slices.IndexFunc(list, func(old Declaration) bool { return old.name == d.name })
	if i >= 0 {
		list[i] = d
	} else {
		list = append(list, d)
	}
	return Set{list: list}
}

// Without returns a set that has no output of that name; removed is false when
// there was none.
func (s Set) Without(name string) (without Set, removed bool) {
	list := slices.DeleteFunc(slices.Clone(s.list), func(d Declaration) bool { return d.name == name })
	return Set{list: list}, len(list) < len(s.list)
}

// Len is the number of declarations.
func (s Set) Len() int { return len(s.list) }

// All returns the declarations in order, in a slice of the caller's own.
func (s Set) All() []Declaration { return slices.Clone(s.list) }
