package inputs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/cmdx-go/cmdx/internal/messages"
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
	c := &compilation{
		plan: &Plan{}, set: s, bound: map[string]*field{},
		readings: map[string]int{}, keys: map[string]int{}, elements: map[string]bool{},
	}
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
	top := scope{list: append(list, s.list...)}
	for _, d := range top.list {
		if in := c.add(d, &top); in != nil {
			c.plan.roots = append(c.plan.roots, in)
		}
	}
	c.strangers(fields)
	for _, in := range c.plan.roots {
		c.plan.hidden = c.plan.hidden.And(in.hides())
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
	set      Set
	bound    map[string]*field // by tag
	readings map[string]int    // by reading name: indexes of what was added
	keys     map[string]int    // the same by callers' keys
	elements map[string]bool   // paths of what was added inside elements
	problems []Problem
	input    string // at the top, being added
	level    string // the way to it, with a dot behind
}

// scope is where declarations stand: at the top, or among the children of one
// parent.
type scope struct {
	list []Declaration
	// reading and key are the way to it, with a dot behind; "" at the
	// top.
	reading, key string
	// elements says that the parent is a list: what stands here has no value
	// of its own.
	elements bool
	// sensitive says that the parent is.
	sensitive bool
}

// below is the scope of a declaration's children.
func (l *scope) below(d Declaration, children []Declaration, each bool) *scope {
	sign := "."
	if each {
		sign = "[]."
	}
	return &scope{
		list: children, reading: l.reading + d.ReadingName() + sign, key: l.key + d.name + sign,
		elements: l.elements || each,
	}
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

func (c *compilation) add(d Declaration, l *scope) *input {
	if l.reading == "" {
		c.input = d.name
	}
	if !c.named(d, l) {
		return nil
	}
	f := c.fieldOf(d, l)
	in := &input{
		declared: d, key: d.name, name: d.ReadingName(), index: -1,
		required: d.required, ifGate: d.ifGate, unless: d.unless, source: d.source,
		fallback: d.fallback, fallbackOf: d.fallbackOf, transforms: d.transforms,
	}
	if !l.elements {
		in.index = len(c.plan.inputs)
		c.plan.inputs = append(c.plan.inputs, in)
	}
	in.sourceIndex = c.sourceOf(d, l)
	in.sensitive = d.sensitive || l.sensitive || f != nil && f.sensitive ||
		in.sourceIndex >= 0 && c.plan.inputs[in.sourceIndex].sensitive
	c.functions(d, l)
	children, each := c.children(d, f)
	in.free = slices.ContainsFunc(d.transforms, func(t transform) bool { return t.takes == nil })
	c.level = l.reading
	c.coerces(in, d, f, len(children) > 0, each)
	in.children = c.below(in, d, l, children, each)
	in.careful = in.sensitive || slices.ContainsFunc(in.children, func(child *input) bool { return child.careful })
	if l.elements {
		c.elements[l.reading+in.name] = true
	} else {
		c.readings[l.reading+in.name], c.keys[l.key+in.key] = in.index, in.index
	}
	return in
}

// coerces prepares what is made of the value, and what it is held against.
func (c *compilation) coerces(in *input, d Declaration, f *field, parent, each bool) {
	var types []reflect.Type
	if parent {
		in.coercions = c.parentCoercions(d, f, each)
		in.failure, types = failureOf(in.coercions), typesOf(in.coercions)
	} else {
		in.coercions = c.coercions(d, f, in.free)
		in.failure, types = failureInto(in.coercions, f), typesOf(in.coercions)
		if f != nil && len(types) == 0 && f.typ.Kind() != reflect.Interface {
			types = []reflect.Type{f.typ}
		}
	}
	c.suit(d, types)
	in.settling = in.coercions
	if in.free || parent {
		var settled []reflect.Type
		if in.settling, settled = settlingOf(in.coercions, f); !parent {
			types = settled
		}
	}
	in.unsettled = failureInto(in.settling, f)
	if f != nil {
		in.bind(f, typesOf(in.settling))
	}
	in.types = types
	c.checks(in, d, types)
	c.tryDefault(in, d)
}

// children are those of the declaration, behind what the tags inside the
// field's type declare beside them.
func (c *compilation) children(d Declaration, f *field) (children []Declaration, each bool) {
	if f == nil {
		return d.children, d.each
	}
	tagged, eachTagged, problems := childrenOf(f.typ, nil)
	if len(d.children) > 0 && d.each != eachTagged {
		return d.children, d.each
	}
	c.problems = append(c.problems, problems...)
	for _, t := range tagged {
		declared := slices.ContainsFunc(d.children, func(child Declaration) bool {
			return child.name == t.name || child.ReadingName() == t.name
		})
		if !declared {
			children = append(children, t)
		}
	}
	return append(children, d.children...), eachTagged
}

// parentCoercions make what children are read from; the field's type comes
// later.
func (c *compilation) parentCoercions(d Declaration, f *field, each bool) []Coercion {
	if len(d.coercions) == 0 {
		kind := kindOfParent(each)
		if f != nil && !holds(f.typ, kind) {
			c.refuse("Give the field a type that holds "+kind.Phrase()+".",
				"the input %q has children, but its field %s of type %s cannot hold %s", d.name, f.path, f.typ, kind.Phrase())
		}
		return []Coercion{kind}
	}
	c.coercions(d, f, false) // for what is wrong with them
	var list []Coercion
	for _, declared := range d.coercions {
		coercion, problem := settled(declared)
		if problem != nil {
			continue
		}
		for _, t := range coercion.Types() {
			if !mayHaveChildren(t, each) {
				c.refuse("Coerce it into "+kindOfParent(each).Phrase()+", or leave the coercion out.",
					"the input %q has children, which cannot be read from %s", d.name, coercion.Phrase())
			}
		}
		list = append(list, coercion)
	}
	return list
}

// below adds the children.
func (c *compilation) below(in *input, d Declaration, l *scope, children []Declaration, each bool) (added []*input) {
	in.each = each && len(children) > 0
	in.keepsKeys = in.bound != nil && holdsStructs(in.bound.typ)
	names := map[string]bool{}
	lower := l.below(d, children, each)
	lower.sensitive = in.sensitive
	for _, child := range children {
		if names[child.name] {
			c.refuse("Declare it once.", "the input %q has two children of the name %q", d.name, child.name)
			continue
		}
		names[child.name] = true
		if in := c.add(child, lower); in != nil {
			added = append(added, in)
		}
	}
	return added
}

// holdsStructs tells whether a field is a struct or a list of structs.
func holdsStructs(t reflect.Type) bool {
	t = core(t)
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = core(t.Elem())
	}
	return t.Kind() == reflect.Struct
}

// strangers refuses tags that lead to no child of an input that has children.
func (c *compilation) strangers(fields []field) {
	for _, f := range fields {
		parent, _, nested := cutLast(f.input)
		if !nested || c.set.names()[f.input] {
			continue
		}
		at, ok := c.readings[parent]
		if !ok {
			at, ok = c.keys[parent]
		}
		if ok && len(c.plan.inputs[at].children) > 0 {
			c.input = f.input
			c.refuse("Declare the child, or correct the tag.", "the field %s is bound to %q, but the input %q has no such child", f.path, f.input, parent)
		}
	}
}

func cutLast(path string) (parent, name string, nested bool) {
	i := strings.LastIndex(path, ".")
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

// named refuses names that cannot be.
func (c *compilation) named(d Declaration, l *scope) bool {
	reading := l.reading + d.ReadingName()
	switch {
	case strings.TrimSpace(d.name) == "" && l.reading != "":
		c.refuse("Give it the key that callers pass.", "a child of the input %q has no name", c.input)
		return false
	case strings.TrimSpace(d.name) == "":
		c.refuse("Give it the key that callers pass.", "an input has no name")
		return false
	case strings.TrimSpace(d.ReadingName()) == "":
		c.refuse(`Write the name to read it by, such as inputs.As("recipient"), or leave As out.`, "the input %q is given a blank name by As", l.key+d.name)
		return false
	}
	if _, taken := c.readings[reading]; taken || c.elements[reading] {
		c.refuse("Give one of them another name by inputs.As.", "the inputs %q and %q are both read as %q", l.key+c.reader(reading, l), l.key+d.name, reading)
		return false
	}
	return true
}

// reader is the key of the input in the scope that is read as that already.
func (c *compilation) reader(reading string, l *scope) string {
	for _, d := range l.list {
		if l.reading+d.ReadingName() == reading {
			return d.name
		}
	}
	return reading
}

// fieldOf is the field that is bound to the input; nil for none.
func (c *compilation) fieldOf(d Declaration, l *scope) *field {
	if l.elements {
		return nil
	}
	reading, key := l.reading+d.ReadingName(), l.key+d.name
	byReading, byKey := c.bound[reading], c.bound[key]
	if byKey != byReading && slices.ContainsFunc(l.list, func(other Declaration) bool { return l.reading+other.ReadingName() == key }) {
		byKey = nil // it is bound to the input of that reading name
	}
	if byReading != nil && byKey != nil && byReading != byKey {
		c.refuse("Keep one of them.", "the fields %s and %s are both bound to the input %q, which is read as %q", byKey.path, byReading.path, key, reading)
	}
	if byReading != nil {
		return byReading
	}
	return byKey
}

// sourceOf is the index of the input that the value is taken from; -1 for none.
func (c *compilation) sourceOf(d Declaration, l *scope) int {
	name := d.sourceInput
	if name == "" {
		return -1
	}
	for _, way := range []struct {
		names  map[string]int
		prefix string
	}{{c.readings, l.reading}, {c.keys, l.key}, {c.readings, ""}, {c.keys, ""}} {
		if at, ok := way.names[way.prefix+name]; ok {
			return at
		}
	}
	key := l.key + d.name
	switch {
	case name == d.name || name == d.ReadingName() || name == key:
		c.refuse("Name another input, or leave FromInput out.", "the input %q is taken from itself", key)
	case l.elements && c.elements[l.reading+name]:
		c.refuse("Take it from an input outside of the list, or from a function.",
			"the input %q is taken from %q, which lies in an element and has no value of its own", key, name)
	case c.set.names()[l.reading+name] || c.set.names()[name] || slices.ContainsFunc(l.list, func(other Declaration) bool { return other.name == name }):
		c.refuse(fmt.Sprintf("Declare %q first: inputs resolve in the order of their declaration.", name),
			"the input %q is taken from the input %q, which is declared after it", key, name)
	default:
		c.refuse("Declare it, or correct the name.", "the input %q is taken from the input %q, which is not declared", key, name)
	}
	return -1
}

// functions refuses what is no function, and gates that would change nothing.
func (c *compilation) functions(d Declaration, l *scope) {
	key := l.key + d.name
	missing := func(what string) {
		c.refuse("Give it a function, or a method expression such as (*ChargeCustomer).Tenant.", "the input %q: the function of %s is nil", key, what)
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
		c.refuse("Declare it as required, or leave the gate out.", "the optional input %q has a gate, which says when an input is required", key)
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
func failureInto(coercions []Coercion, f *field) *messages.Text {
	switch {
	case len(coercions) > 0:
		return failureOf(coercions)
	case f != nil:
		return failureOfType(f.typ)
	}
	return nil
}

// settlingOf are the coercions into the field's type of what a free transform
// returned, and the types that the value has then; none when nobody can tell.
func settlingOf(declared []Coercion, f *field) (list []Coercion, types []reflect.Type) {
	if f == nil {
		return nil, nil
	}
	for _, coercion := range declared {
		if holds(f.typ, coercion) {
			list = append(list, fitTo(f.typ, coercion))
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
		check, problems := r.prepare(subject{types: types, earlier: c.earlier})
		for _, p := range problems {
			c.refuse(p.Fix, "the input %q: %s", d.name, p.Text)
		}
		if check != nil {
			in.checks = append(in.checks, check)
		}
	}
}

// earlier finds an input that was added before: a neighbour, else one by its
// whole path, by reading names, else by keys; with the types that its value can
// have.
func (c *compilation) earlier(name string) (index int, types []reflect.Type, ok bool) {
	for _, path := range []string{c.level + name, name} {
		if index, ok = c.readings[path]; ok {
			break
		}
		if index, ok = c.keys[path]; ok {
			break
		}
	}
	if !ok {
		return 0, nil, false
	}
	return index, c.plan.inputs[index].types, true
}

// tryDefault finds a default that no run could use. One that is made by a
// function is left alone: it may need what exists only later.
func (c *compilation) tryDefault(in *input, d Declaration) {
	if d.constant == nil {
		return
	}
	if _, ok := in.coerce(d.constant); !ok {
		c.refuse("Give it a default of the input's type.", "the default of input %q %s", d.name, in.failure.English())
	}
}

// phraseOfType is the word for a field's type in messages, the name of the
// coercion where there is one.
func phraseOfType(t reflect.Type) *messages.Text {
	t = core(t)
	switch {
	case t == jsonNumberType:
		return messages.Of("types.number")
	case isBytes(t):
		return messages.Of("types.bytes")
	}
	switch t.Kind() {
	case reflect.Map:
		return messages.Of("types.hash")
	case reflect.Slice, reflect.Array:
		return messages.Of("types.array")
	case reflect.Struct:
		return messages.Of("types.struct")
	case reflect.Func:
		return messages.Of("types.function")
	case reflect.Chan:
		return messages.Of("types.channel")
	case reflect.Complex64, reflect.Complex128:
		return messages.Of("types.complex")
	case reflect.Interface:
		return messages.Of("types.interface")
	}
	return messages.Of("types.value")
}
