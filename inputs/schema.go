package inputs

import (
	"bytes"
	"encoding/json"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/internal/safejson"
)

// Field describes one input of a task as data fit for JSON.
type Field struct {
	// Name is the key that callers pass.
	Name string `json:"name"`
	// ReadAs is the reading name; "" when it is the key.
	ReadAs string `json:"read_as,omitempty"`
	// Description is the sentence of [Description].
	Description string `json:"description,omitempty"`
	// Required tells that the key must be present; with Conditional, in runs
	// that its gates let through.
	Required    bool `json:"required"`
	Conditional bool `json:"conditional,omitempty"`
	// Source is where the value comes from when callers do not pass it: the
	// name of another input, or "method".
	Source string `json:"source,omitempty"`
	// Coercions are the names of those that are tried, in order, the field's
	// own when none is declared.
	Coercions []string `json:"coercions,omitempty"`
	// Default is the value of [Default]; nil for one that is made per run, and
	// for that of a sensitive input.
	Default any `json:"default,omitempty"`
	// Validations are the rules.
	Validations []Validation `json:"validations,omitempty"`
	// Sensitive tells that the value is not shown anywhere.
	Sensitive bool `json:"sensitive,omitempty"`
	// Children are the inputs in it; with Each, in every element of it.
	Children []Field `json:"children,omitempty"`
	Each     bool    `json:"each,omitempty"`
}

// Schema describes the inputs of a task's type, those that it inherits and
// those of tags too, in the order in which they resolve. It is nil for a type
// without inputs and for one that is declared wrongly, which cmdx.Validate
// tells.
func Schema(task run.Task) []Field {
	plan := planOf(task)
	if plan == nil || len(plan.roots) == 0 {
		return nil
	}
	return fieldsOf(plan.roots)
}

func planOf(task run.Task) *Plan {
	described, _ := run.Describe(task)
	plan, _ := described.(*Plan)
	return plan
}

func fieldsOf(list []*input) []Field {
	fields := make([]Field, len(list))
	for i, in := range list {
		fields[i] = in.describe()
	}
	return fields
}

func (in *input) describe() Field {
	d := in.declared
	f := Field{
		Name: in.key, Description: d.description, Required: in.required,
		Conditional: in.ifGate != nil || in.unless != nil, Sensitive: in.sensitive, Each: in.each,
	}
	if in.name != in.key {
		f.ReadAs = in.name
	}
	switch {
	case in.source != nil:
		f.Source = "method"
	case in.sourceIndex >= 0:
		f.Source = d.sourceInput
	}
	for _, c := range in.coercions {
		f.Coercions = append(f.Coercions, c.Name())
	}
	f.Default = in.defaultData()
	if len(d.rules) > 0 {
		f.Validations = d.Validations()
	}
	if len(in.children) > 0 {
		f.Children = fieldsOf(in.children)
	}
	return f
}

// defaultData is the default as it is after its coercion; nil for none that can
// be told.
func (in *input) defaultData() any {
	if in.declared.constant == nil || in.careful {
		return nil
	}
	v, ok := in.coerce(in.declared.constant)
	if !ok {
		return nil
	}
	return asData(v)
}

// asData makes any value one that JSON holds, numbers with all their digits.
func asData(v any) any {
	switch v.(type) {
	case bool, string, int, int64, float64, json.Number:
		return v
	}
	decoder := json.NewDecoder(bytes.NewReader(safejson.Marshal(v)))
	decoder.UseNumber()
	var data any
	if decoder.Decode(&data) != nil {
		return nil
	}
	return data
}
