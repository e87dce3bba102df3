package cmdxctx

import (
	"encoding/json"
	"reflect"
)

// Form is what a form or a query says under one key: the texts in their order.
// Arguments that are url.Values, or another map of lists of strings, give
// values of this type. An input takes the first text, and one that is coerced
// into an array takes all. So do keys of guards, which take the first.
type Form []string

var formType = reflect.TypeFor[Form]()

// First is the first text; "" when there is none.
func (f Form) First() string {
	if len(f) == 0 {
		return ""
	}
	return f[0]
}

// MarshalText is the first text.
func (f Form) MarshalText() ([]byte, error) { return []byte(f.First()), nil }

// MarshalJSON writes all texts as a list.
func (f Form) MarshalJSON() ([]byte, error) { return json.Marshal([]string(f)) }

// isForm tells whether t is a map of lists of strings, as net/url and net/http
// hand forms on.
func isForm(t reflect.Type) bool {
	return stringKeyed(t) && t.Elem() == reflect.TypeFor[[]string]()
}

func formValues(v reflect.Value) map[string]any {
	values := make(map[string]any, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		values[entries.Key().String()] = Form(entries.Value().Interface().([]string))
	}
	return values
}
