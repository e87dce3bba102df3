package inputs

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/cmdx-go/cmdx/internal/run"
)

// schemaDialect is the JSON Schema that [JSONSchema] writes.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// JSONSchema describes the arguments of a task's type as a JSON Schema of draft
// 2020-12, for HTTP and queue fronts to publish: types and formats, what is
// required, bounds, enumerations, nested inputs. It holds the form in which a
// value is plainly written; coercions also take others, such as "12" for an
// integer. What it refuses the task may still take, but what it allows the task
// refuses only for rules that JSON Schema has no words for, and for gates.
//
// Inputs that callers do not pass are left out. Rules of an input with
// transforms, or with gates of their own, say nothing about what a caller may
// pass and are left out too. A [SchemaError] says that the type is declared
// wrongly.
func JSONSchema(task run.Task) (map[string]any, error) {
	plan := planOf(task)
	if plan == nil {
		return nil, &SchemaError{Task: fmt.Sprintf("%T", task)}
	}
	schema := objectSchema(plan.roots)
	schema["$schema"] = schemaDialect
	schema["title"] = strings.TrimPrefix(fmt.Sprintf("%T", task), "*")
	return schema, nil
}

// SchemaError says that a task type has no schema because it is declared
// wrongly.
type SchemaError struct{ Task string }

// Error tells where to see what is wrong.
func (e *SchemaError) Error() string {
	return "inputs: " + e.Task + " has no schema, because it is declared wrongly: cmdx.Validate says how"
}

// objectSchema is the schema of a map that holds the inputs.
func objectSchema(list []*input) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, in := range list {
		if in.source != nil || in.sourceIndex >= 0 {
			continue
		}
		properties[in.key] = in.jsonSchema()
		if in.required && in.ifGate == nil && in.unless == nil {
			required = append(required, in.key)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

func (in *input) jsonSchema() map[string]any {
	d := in.declared
	schema := in.typeSchema()
	if len(in.transforms) == 0 {
		for _, rule := range d.Validations() {
			if !rule.Conditional {
				describeRule(schema, rule)
			}
		}
	}
	if !in.required || in.ifGate != nil || in.unless != nil {
		schema = orNull(schema)
	}
	if d.description != "" {
		schema["description"] = d.description
	}
	if in.sensitive {
		schema["writeOnly"] = true
	}
	if value := in.defaultData(); value != nil {
		schema["default"] = value
	}
	return schema
}

// typeSchema is what coercions say.
func (in *input) typeSchema() map[string]any {
	if len(in.children) > 0 {
		object := objectSchema(in.children)
		if in.each {
			return map[string]any{"type": "array", "items": object}
		}
		return object
	}
	var options []any
	for _, c := range in.coercions {
		one := in.coercionSchema(c)
		if len(in.coercions) == 1 {
			return one
		}
		options = append(options, one)
	}
	if len(options) == 0 {
		return map[string]any{}
	}
	return map[string]any{"anyOf": options}
}

// coercionSchema narrows an integer to what the bound field holds.
func (in *input) coercionSchema(c Coercion) map[string]any {
	schema := schemaOf(c)
	if in.bound == nil || schema["type"] != "integer" {
		return schema
	}
	switch t := core(in.bound.typ); t.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32:
		schema["minimum"], schema["maximum"] = -int64(1)<<(t.Bits()-1), int64(1)<<(t.Bits()-1)-1
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		schema["minimum"], schema["maximum"] = int64(0), int64(1)<<t.Bits()-1
	case reflect.Uint, reflect.Uint64:
		schema["minimum"] = int64(0)
	}
	return schema
}

// schemaOf describes the plain form of what a coercion takes.
func schemaOf(c Coercion) map[string]any {
	switch c := c.(type) {
	case textCoercion:
		return textSchema(c.typ)
	case arrayInto:
		return arraySchema(c.element.coercion)
	case arrayOf:
		return arraySchema(c.element)
	case mapInto:
		schema := typed("object")
		if element := c.element.coercion; element != nil {
			schema["additionalProperties"] = schemaOf(element)
		}
		return schema
	case customCoercion:
		return map[string]any{}
	}
	switch c.Name() {
	case "string", "bytes", "complex":
		return typed("string")
	case "symbol":
		return map[string]any{"type": "string", "maxLength": 256}
	case "integer":
		return typed("integer")
	case "float":
		return typed("number")
	case "decimal", "rational", "duration":
		return map[string]any{"type": []string{"string", "number"}}
	case "boolean":
		return typed("boolean")
	case "date":
		return dated(c, "date")
	case "date_time", "time":
		return dated(c, "date-time")
	case "array":
		return typed("array")
	case "hash":
		return typed("object")
	}
	return map[string]any{}
}

func typed(name string) map[string]any { return map[string]any{"type": name} }

func arraySchema(element Coercion) map[string]any {
	schema := typed("array")
	if element != nil {
		schema["items"] = schemaOf(element)
	}
	return schema
}

// dated has a format only where the usual layouts are read.
func dated(c Coercion, format string) map[string]any {
	schema := typed("string")
	if _, usual := c.(timeCoercion); usual {
		schema["format"] = format
	}
	return schema
}

func textSchema(t reflect.Type) map[string]any {
	schema := typed("string")
	switch {
	case t.Name() == "UUID":
		schema["format"] = "uuid"
	case t == urlType:
		schema["format"] = "uri"
	}
	return schema
}

// orNull also takes null, which is as good as missing.
func orNull(schema map[string]any) map[string]any {
	_, listed := schema["enum"]
	_, fixed := schema["const"]
	switch t := schema["type"].(type) {
	case string:
		if !listed && !fixed {
			schema["type"] = []string{t, "null"}
			return schema
		}
	case []string:
		if !listed && !fixed {
			schema["type"] = append(append([]string{}, t...), "null")
			return schema
		}
	}
	if len(schema) == 0 {
		return schema // anything
	}
	return map[string]any{"anyOf": []any{schema, typed("null")}}
}
