package inputs

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Set is an ordered list of declarations, each name once, and the names that
// were removed. It never changes; the zero Set is empty.
type Set struct {
	list []Declaration
	// removed holds, by name, the struct type at whose level an input was
	// removed: tagged fields in it neither declare nor bind that name.
	removed map[string]reflect.Type
}

// With returns a set that has d too. A declaration of the same name is
// replaced where it stands; a new one comes last.
func (s Set) With(d Declaration) Set {
	list := slices.Clone(s.list)
	if i := s.index(d.name); i >= 0 {
		list[i] = d
	} else {
		list = append(list, d)
	}
	removed := maps.Clone(s.removed)
	delete(removed, d.name)
	delete(removed, d.ReadingName())
	return Set{list: list, removed: removed}
}

// Without returns a set that has no input of that name. Fields of the struct
// type level, and of all that it embeds, lose their tags of that name. removed
// is false when neither the set nor a tag there declares such an input.
func (s Set) Without(name string, level reflect.Type) (without Set, removed bool) {
	names := []string{name}
	without = Set{list: slices.Clone(s.list), removed: maps.Clone(s.removed)}
	if i := s.index(name); i >= 0 {
		names = append(names, s.list[i].ReadingName())
		without.list = slices.Delete(without.list, i, i+1)
		removed = true
	}
	fields, _ := boundFields(level, s.drops)
	removed = removed || slices.ContainsFunc(fields, func(f field) bool { return f.input == name })
	if without.removed == nil {
		without.removed = map[string]reflect.Type{}
	}
	for _, n := range names {
		without.removed[n] = level
	}
	return without, removed
}

// drops tells whether the field's tag means an input that was removed.
func (s Set) drops(f field) bool {
	for name, level := range s.removed {
		if (f.input == name || strings.HasPrefix(f.input, name+".")) && slices.Contains(f.within, level) {
			return true
		}
	}
	return false
}

// Len is the number of declarations.
func (s Set) Len() int { return len(s.list) }

// All returns the declarations in order, in a slice of the caller's own.
func (s Set) All() []Declaration { return slices.Clone(s.list) }

func (s Set) index(name string) int {
	return slices.IndexFunc(s.list, func(d Declaration) bool { return d.name == name })
}

// names are the keys and the reading names of all declarations, nested ones
// with the way to them.
func (s Set) names() map[string]bool {
	names := map[string]bool{}
	addNames(names, "", "", s.list)
	return names
}

func addNames(names map[string]bool, reading, key string, list []Declaration) {
	for _, d := range list {
		names[reading+d.ReadingName()], names[key+d.name] = true, true
		if !d.each {
			addNames(names, reading+d.ReadingName()+".", key+d.name+".", d.children)
		}
	}
}
