package inputs

import (
	"context"
	"reflect"
	"strings"
)

// presenceRule is its own check: it fits every type.
type presenceRule struct{}

func (r presenceRule) prepare([]reflect.Type) (check, []Problem) { return r, nil }

func (presenceRule) describe() Validation { return Validation{Rule: "presence"} }

func (presenceRule) test(_ context.Context, v any) string {
	if isEmpty(v) {
		return "cannot be empty"
	}
	return ""
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
