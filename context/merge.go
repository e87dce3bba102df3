package cmdxctx

import (
	"maps"
	"reflect"
)

// Merge sets every key of every source, later ones over earlier ones. A source
// is whatever [Values] takes. The first one that it does not take gives an
// [*ArgsError], and nothing is written then.
func (c *Context) Merge(sources ...any) error {
	return c.merge("Merge", sources, func(_, theirs any) any { return theirs })
}

// DeepMerge is Merge, but where both sides hold a map with string keys the two
// are merged into a new map, at every depth; a nil map counts as an empty one.
// Maps that were set before are not changed. Everything else, slices too, is
// replaced.
func (c *Context) DeepMerge(sources ...any) error {
	return c.merge("DeepMerge", sources, func(mine, theirs any) any {
		return merging{}.value(reflect.ValueOf(mine), reflect.ValueOf(theirs))
	})
}

func (c *Context) merge(method string, sources []any, combine func(mine, theirs any) any) error {
	all := make([]map[string]any, 0, len(sources))
	for _, source := range sources {
		values, shared, err := Values(source)
		if err != nil {
			return err
		}
		if shared != nil {
			values = shared.values
		}
		all = append(all, values)
	}
	if !c.writable(method, "") {
		return nil
	}
	for _, source := range sources {
		if from, ok := source.(*Context); ok {
			c.Inherit(from)
		}
	}
	for _, values := range all {
		for key, theirs := range values {
			mine, ok := c.values[key]
			if ok {
				theirs = combine(mine, theirs)
			}
			c.put(key, theirs)
		}
	}
	return nil
}

// merging holds the pairs of maps that are being merged, so that two cyclic
// maps come to an end: at a pair met again, theirs is taken as it is.
type merging map[[2]uintptr]bool

func (m merging) value(mine, theirs reflect.Value) any {
	mine, theirs = inside(mine), inside(theirs)
	if !theirs.IsValid() {
		return nil
	}
	if !mine.IsValid() || !stringKeyed(mine.Type()) || !stringKeyed(theirs.Type()) || mine.IsNil() {
		return theirs.Interface()
	}
	if theirs.IsNil() {
		return mine.Interface()
	}
	pair := [2]uintptr{mine.Pointer(), theirs.Pointer()}
	if m[pair] || pair[0] == pair[1] {
		return theirs.Interface()
	}
	m[pair] = true
	defer delete(m, pair)
	return m.maps(mine, theirs)
}

func (m merging) maps(mine, theirs reflect.Value) any {
	merged := maps.Clone(asValues(mine))
	for key, value := range asValues(theirs) {
		if before, ok := merged[key]; ok {
			value = m.value(reflect.ValueOf(before), reflect.ValueOf(value))
		}
		merged[key] = value
	}
	// Equal types keep their type; unequal ones meet in map[string]any.
	if mine.Type() != theirs.Type() {
		return merged
	}
	return retyped(merged, mine.Type())
}

// retyped turns values into a map of type t. What deeper merging has made a
// map[string]any of, and no longer fits, keeps the whole a map[string]any.
func retyped(values map[string]any, t reflect.Type) any {
	typed := reflect.MakeMapWithSize(t, len(values))
	for key, value := range values {
		v := reflect.ValueOf(value)
		if !v.IsValid() {
			v = reflect.Zero(t.Elem())
		}
		if !v.Type().AssignableTo(t.Elem()) {
			return values
		}
		typed.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), v)
	}
	return typed.Interface()
}

// inside returns what an interface holds.
func inside(v reflect.Value) reflect.Value {
	if v.IsValid() && v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

func stringKeyed(t reflect.Type) bool {
	return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String
}
