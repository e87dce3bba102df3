package outputs

import (
	"bytes"
	"encoding/json"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/internal/safejson"
)

// Field describes one output of a task as data fit for JSON.
type Field struct {
	// Name is the key in the context.
	Name string `json:"name"`
	// Description is the sentence of [Description].
	Description string `json:"description,omitempty"`
	// Conditional tells that gates decide per run whether it is asked for.
	Conditional bool `json:"conditional,omitempty"`
	// HasDefault tells that a missing one is no error; Default is its value,
	// nil for one that is made per run.
	HasDefault bool `json:"has_default,omitempty"`
	Default    any  `json:"default,omitempty"`
}

// Schema describes the outputs of a task's type, those that it inherits too, in
// the order of their declaration. It is nil for a type without outputs and for
// one that is declared wrongly, which cmdx.Validate tells.
func Schema(task run.Task) []Field {
	_, described := run.Describe(task)
	set, _ := described.(Set)
	var fields []Field
	for _, d := range set.list {
		f := Field{
			Name: d.name, Description: d.description, Conditional: d.ifGate != nil || d.unless != nil,
			HasDefault: d.fallback != nil || d.fallbackOf != nil,
		}
		if d.constant != nil {
			f.Default = asData(d.constant)
		}
		fields = append(fields, f)
	}
	return fields
}

// asData makes any value one that JSON holds, numbers with all their digits.
func asData(v any) any {
	decoder := json.NewDecoder(bytes.NewReader(safejson.Marshal(v)))
	decoder.UseNumber()
	var data any
	if decoder.Decode(&data) != nil {
		return nil
	}
	return data
}
