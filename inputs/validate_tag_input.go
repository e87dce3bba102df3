package inputs

import (
	"reflect"
	"strings"
)

// comparesInputs tells the rules that hold a value against another input of
// the same task, which a validate tag of a struct would call a field.
func comparesInputs(rule string) bool {
	switch rule {
	case "eqfield", "nefield", "gtfield", "gtefield", "ltfield", "ltefield", "fieldcontains", "fieldexcludes":
		return true
	}
	return false
}

// other finds the input that a rule names, and holds both types against it.
func (p *tagParser) other(t *tagTest, types []reflect.Type) {
	var others []reflect.Type
	found := false
	if p.earlier != nil {
		t.other, others, found = p.earlier(t.parameter)
	}
	if !found {
		p.refuse("Name an input by its reading name, and declare it before this one.",
			"the rule %q compares with the input %q, and there is none before this one", t.name, t.parameter)
		return
	}
	for _, typ := range types {
		if typ.Kind() == reflect.Interface {
			continue
		}
		if !typesSuit(others, func(other reflect.Type) bool { return comparableBy(t.name, typ, other) }) {
			p.refuse("Compare inputs of one kind of type, or check them in Work.",
				"the rule %q cannot compare a value of type %s with one of type %s", t.name, typ, others[0])
			return
		}
	}
}

func comparableBy(rule string, t, other reflect.Type) bool {
	kind := sortOf(t)
	switch rule {
	case "fieldcontains", "fieldexcludes":
		return kind == sortText && sortOf(other) == sortText
	case "eqfield", "nefield":
		return kind == sortOf(other) && (kind != sortOther || behindPointerType(t) == behindPointerType(other))
	}
	return kind == sortOf(other) && (kind == sortNumber || kind == sortDuration || kind == sortTime)
}

// holdsBeside compares with what the other input has become. An input that was
// reported is compared with nothing: one message is enough. One without a value
// is equal to nothing but nil, and bounds nothing.
func (t *tagTest) holdsBeside(w walk, v any) bool {
	if w.wrong[t.other] {
		return true
	}
	other := w.run.Values[t.other]
	if isNil(v) || isNil(other) {
		switch t.name {
		case "eqfield":
			return isNil(v) && isNil(other)
		case "nefield":
			return isNil(v) != isNil(other)
		}
		return isNil(other)
	}
	if t.name == "fieldcontains" || t.name == "fieldexcludes" {
		text, ok := textOf(v)
		part, also := textOf(other)
		return ok && also && strings.Contains(text, part) == (t.name == "fieldcontains")
	}
	return t.compareInputs(v, other)
}

func (t *tagTest) compareInputs(v, other any) bool {
	d, ok := comparing(other)
	if !ok {
		return t.name == "nefield"
	}
	switch t.name {
	case "eqfield":
		return d.equals(v)
	case "nefield":
		return !d.equals(v)
	}
	order, ok := d.order(v)
	if !ok || d.sort == sortText {
		return false
	}
	switch t.name {
	case "gtfield":
		return order > 0
	case "gtefield":
		return order >= 0
	case "ltfield":
		return order < 0
	}
	return order <= 0 // ltefield
}
