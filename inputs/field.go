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
)

// field is a field of the task's struct that is bound to an input.
type field struct {
	tag
	rules  string // the validate tag
	path   string // as Go writes it, for definition errors
	typ    reflect.Type
	offset uintptr
	within []reflect.Type // the structs that it lies in, outermost first
}

// declaration is what the field declares when nothing else declares its input.
func (f field) declaration() Declaration {
	d := declare(f.input, f.required, f.options)
	d.sensitive = f.sensitive
	if f.rules != "" && f.rules != "-" {
		d.rules = []rule{tagRule(f.rules)}
	}
	return d
}

// boundFields finds the tagged fields of a struct type and of every struct
// that it embeds by value, in the order in which they lie, without those that
// drop names.
func boundFields(t reflect.Type, drop func(field) bool) ([]field, []Problem) {
	w := &fieldWalk{seen: map[string]string{}, drop: drop}
	w.visit(t, t.Name(), 0, nil)
	return w.fields, w.problems
}

type fieldWalk struct {
	fields   []field
	problems []Problem
	seen     map[string]string // input → path
	drop     func(field) bool
}

func (w *fieldWalk) refuse(fix, format string, args ...any) {
	w.problems = append(w.problems, Problem{Text: fmt.Sprintf(format, args...), Fix: fix})
}

func (w *fieldWalk) visit(t reflect.Type, path string, offset uintptr, within []reflect.Type) {
	within = append(slices.Clip(within), t)
	for i := range t.NumField() {
		f := t.Field(i)
		at := strings.TrimPrefix(path+"."+f.Name, ".")
		tag, tagged := f.Tag.Lookup(bindTag)
		switch {
		case tagged && tag == "-":
		case tagged:
			w.bind(f, tag, field{path: at, typ: f.Type, offset: offset + f.Offset, within: within})
		case strings.HasPrefix(strings.TrimSpace(string(f.Tag)), bindTag+":"):
			w.refuse(`Write it as cmdx:"name" with the name in double quotes.`, "the tag of field %s cannot be read", at)
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			w.visit(f.Type, at, offset+f.Offset, within)
		case f.Anonymous && f.Type.Kind() == reflect.Pointer && bindsFields(f.Type.Elem(), nil):
			w.refuse("Embed it by value.", "%s is embedded by pointer and has fields with cmdx tags, which cannot be bound", at)
		}
	}
}

func (w *fieldWalk) bind(f reflect.StructField, text string, found field) {
	if !f.IsExported() {
		w.refuse("Begin the field's name with a capital letter.", "the field %s has a cmdx tag but is not exported", found.path)
		return
	}
	read, problem := readTag(text)
	if problem != nil {
		w.refuse(problem.Fix, "the cmdx tag of field %s %s", found.path, problem.Text)
		return
	}
	found.tag, found.rules = read, f.Tag.Get(validateTag)
	if w.drop(found) {
		return
	}
	if first, twice := w.seen[found.input]; twice {
		w.refuse("Keep one of them; a field of an embedded struct is reached as if it were the task's own.",
			"the fields %s and %s are both bound to the input %q", first, found.path, found.input)
		return
	}
	w.seen[found.input] = found.path
	w.fields = append(w.fields, found)
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
