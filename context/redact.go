package cmdxctx

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cmdx-go/cmdx/internal/safejson"
)

// A copy is known by its text: alone from four characters on, inside of a
// longer text from eight on. Shorter ones would be found everywhere.
const (
	knownAlone  = 4
	knownWithin = 8
	// maxDepth ends the walk through what leads to itself.
	maxDepth = 64
)

func holdsAny(text string, secrets []string) bool {
	for _, secret := range secrets {
		if text == secret || len(secret) >= knownWithin && strings.Contains(text, secret) {
			return true
		}
	}
	return false
}

func scrubbed(text string, secrets []string) string {
	// Longer ones first: a secret may be part of another.
	ordered := slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return len(b) - len(a) })
	for _, secret := range ordered {
		if text == secret {
			return Redacted
		}
		if len(secret) >= knownWithin {
			text = strings.ReplaceAll(text, secret, Redacted)
		}
	}
	return text
}

// textsIn are the texts and numbers in v, long enough to be known again, also
// as they stand in JSON.
func textsIn(v any) []string {
	var texts []string
	collect(reflect.ValueOf(v), 0, func(text string) {
		if len(text) < knownAlone {
			return
		}
		texts = append(texts, text)
		if escaped, err := json.Marshal(text); err == nil && string(escaped[1:len(escaped)-1]) != text {
			texts = append(texts, string(escaped[1:len(escaped)-1]))
		}
	})
	return texts
}

func collect(v reflect.Value, depth int, add func(string)) {
	if depth > maxDepth || !v.IsValid() {
		return
	}
	if v.CanInterface() {
		switch v.Interface().(type) {
		case fmt.Stringer, error, json.Marshaler:
			if text := safejson.Text(v.Interface()); text != "<nil>" {
				add(text)
			}
		}
	}
	switch v.Kind() {
	case reflect.String:
		add(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		add(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		add(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		add(strconv.FormatFloat(v.Float(), 'f', -1, v.Type().Bits()))
		add(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
	case reflect.Pointer, reflect.Interface:
		collect(v.Elem(), depth+1, add)
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			collect(entries.Value(), depth+1, add)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if v.Kind() == reflect.Slice {
				add(string(v.Bytes()))
			}
			return
		}
		for i := range v.Len() {
			collect(v.Index(i), depth+1, add)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				collect(v.Field(i), depth+1, add)
			}
		}
	}
}

// redaction makes what may be shown of data.
type redaction struct {
	texts []string
	depth int
}

func (r redaction) value(v any, hidden *Hidden) any {
	if v == nil {
		return nil
	}
	if hidden != nil && hidden.all || r.depth > maxDepth {
		return Redacted
	}
	if hidden == nil && !r.finds(v) {
		return v
	}
	r.depth++
	switch value := reflect.ValueOf(v); value.Kind() {
	case reflect.Map:
		if !stringKeyed(value.Type()) {
			return Redacted
		}
		shown := make(map[string]any, value.Len())
		for entries := value.MapRange(); entries.Next(); {
			key := entries.Key().String()
			shown[scrubbed(key, r.texts)] = r.value(entries.Value().Interface(), hidden.under(key))
		}
		return shown
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return Redacted
		}
		var each *Hidden
		if hidden != nil {
			each = hidden.each
		}
		shown := make([]any, value.Len())
		for i := range shown {
			shown[i] = r.value(value.Index(i).Interface(), each)
		}
		return shown
	case reflect.String:
		if hidden == nil {
			return scrubbed(value.String(), r.texts)
		}
		return Redacted // hidden in it: the text of JSON, perhaps
	case reflect.Struct, reflect.Pointer:
		if hidden != nil {
			if fields, _, err := Values(v); err == nil && fields != nil {
				return r.value(fields, hidden)
			}
		}
	}
	return Redacted
}

// finds tells whether a concealed value lies in v.
func (r redaction) finds(v any) bool {
	if len(r.texts) == 0 {
		return false
	}
	if data, ok := v.([]byte); ok {
		return holdsAny(string(data), r.texts)
	}
	found := false
	collect(reflect.ValueOf(v), 0, func(text string) { found = found || holdsAny(text, r.texts) })
	if found {
		return true
	}
	switch reflect.ValueOf(v).Kind() {
	case reflect.Struct, reflect.Pointer: // what its own methods tell
		return holdsAny(string(safejson.Marshal(v)), r.texts)
	}
	return false
}
