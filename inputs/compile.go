package inputs

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Problem is something wrong in what a task type declares: what it is, and
// what to write instead.
type Problem = run.Problem

// Compile makes the plan for a task's struct type t out of its declarations
// and its tagged fields, cmdx:"name[,required]" and validate:"…". It also
// looks into every struct that t embeds by value.
//
// A tag binds the field to the input of that name. It declares the input only
// when s has no such name; then the validate tag is its rule, and the input
// comes before those of s. Where s declares the name, s alone says what is
// required and checked. A declaration without a coercion takes the one of the
// field bound to it. A field of a type that asks for no coercion takes values
// that Go would let one assign.
//
// The plan must not be used when there are problems.
func Compile(t reflect.Type, s Set) (*Plan, []Problem) {
	c := &compilation{plan: &Plan{names: map[string]int{}}}
	fields := c.fieldsOf(t)
	bound := make(map[string]*field, len(fields))
	for i := range fields {
		f := &fields[i]
		bound[f.input] = f
		if s.index(f.input) < 0 {
			c.add(f.declaration(), f)
		}
	}
	for _, d := range s.list {
		c.add(d, bound[d.name])
	}
	return c.plan, c.problems
}

type compilation struct {
	plan     *Plan
	problems []Problem
	input    string // being added
}

func (c *compilation) refuse(fix, format string, args ...any) {
	c.problems = append(c.problems, Problem{Text: fmt.Sprintf(format, args...), Fix: fix, Input: c.input})
}

func (c *compilation) fieldsOf(t reflect.Type) []field {
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	fields, problems := boundFields(t)
	c.problems = append(c.problems, problems...)
	return fields
}

func (c *compilation) add(d Declaration, f *field) {
	c.input = d.name
	if strings.TrimSpace(d.name) == "" {
		c.refuse("Give it the key that callers pass.", "an input has no name")
		return
	}
	in := input{name: d.name, required: d.required, fallback: d.fallback, coercions: c.coercions(d, f)}
	if len(in.coercions) > 0 {
		in.failure = failureOf(in.coercions)
	} else if f != nil {
		in.failure = "could not coerce into " + phraseOfType(f.typ)
	}
	types := typesOf(in.coercions)
	if f != nil {
		in.bind(f, types)
	}
	c.checks(&in, d, f, types)
	c.tryDefault(&in, d)
	c.plan.names[d.name] = len(c.plan.inputs)
	c.plan.inputs = append(c.plan.inputs, in)
}

// coercions are the declared ones, else that of the field.
func (c *compilation) coercions(d Declaration, f *field) []Coercion {
	var list []Coercion
	for _, coercion := range d.coercions {
		switch {
		case isNil(coercion):
			c.refuse("Name a coercion, such as inputs.Integer.", "the input %q has a nil coercion", d.name)
		case f != nil && !holds(f.typ, coercion):
			c.refuse(fmt.Sprintf("Give the field a type that holds %s, or change the coercion.", coercion.Phrase()),
				"the input %q is coerced into %s, which its field %s of type %s cannot hold", d.name, coercion.Phrase(), f.path, f.typ)
		default:
			list = append(list, fitTo(f, coercion))
		}
	}
	if f != nil && len(d.coercions) == 0 {
		if coercion, ok := coercionOf(f.typ); ok {
			list = append(list, fitTo(f, coercion))
		}
	}
	return list
}

func fitTo(f *field, c Coercion) Coercion {
	special, ok := c.(fitted)
	if f == nil || !ok {
		return c
	}
	t := f.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return special.fit(t)
}

func typesOf(coercions []Coercion) []reflect.Type {
	var types []reflect.Type
	for _, c := range coercions {
		types = append(types, c.Types()...)
	}
	return types
}

// checks prepares the rules for the types that the value can have; none when
// nobody can tell.
func (c *compilation) checks(in *input, d Declaration, f *field, types []reflect.Type) {
	if len(types) == 0 && f != nil && f.typ.Kind() != reflect.Interface {
		types = []reflect.Type{f.typ}
	}
	for _, r := range d.rules {
		check, problems := r.prepare(types)
		for _, p := range problems {
			c.refuse(p.Fix, "the input %q: %s", d.name, p.Text)
		}
		if check != nil {
			in.checks = append(in.checks, check)
		}
	}
}

// tryDefault finds a default that no run could use. One that is made by a
// function is left alone: it may need what exists only later.
func (c *compilation) tryDefault(in *input, d Declaration) {
	if d.constant == nil {
		return
	}
	if _, ok := in.coerce(d.constant); !ok {
		c.refuse("Give it a default of the input's type.", "the default of input %q %s", d.name, in.failure)
	}
}

// phraseOfType is the word for a field's type in messages, the name of the
// coercion where there is one.
func phraseOfType(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case timeType:
		return "a time"
	case durationType:
		return "a duration"
	case jsonNumberType:
		return "a number"
	}
	switch t.Kind() {
	case reflect.Map:
		return "a hash"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct:
		return "a struct"
	case reflect.Func:
		return "a function"
	case reflect.Chan:
		return "a channel"
	case reflect.Complex64, reflect.Complex128:
		return "a complex"
	case reflect.Interface:
		return "an interface"
	}
	return "a value of its type"
}
