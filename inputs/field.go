package inputs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// The struct tags that this package reads.
const (
	bindTag     = "cmdx"
	validateTag = "validate"
	requiredOpt = "required"
)

// field is a field of the task's struct that is bound to an input.
type field struct {
	input    string
	required bool
	rules    string // the validate tag
	path     string // as Go writes it, for definition errors
	typ      reflect.Type
	offset   uintptr
}

// declaration is what the field declares when nothing else declares its input.
func (f field) declaration() Declaration {
	d := Declaration{name: f.input, required: f.required}
	if f.rules != "" && f.rules != "-" {
		d.rules = []rule{tagRule(f.rules)}
	}
	return d
}

// boundFields finds the tagged fields of a struct type and of every struct
// that it embeds by value, in the order in which they lie.
func boundFields(t reflect.Type) ([]field, []Problem) {
	w := &fieldWalk{seen: map[string]string{}}
	w.visit(t, t.Name(), 0)
	return w.fields, w.problems
}

type fieldWalk struct {
	fields   []field
	problems []Problem
	seen     map[string]string // input → path
}

func (w *fieldWalk) refuse(fix, format string, args ...any) {
	w.problems = append(w.problems, Problem{Text: fmt.Sprintf(format, args...), Fix: fix})
}

func (w *fieldWalk) visit(t reflect.Type, path string, offset uintptr) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := strings.TrimPrefix(path+"."+f.Name, ".")
		tag, tagged := f.Tag.Lookup(bindTag)
		switch {
		case tagged && tag == "-":
		case tagged:
			w.bind(f, at, tag, offset+f.Offset)
		case strings.HasPrefix(strings.TrimSpace(string(f.Tag)), bindTag+":"):
			w.refuse(`Write it as cmdx:"name" with the name in double quotes.`, "the tag of field %s cannot be read", at)
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			w.visit(f.Type, at, offset+f.Offset)
		case f.Anonymous && f.Type.Kind() == reflect.Pointer && bindsFields(f.Type.Elem(), nil):
			w.refuse("Embed it by value.", "%s is embedded by pointer and has fields with cmdx tags, which cannot be bound", at)
		}
	}
}

func (w *fieldWalk) bind(f reflect.StructField, at, tag string, offset uintptr) {
	name, option, more := strings.Cut(tag, ",")
	switch {
	case !f.IsExported():
		w.refuse("Begin the field's name with a capital letter.", "the field %s has a cmdx tag but is not exported", at)
		return
	case strings.TrimSpace(name) == "":
		w.refuse(`Write the key that callers pass, such as cmdx:"payment_id".`, "the cmdx tag of field %s names no input", at)
		return
	case name != strings.TrimSpace(name):
		w.refuse("Remove the blanks.", "the cmdx tag of field %s has blanks around the input's name %q", at, name)
		return
	case more && option != requiredOpt:
		w.refuse(`The only option is "required", without blanks: cmdx:"name,required".`, "the cmdx tag of field %s has the unknown option %q", at, option)
		return
	}
	if first, twice := w.seen[name]; twice {
		w.refuse("Keep one of them; a field of an embedded struct is reached as if it were the task's own.",
			"the fields %s and %s are both bound to the input %q", first, at, name)
		return
	}
	w.seen[name] = at
	w.fields = append(w.fields, field{
		input: name, required: more, rules: f.Tag.Get(validateTag),
		path: at, typ: f.Type, offset: offset,
	})
}

// bindsFields tells whether a struct has cmdx tags, itself or through what it
// embeds. Types that embed pointers to themselves end at what was visited.
func bindsFields(t reflect.Type, visited []reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || slices.Contains(visited, t) {
		return false
	}
	visited = append(visited, t)
	for i := range t.NumField() {
		f := t.Field(i)
		if tag, tagged := f.Tag.Lookup(bindTag); tagged && tag != "-" || f.Anonymous && !tagged && bindsFields(f.Type, visited) {
			return true
		}
	}
	return false
}
