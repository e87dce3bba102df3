package cmdxotel

import (
	"errors"
	"maps"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/result"
)

// payload makes attributes of what an event brings, by name. Durations are in
// seconds, errors their text; what is of a kind that no attribute has is left
// out, since its text might hold anything.
func payload(values map[string]any) []attribute.KeyValue {
	attributes := make([]attribute.KeyValue, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if value, ok := attributeValue(values[name]); ok {
			attributes = append(attributes, attribute.KeyValue{Key: attribute.Key("cmdx." + name), Value: value})
		}
	}
	return attributes
}

func attributeValue(v any) (attribute.Value, bool) {
	switch v := v.(type) {
	case string:
		return attribute.StringValue(v), true
	case bool:
		return attribute.BoolValue(v), true
	case int:
		return attribute.IntValue(v), true
	case int64:
		return attribute.Int64Value(v), true
	case float64:
		return attribute.Float64Value(v), true
	case time.Duration:
		return attribute.Float64Value(v.Seconds()), true
	case error:
		return attribute.StringValue(result.Text(v)), true
	}
	return attribute.Value{}, false
}

// errorType is the type of what a failure is about: the cause's, or the code
// of whoever refused, or the status. The number of its values is bounded as
// long as an application's codes are.
func errorType(r *cmdx.Result) string {
	if r.Cause() != nil {
		return result.TypeName(r.Cause())
	}
	if code, ok := codeOf(r); ok {
		return code
	}
	return string(r.Status())
}

// panicIn finds a panic in an error, whose own methods may panic.
func panicIn(err error) (p *cmdx.PanicError, found bool) {
	defer func() {
		if recover() != nil {
			p, found = nil, false
		}
	}()
	found = errors.As(err, &p)
	return p, found
}
