package inputs

import (
	"reflect"
	"strings"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// Presence refuses nil, "", text of white space only and empty collections:
// "cannot be empty". Zero and false are values.
func Presence(options ...RuleOption) Option { return withRule(presenceRule{}, options) }

// presenceRule is its own check: it fits every type.
type presenceRule struct{}

var cannotBeEmpty = messages.Of(messages.KeyPresence)

func (r presenceRule) prepare(subject) (check, []Problem) { return r, nil }
func (presenceRule) describe() Validation                 { return Validation{Rule: "presence"} }

func (presenceRule) test(_ walk, v any) *messages.Text {
	if isEmpty(v) {
		return cannotBeEmpty
	}
	return nil
}

// isEmpty is true for nil, text of white space only and empty collections.
func isEmpty(v any) bool {
	if text, ok := v.(string); ok {
		return strings.TrimSpace(text) == ""
	}
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok {
		return isNilValue(value)
	}
	switch value.Kind() {
	case reflect.String:
		return strings.TrimSpace(value.String()) == ""
	case reflect.Map, reflect.Slice, reflect.Array:
		return value.Len() == 0
	}
	return false
}
