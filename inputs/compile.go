package inputs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Problem is something wrong in what a task type declares: what it is, and
// what to write instead.
type Problem = run.Problem

// Compile makes the plan for a task's struct type t out of its declarations
// and its tagged fields, cmdx:"name[,options]" and validate:"…". It also looks
// into every struct that t embeds by value.
//
// A tag binds the field to the input of that reading name, else to the one of
// that key. It declares the input only when s has none; then the tag's options
// and the validate tag say what the input is, and it comes before those of s.
// Where s declares the name, s alone says what is required and checked. A
// declaration without a coercion takes the one of the field bound to it. A
// field of a type that asks for no coercion takes values that Go would let one
// assign.
//
// The plan must not be used when there are problems.
func Compile(t reflect.Type, s Set) (*Plan, []Problem) {
	c := &compilation{plan: &Plan{}, bound: map[string]*field{}, readings: map[string]int{}, keys: map[string]int{}}
	var list []Declaration
	declared := s.names()
	fields := c.fieldsOf(t, s.drops)
	for i := range fields {
		f := &fields[i]
		c.bound[f.input] = f
		if !declared[f.input] {
			list = append(list, f.declaration())
		}
	}
	c.list = append(list, s.list...)
	for _, d := range c.list {
		c.add(d)
	}
	c.plan.names = c.readings
	for key, index := range c.keys {
		if _, taken := c.readings[key]; !taken {
			c.plan.names[key] = index
		}
	}
	return c.plan, c.problems
}

type compilation struct {
	plan     *Plan
	list     []Declaration
	bound    map[string]*field // by tag
	readings map[string]int    // by reading name: indexes of what was added
	keys     map[string]int    // the same by callers' keys
	problems []Problem
	input    string // being added
}

func (c *compilation) refuse(fix, format string, args ...any) {
	c.problems = append(c.problems, Problem{Text: fmt.Sprintf(format, args...), Fix: fix, Input: c.input})
}

func (c *compilation) fieldsOf(t reflect.Type, drop func(field) bool) []field {
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	fields, problems := boundFields(t, drop)
	c.problems = append(c.problems, problems...)
	return fields
}

func (c *compilation) add(d Declaration) {
	c.input = d.name
	if !c.named(d) {
		return
	}
	f := c.fieldOf(d)
	in := input{
		key: d.name, name: d.ReadingName(), index: len(c.plan.inputs),
		required: d.required, ifGate: d.ifGate, unless: d.unless, source: d.source,
		fallback: d.fallback, fallbackOf: d.fallbackOf, transforms: d.transforms,
	}
	in.sourceIndex = c.sourceOf(d)
	c.functions(d)
	in.free = slices.ContainsFunc(d.transforms, func(t transform) bool { return t.takes == nil })
	in.coercions = c.coercions(d, f, in.free)
	in.failure = failureInto(in.coercions, f)
	types := typesOf(in.coercions)
	if f != nil && len(types) == 0 && f.typ.Kind() != reflect.Interface {
		types = []reflect.Type{f.typ}
	}
	c.suit(d, types)
	if in.free {
		in.settling, types = settlingOf(in.coercions, f)
	} else {
		in.settling = in.coercions
	}
	in.unsettled = failureInto(in.settling, f)
	if f != nil {
		in.bind(f, typesOf(in.settling))
	}
	c.checks(&in, d, types)
	c.tryDefault(&in, d)
	c.readings[in.name], c.keys[in.key] = in.index, in.index
	c.plan.inputs = append(c.plan.inputs, in)
}

// named refuses names that cannot be.
func (c *compilation) named(d Declaration) bool {
	switch {
	case strings.TrimSpace(d.name) == "":
		c.refuse("Give it the key that callers pass.", "an input has no name")
		return false
	case strings.TrimSpace(d.ReadingName()) == "":
		c.refuse(`Write the name to read it by, such as inputs.As("recipient"), or leave As out.`, "the input %q is given a blank name by As", d.name)
		return false
	}
	if at, taken := c.readings[d.ReadingName()]; taken {
		c.refuse("Give one of them another name by inputs.As.", "the inputs %q and %q are both read as %q", c.plan.inputs[at].key, d.name, d.ReadingName())
		return false
	}
	return true
}

// fieldOf is the field that is bound to the input; nil for none.
func (c *compilation) fieldOf(d Declaration) *field {
	byReading, byKey := c.bound[d.ReadingName()], c.bound[d.name]
	if byKey != byReading && slices.ContainsFunc(c.list, func(other Declaration) bool { return other.ReadingName() == d.name }) {
		byKey = nil // it is bound to the input of that reading name
	}
	if byReading != nil && byKey != nil && byReading != byKey {
		c.refuse("Keep one of them.", "the fields %s and %s are both bound to the input %q, which is read as %q", byKey.path, byReading.path, d.name, d.ReadingName())
	}
	if byReading != nil {
		return byReading
	}
	return byKey
}

// sourceOf is the index of the input that the value is taken from; -1 for none.
func (c *compilation) sourceOf(d Declaration) int {
	name := d.sourceInput
	if name == "" {
		return -1
	}
	if at, ok := c.readings[name]; ok {
		return at
	}
	if at, ok := c.keys[name]; ok {
		return at
	}
	if name == d.name || name == d.ReadingName() {
		c.refuse("Name another input, or leave FromInput out.", "the input %q is taken from itself", d.name)
	} else if slices.ContainsFunc(c.list, func(other Declaration) bool { return other.name == name || other.ReadingName() == name }) {
		c.refuse(fmt.Sprintf("Declare %q first: inputs resolve in the order of their declaration.", name),
			"the input %q is taken from the input %q, which is declared after it", d.name, name)
	} else {
		c.refuse("Declare it, or correct the name.", "the input %q is taken from the input %q, which is not declared", d.name, name)
	}
	return -1
}

// functions refuses what is no function, and gates that would change nothing.
func (c *compilation) functions(d Declaration) {
	missing := func(what string) {
		c.refuse("Give it a function, or a method expression such as (*ChargeCustomer).Tenant.", "the input %q: the function of %s is nil", d.name, what)
	}
	if d.source != nil && d.source.call == nil {
		missing("FromFunc")
	}
	if d.fallbackOf != nil && d.fallbackOf.call == nil {
		missing("DefaultFrom")
	}
	for _, t := range d.transforms {
		if t.call == nil {
			missing("a transform")
		}
	}
	if !d.required && (d.ifGate != nil || d.unless != nil) {
		c.refuse("Declare it as required, or leave the gate out.", "the optional input %q has a gate, which says when an input is required", d.name)
	}
}

// suit refuses transforms that no coerced value can be handed to.
func (c *compilation) suit(d Declaration, types []reflect.Type) {
	for _, t := range d.transforms {
		if t.takes == nil {
			return // what follows is given whatever it returned
		}
		for _, given := range types {
			if given.Kind() == reflect.Pointer {
				given = given.Elem()
			}
			if !t.suits(given) {
				c.refuse("Let the function take the coerced type, or change the coercion.",
					"the input %q has a transform of %s, but its value is a %s", d.name, t.takes, given)
			}
		}
	}
}

// coercions are the declared ones, else that of the field. What a free
// transform changes need not be held by the field.
func (c *compilation) coercions(d Declaration, f *field, free bool) []Coercion {
	var list []Coercion
	for _, declared := range d.coercions {
		coercion, problem := settled(declared)
		switch {
		case problem != nil:
			c.refuse(problem.Fix, "the input %q: %s", d.name, problem.Text)
		case f != nil && !holds(f.typ, coercion) && free:
			list = append(list, coercion)
		case f != nil && !holds(f.typ, coercion):
			c.refuse(fmt.Sprintf("Give the field a type that holds %s, or change the coercion.", coercion.Phrase()),
				"the input %q is coerced into %s, which its field %s of type %s cannot hold", d.name, coercion.Phrase(), f.path, f.typ)
		default:
			list = append(list, coercion)
		}
	}
	if f != nil && len(d.coercions) == 0 {
		if coercion, ok := coercionOf(f.typ); ok {
			list = append(list, coercion)
		}
	}
	list = c.adjusted(list, d)
	for i := range list {
		if f != nil {
			list[i] = fitTo(f.typ, list[i])
		}
	}
	return list
}

// failureInto is the message for a value that none of the coercions, or else
// the field, takes.
func failureInto(coercions []Coercion, f *field) string {
	switch {
	case len(coercions) > 0:
		return failureOf(coercions)
	case f != nil:
		return failureOfType(f.typ)
	}
	return ""
}

// settlingOf are the coercions into the field's type of what a free transform
// returned, and the types that the value has then; none when nobody can tell.
func settlingOf(declared []Coercion, f *field) (list []Coercion, types []reflect.Type) {
	if f == nil {
		return nil, nil
	}
	for _, coercion := range declared {
		if holds(f.typ, coercion) {
			list = append(list, coercion)
		}
	}
	if coercion, ok := coercionOf(f.typ); ok && len(list) == 0 {
		list = append(list, fitTo(f.typ, coercion))
	}
	if types = typesOf(list); len(types) == 0 && f.typ.Kind() != reflect.Interface {
		types = []reflect.Type{f.typ}
	}
	return list, types
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
func (c *compilation) checks(in *input, d Declaration, types []reflect.Type) {
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
	t = core(t)
	switch {
	case t == jsonNumberType:
		return "a number"
	case isBytes(t):
		return "bytes"
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
