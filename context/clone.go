package cmdxctx

import "reflect"

// Clone returns a copy of c that belongs to no run, so that it can be written
// to at any time. Maps and slices, of any named type, are copied at every
// depth, cyclic ones too; everything else is assigned, so that what lies
// behind a pointer is shared. A nil *Context gives an empty one.
func (c *Context) Clone() *Context {
	clone := &Context{}
	if c != nil {
		clone.traits.Store(c.traits.Load())
	}
	if c.Len() == 0 {
		return clone
	}
	copies := cloning{}
	clone.values = copies.value(reflect.ValueOf(c.values)).Interface().(map[string]any)
	return clone
}

// Branch is a Clone that is bound to the life of c: for one of several runs
// that go on at once under the same root.
func (c *Context) Branch() *Context {
	branch := c.Clone()
	branch.life.Store(c.Life())
	return branch
}

// cloneOf copies the maps and slices of one value.
func cloneOf(v reflect.Value) reflect.Value {
	if !mayShare(v.Type()) {
		return v
	}
	return cloning{}.value(v)
}

// cloning maps what was already copied to its copy, so that cycles end and
// come out as cycles.
type cloning map[original]reflect.Value

type original struct {
	at  uintptr
	len int
	typ reflect.Type
}

func (c cloning) value(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() || !mayShare(v.Elem().Type()) {
			return v
		}
		return c.value(v.Elem())
	case reflect.Map:
		return c.mapping(v)
	case reflect.Slice:
		return c.slice(v)
	}
	return v
}

func (c cloning) mapping(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	key := original{v.Pointer(), 0, v.Type()}
	if done, ok := c[key]; ok {
		return done
	}
	clone := reflect.MakeMapWithSize(v.Type(), v.Len())
	c[key] = clone
	for entries := v.MapRange(); entries.Next(); {
		clone.SetMapIndex(entries.Key(), c.value(entries.Value()))
	}
	return clone
}

func (c cloning) slice(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	key := original{v.Pointer(), v.Len(), v.Type()}
	if done, ok := c[key]; ok && v.Len() > 0 {
		return done
	}
	clone := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	c[key] = clone
	if !mayShare(v.Type().Elem()) {
		reflect.Copy(clone, v)
		return clone
	}
	for i := range v.Len() {
		clone.Index(i).Set(c.value(v.Index(i)))
	}
	return clone
}

// mayShare tells whether a value of type t can be, or hold as an interface, a
// map or a slice that a copy has to be made of.
func mayShare(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Map, reflect.Slice, reflect.Interface:
		return true
	}
	return false
}
