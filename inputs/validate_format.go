package inputs

import (
	"reflect"
	"regexp"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// Format refuses text in which the expression matches nothing, and what is no
// text: "is an invalid format". Write ^ and $ to hold the whole text to it.
func Format(with *regexp.Regexp, options ...RuleOption) Option {
	return withRule(formatRule{expression: with}, options)
}

// FormatWithout refuses text in which the expression matches anything, and
// what is no text: "is an invalid format".
func FormatWithout(without *regexp.Regexp, options ...RuleOption) Option {
	return withRule(formatRule{expression: without, without: true}, options)
}

// formatRule is its own check.
type formatRule struct {
	expression *regexp.Regexp
	without    bool
}

var invalidFormat = messages.Of(messages.KeyFormat)

func (r formatRule) prepare(s subject) (check, []Problem) {
	if r.expression == nil {
		return nil, failing(`Give it one, such as regexp.MustCompile("^[a-z]+$").`, "its format has no regular expression")
	}
	if p := s.refuse("format", func(t reflect.Type) bool { return textual(t) }); p != nil {
		return nil, p
	}
	return r, nil
}

func (r formatRule) describe() Validation {
	name := "with"
	if r.without {
		name = "without"
	}
	if r.expression == nil {
		return Validation{Rule: "format"}
	}
	return Validation{Rule: "format", Options: map[string]any{name: r.expression.String()}}
}

func (r formatRule) test(_ walk, v any) *messages.Text {
	text, ok := textOf(v)
	if !ok || r.expression.MatchString(text) == r.without {
		return invalidFormat
	}
	return nil
}

// textual tells the types whose values are text.
func textual(t reflect.Type) bool { return behindPointerType(t).Kind() == reflect.String }

func textOf(v any) (string, bool) {
	if text, ok := v.(string); ok {
		return text, true
	}
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok || value.Kind() != reflect.String {
		return "", false
	}
	return value.String(), true
}
