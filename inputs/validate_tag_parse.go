package inputs

import (
	"context"
	"fmt"
	"reflect"
	"strings"
)

// tagParser makes steps of a tag and collects what is wrong with it.
type tagParser struct {
	problems []Problem
	// earlier is that of the subject.
	earlier func(name string) (index int, types []reflect.Type, ok bool)
}

func (p *tagParser) refuse(fix, format string, args ...any) {
	p.problems = append(p.problems, Problem{Text: fmt.Sprintf(format, args...), Fix: fix})
}

func (p *tagParser) steps(parts []string, types []reflect.Type) tagSteps {
	var steps tagSteps
	for i, part := range parts {
		switch part {
		case "omitempty", "omitzero":
			steps = append(steps, omitStep{})
		case "omitnil":
			steps = append(steps, omitStep{onlyNil: true})
		case "dive":
			return append(steps, p.dive(parts[i+1:], types))
		default:
			steps = append(steps, p.anyOf(part, types))
		}
	}
	return steps
}

func (p *tagParser) dive(rest []string, types []reflect.Type) diveStep {
	if len(rest) == 0 {
		p.refuse(`Write them, such as "dive,email".`, `there are no rules behind "dive"`)
		return diveStep{}
	}
	if len(types) == 0 {
		p.refuse("Give the field the type of the collection.", `"dive" needs a collection, and nobody can tell the type of this value`)
	}
	var elements []reflect.Type
	for _, t := range types {
		if classOf(t) != classCollection {
			p.refuse("Remove it.", `"dive" needs a collection, and a value of type %s is none`, t)
			continue
		}
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Elem().Kind() != reflect.Interface {
			elements = append(elements, t.Elem())
		}
	}
	if len(p.problems) > 0 {
		return diveStep{}
	}
	return diveStep{steps: p.steps(rest, elements)}
}

func (p *tagParser) anyOf(part string, types []reflect.Type) anyOfStep {
	var tests anyOfStep
	for _, text := range strings.Split(part, "|") {
		name, parameter, _ := strings.Cut(text, "=")
		t := tagTest{text: text, name: name, parameter: written(parameter), classes: appliesTo(name)}
		switch {
		case !p.written(t):
		case comparesInputs(name):
			p.other(&t, types)
		case p.applies(t, types):
			t.limit, t.limited = parseLimit(t.parameter)
			t.items = parseItems(&t)
			p.tries(t, types)
		}
		tests = append(tests, t)
	}
	return tests
}

// written undoes the escapes that tags need for the signs that part them.
func written(parameter string) string {
	return strings.NewReplacer("0x2C", ",", "0x7C", "|").Replace(parameter)
}

// written refuses what is wrong for every type.
func (p *tagParser) written(t tagTest) bool {
	switch {
	case strings.TrimSpace(t.name) == "":
		p.refuse("Remove the comma or the bar too many.", "its validate tag has an empty rule")
	case t.name != strings.TrimSpace(t.name):
		p.refuse("Remove the blanks.", "its validate tag has blanks around the rule %q", strings.TrimSpace(t.name))
	case t.name == "omitempty" || t.name == "omitzero" || t.name == "omitnil" || t.name == "dive":
		p.refuse("Write it between commas, without a parameter.", "%q is part of the rule %q, where it means nothing", t.name, t.text)
	case looksElsewhere(t.name):
		p.refuse("Check it in Work, or in a callback before execution.", "the rule %q works inside structs only, and an input is checked alone", t.name)
	case (needsParameter(t.name) || comparesInputs(t.name)) && t.parameter == "":
		p.refuse(fmt.Sprintf("Write %s=… with it.", t.name), "the rule %q has no parameter", t.name)
	case !comparesInputs(t.name) && !known(t.name):
		p.refuse("Write a rule of validator/v10, such as gt=0 or email.", "there is no rule %q", t.name)
	default:
		return true
	}
	return false
}

// known asks for a rule by a value for which nothing else can go wrong: what
// makes validator/v10 panic before it looks at the value is the rule's name.
func known(rule string) bool {
	_, panicked := ask(context.Background(), nil, rule)
	return !panicked
}

// applies holds the rule against the types.
func (p *tagParser) applies(t tagTest, types []reflect.Type) bool {
	if len(types) == 0 && measures(t.name) {
		p.refuse("Add a coercion, such as inputs.Coerce(inputs.Integer), or bind a field.",
			"the rule %q means the size of a number or the length of a text, and nobody can tell what the value will be", t.name)
		return false
	}
	for _, typ := range types {
		if typ.Kind() != reflect.Interface && t.classes&classOf(typ) == 0 {
			p.refuse("Use a rule for this type, or another coercion.", "the rule %q cannot check a value of type %s", t.name, typ)
			return false
		}
	}
	return true
}

// tries runs the rule on samples, because validator/v10 reads a parameter only
// when it has a value to check.
func (p *tagParser) tries(t tagTest, types []reflect.Type) {
	if len(types) == 0 && t.classes&classText != 0 {
		types = []reflect.Type{reflect.TypeFor[string]()}
	}
	for _, typ := range types {
		switch {
		case t.asksPresence():
			continue
		case t.compares(classOf(typ)):
			switch {
			case classOf(typ) == classInteger && !(t.limited && t.limit.isWhole()):
				p.refuse(fmt.Sprintf("Write a whole number, such as %s=1.", t.name), "the rule %q needs a whole number for its parameter", t.name)
				return
			case !t.limited:
				p.refuse(fmt.Sprintf("Write a number, such as %s=0.5.", t.name), "the rule %q needs a number for its parameter", t.name)
				return
			}
			continue
		case classOf(typ) == classExact:
			if t.items == nil {
				p.refuse("List numbers, such as oneof=1 2.5.", "the rule %q lists what is no number", t.name)
				return
			}
			continue
		}
		for _, sample := range samplesOf(typ) {
			if _, panicked := ask(context.Background(), sample, t.text); panicked {
				p.refuse("Correct the parameter, or use a rule for this type.", "the rule %q cannot check a value of type %s with this parameter", t.text, typ)
				return
			}
		}
	}
}

// samplesOf are the zero value and one that is not empty.
func samplesOf(t reflect.Type) []any {
	zero := reflect.New(t).Elem()
	samples := []any{zero.Interface()}
	switch t.Kind() {
	case reflect.String:
		sample := reflect.New(t).Elem()
		sample.SetString("a")
		samples = append(samples, sample.Interface())
	case reflect.Slice:
		samples = append(samples, reflect.MakeSlice(t, 1, 1).Interface())
	case reflect.Pointer:
		samples = append(samples, reflect.New(t.Elem()).Interface())
	}
	return samples
}
