package inputs

import (
	"reflect"
	"slices"
	"strings"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// Members are the values that [Inclusion] and [Exclusion] speak of: [OneOf] or
// [Within].
type Members interface{ members() members }

// members is a list or a range as it was declared.
type members struct {
	list   []any
	inside *Range // instead of a list
}

func (m members) members() members { return m }

// OneOf lists values. Numbers are equal when they are the same number, of
// whatever kind; times when they are the same instant; everything else when it
// is of one type and equal part by part.
func OneOf[V any](values ...V) Members {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return members{list: list}
}

// Inclusion refuses what is not among the members: "must be one of: a, b" or
// "must be within 1 and 5". nil is never among them.
func Inclusion(in Members, options ...RuleOption) Option {
	return withRule(membersRule{name: "inclusion", of: in}, options)
}

// Exclusion refuses what is among the members: "must not be one of: a, b" or
// "must not be within 1 and 5". nil is never among them.
func Exclusion(from Members, options ...RuleOption) Option {
	return withRule(membersRule{name: "exclusion", of: from}, options)
}

type membersRule struct {
	name string // inclusion or exclusion
	of   Members
}

type membersCheck struct {
	list   []declared
	inside *bounds // instead of a list
	wanted bool
	broken *messages.Text
}

func (r membersRule) prepare(s subject) (check, []Problem) {
	if isNil(r.of) {
		return nil, failing(`Give it some, such as inputs.OneOf("a", "b").`, "the rule %q has no members", r.name)
	}
	c := membersCheck{wanted: r.name == "inclusion"}
	m := r.of.members()
	if m.inside != nil {
		return r.prepareRange(c, s, m.inside)
	}
	return r.prepareList(c, s, m.list)
}

func (r membersRule) prepareRange(c membersCheck, s subject, inside *Range) (check, []Problem) {
	b, problems := inside.limit().prepare("numeric")
	if problems != nil {
		return nil, failing(problems[0].Fix, "%s", strings.Replace(problems[0].Text, `"numeric"`, `"`+r.name+`"`, 1))
	}
	if p := s.refuse(r.name, b.min.suits); p != nil {
		return nil, p
	}
	c.inside = b
	c.broken = messages.Of(messages.Key("validations."+r.name+".range"), messages.Given("min", b.min.words), messages.Given("max", b.max.words))
	return c, nil
}

func (r membersRule) prepareList(c membersCheck, s subject, list []any) (check, []Problem) {
	if len(list) == 0 {
		return nil, failing("List the values.", "the rule %q has an empty list", r.name)
	}
	var words []string
	for _, v := range list {
		d, err := declareValue(v)
		if err != nil {
			return nil, failing("List values that have a text; inputs.AllowNil lets nil through.", "the rule %q: %s", r.name, err)
		}
		if len(s.types) > 0 && !slices.ContainsFunc(s.types, func(t reflect.Type) bool { return t.Kind() == reflect.Interface || d.suits(t) }) {
			return nil, failing("List values of the input's type, or use another coercion.",
				"the rule %q lists a value of type %T, which a value of type %s never is", r.name, v, s.types[0])
		}
		c.list = append(c.list, d)
		words = append(words, d.words)
	}
	c.broken = messages.Of(messages.Key("validations."+r.name+".list"), messages.List("list", words...))
	return c, nil
}

func (r membersRule) describe() Validation {
	v := Validation{Rule: r.name}
	if isNil(r.of) {
		return v
	}
	m := r.of.members()
	if m.inside != nil {
		v.Options = m.inside.limit().options()
		return v
	}
	list := make([]any, len(m.list))
	for i := range m.list {
		list[i] = dataOf(m.list[i])
	}
	v.Options = map[string]any{"one_of": list}
	return v
}

func (c membersCheck) test(_ walk, v any) *messages.Text {
	if c.has(v) == c.wanted {
		return nil
	}
	return c.broken
}

func (c membersCheck) has(v any) bool {
	if c.inside != nil {
		keeps, ok := c.inside.keeps(v)
		return ok && keeps
	}
	for i := range c.list {
		if c.list[i].equals(v) {
			return true
		}
	}
	return false
}
