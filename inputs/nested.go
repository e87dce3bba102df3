package inputs

import (
	"maps"
	"reflect"
	"slices"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// frame is a parent whose children are being resolved.
type frame struct {
	up    *frame
	in    *input
	index int // of the element; -1 when the parent itself is read
}

func (f *frame) path() string {
	path := f.in.name
	if f.up != nil {
		path = f.up.path() + "." + path
	}
	if f.index >= 0 {
		path += indexed(f.index)
	}
	return path
}

// entries are a parent's values, as the source of its children.
type entries map[string]any

// Get returns the value under key.
func (e entries) Get(key string) (any, bool) { v, ok := e[key]; return v, ok }

// descend resolves the children of a parent's value, and gives the value with
// what they became; ok is false when anything was wrong.
func (in *input) descend(w *walk, v any) (with any, ok bool) {
	if !in.each {
		return in.descendInto(w, v, -1)
	}
	given, ok := itemsOf(v)
	if !ok {
		w.refuse(in, in.failure)
		return nil, false
	}
	items := slices.Clone(given)
	all := true
	for i := range items {
		if items[i], ok = in.descendInto(w, items[i], i); !ok {
			all = false
		}
	}
	return items, all
}

// descendInto reads the children from one map or struct.
func (in *input) descendInto(w *walk, v any, index int) (with any, ok bool) {
	given, ok := entriesOf(v)
	if !ok {
		at := ""
		if index >= 0 {
			at = indexed(index)
		}
		w.refuseAt(in, at, failureOf([]Coercion{Hash}))
		return nil, false
	}
	src, up, refused := w.src, w.up, w.refused
	w.src, w.up = entries(given), &frame{up: up, in: in, index: index}
	values := make([]any, len(in.children))
	for i, child := range in.children {
		values[i] = child.resolve(w)
		if child.index >= 0 {
			w.run.Values[child.index] = values[i]
		}
	}
	w.src, w.up = src, up
	if w.refused > refused {
		return nil, false
	}
	return in.joined(given, values), true
}

// joined lays what the children became over what the caller gave.
func (in *input) joined(given map[string]any, values []any) map[string]any {
	joined := make(map[string]any, len(given)+len(values))
	maps.Copy(joined, given)
	for i, child := range in.children {
		if _, there := joined[child.key]; there && !in.keepsKeys {
			delete(joined, child.key)
		} else if there {
			joined[child.key] = values[i]
		}
	}
	for i, child := range in.children {
		_, there := given[child.key]
		if there || values[i] != nil {
			joined[child.name] = values[i]
		}
	}
	return joined
}

// settle makes v a value that the bound field can hold; message is nil when all
// is well.
func (in *input) settle(v any) (settled any, at string, message *messages.Text) {
	if in.fits(v) {
		return v, "", nil
	}
	for _, c := range in.settling {
		if coerced, ok := c.Coerce(v); ok && in.bound.fits(coerced) {
			return coerced, "", nil
		}
	}
	if adopted, ok := in.bound.adopt(v); ok && in.bound.fits(adopted) {
		return adopted, "", nil
	}
	if len(in.settling) == 1 {
		if at, message = locate(in.settling[0], v); at != "" {
			return nil, at, message
		}
	}
	return nil, "", in.unsettled
}

// kindOfParent is the coercion of an input with children that declares none.
func kindOfParent(each bool) Coercion {
	if each {
		return Array
	}
	return Hash
}

// mayHaveChildren tells whether children can be read from values of type t.
func mayHaveChildren(t reflect.Type, each bool) bool {
	switch core(t).Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice, reflect.Array:
		return each
	case reflect.Map, reflect.Struct:
		return !each
	}
	return false
}

// childrenOf are the inputs that the tags inside a field's type declare: those
// of a struct for the field itself, those of a list's structs for each of its
// elements. A type within itself ends them; what lies there is only decoded.
func childrenOf(t reflect.Type, within []reflect.Type) (children []Declaration, each bool, problems []Problem) {
	t = core(t)
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t, each = core(t.Elem()), true
	}
	if t.Kind() != reflect.Struct || isOneValue(t) || readsText(t) || slices.Contains(within, t) {
		return nil, each, nil
	}
	within = append(slices.Clip(within), t)
	fields, problems := boundFields(t, func(field) bool { return false })
	says := len(problems) > 0
	for _, f := range fields {
		d := f.declaration()
		d.children, d.each, problems = appendChildren(f, within, problems)
		if coercion, ok := coercionOf(f.typ); ok && len(d.children) == 0 {
			d.coercions = []Coercion{fitTo(f.typ, coercion)}
		}
		says = says || d.required || d.sensitive || len(d.rules) > 0 || len(f.options) > 0 || len(d.children) > 0
		children = append(children, d)
	}
	if !says {
		return nil, each, nil // names alone are for the decoder
	}
	return children, each, problems
}

func appendChildren(f field, within []reflect.Type, problems []Problem) ([]Declaration, bool, []Problem) {
	children, each, more := childrenOf(f.typ, within)
	return children, each, append(problems, more...)
}
