package inputs

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// sizeWords are JSON Schema's words for the least and the greatest size of a
// value, by its type.
var sizeWords = map[string][2]string{
	"string": {"minLength", "maxLength"}, "array": {"minItems", "maxItems"}, "object": {"minProperties", "maxProperties"},
}

// describeRule adds what JSON Schema can say of a rule.
func describeRule(schema map[string]any, rule Validation) {
	switch rule.Rule {
	case "presence":
		describeSize(schema, "min", []any{1})
		if schema["type"] == "string" {
			describePattern(schema, `\S`)
		}
	case "length":
		for name, value := range rule.Options {
			describeSize(schema, name, listOf(value))
		}
	case "numeric":
		for name, value := range rule.Options {
			describeNumber(schema, name, listOf(value))
		}
	case "format":
		if text, ok := rule.Options["with"].(string); ok {
			describePattern(schema, text)
		}
		if text, ok := rule.Options["without"].(string); ok && isPortable(text) {
			forbid(schema, map[string]any{"pattern": text})
		}
	case "inclusion":
		if list, ok := rule.Options["one_of"].([]any); ok {
			schema["enum"] = list
		} else if within, ok := rule.Options["within"]; ok {
			describeNumber(schema, "within", listOf(within))
		}
	case "exclusion":
		if list, ok := rule.Options["one_of"].([]any); ok {
			forbid(schema, map[string]any{"enum": list})
		} else if within, ok := rule.Options["within"]; ok {
			describeNumber(schema, "not_within", listOf(within))
		}
	case "tag":
		text, _ := rule.Options["tag"].(string)
		describeTag(schema, strings.Split(text, ","))
	}
}

func listOf(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// describeSize bounds a length by the words of limits: min, max, gt, lt, is,
// is_not, within, not_within.
func describeSize(schema map[string]any, name string, values []any) {
	kind, _ := schema["type"].(string)
	words, ok := sizeWords[kind]
	if !ok {
		return
	}
	sizes := make([]int64, len(values))
	for i, v := range values {
		n, ok := numberText(v)
		if !ok {
			return
		}
		size, err := strconv.ParseInt(n.String(), 10, 64)
		if err != nil {
			return
		}
		sizes[i] = size
	}
	least, most := words[0], words[1]
	switch {
	case name == "min":
		narrow(schema, least, sizes[0])
	case name == "max":
		narrow(schema, most, sizes[0])
	case name == "gt":
		narrow(schema, least, sizes[0]+1)
	case name == "lt":
		narrow(schema, most, sizes[0]-1)
	case name == "is":
		narrow(schema, least, sizes[0])
		narrow(schema, most, sizes[0])
	case name == "is_not":
		forbid(schema, map[string]any{least: sizes[0], most: sizes[0]})
	case name == "within" && len(sizes) == 2:
		narrow(schema, least, sizes[0])
		narrow(schema, most, sizes[1])
	case name == "not_within" && len(sizes) == 2:
		forbid(schema, map[string]any{least: sizes[0], most: sizes[1]})
	}
}

// narrow keeps the stricter of two sizes; below zero there is none.
func narrow(schema map[string]any, word string, size int64) {
	size = max(size, 0)
	if known, ok := schema[word].(int64); ok && (strings.HasPrefix(word, "min") && known > size || strings.HasPrefix(word, "max") && known < size) {
		return
	}
	if known, ok := schema[word].(int); ok && strings.HasPrefix(word, "max") && int64(known) < size {
		return
	}
	schema[word] = size
}

// describeNumber bounds a number by the words of limits.
func describeNumber(schema map[string]any, name string, values []any) {
	if kind, _ := schema["type"].(string); kind != "integer" && kind != "number" {
		return
	}
	numbers := make([]json.Number, len(values))
	for i, v := range values {
		n, ok := numberText(v)
		if !ok {
			return
		}
		numbers[i] = n
	}
	switch {
	case name == "min":
		bound(schema, "minimum", numbers[0])
	case name == "max":
		bound(schema, "maximum", numbers[0])
	case name == "gt":
		schema["exclusiveMinimum"] = numbers[0]
	case name == "lt":
		schema["exclusiveMaximum"] = numbers[0]
	case name == "is":
		schema["const"] = numbers[0]
	case name == "is_not":
		forbid(schema, map[string]any{"const": numbers[0]})
	case name == "within" && len(numbers) == 2:
		bound(schema, "minimum", numbers[0])
		bound(schema, "maximum", numbers[1])
	case name == "not_within" && len(numbers) == 2:
		forbid(schema, map[string]any{"minimum": numbers[0], "maximum": numbers[1]})
	}
}

// bound keeps the stricter of two bounds.
func bound(schema map[string]any, word string, n json.Number) {
	if known, ok := schema[word]; ok {
		before, known := numberText(known)
		was, okWas := new(big.Rat).SetString(before.String())
		now, okNow := new(big.Rat).SetString(n.String())
		if known && okWas && okNow && (word == "minimum") == (was.Cmp(now) > 0) {
			return
		}
	}
	schema[word] = n
}

// numberText is a number as it stands in JSON.
func numberText(v any) (json.Number, bool) {
	text := ""
	switch v := v.(type) {
	case string:
		text = v
	default:
		data, err := json.Marshal(v)
		if err != nil {
			return "", false
		}
		text = string(data)
	}
	if len(text) > 64 || !json.Valid([]byte(text)) {
		return "", false
	}
	if c := text[0]; c != '-' && (c < '0' || c > '9') {
		return "", false
	}
	return json.Number(text), true
}

func describePattern(schema map[string]any, pattern string) {
	if !isPortable(pattern) {
		return
	}
	if _, taken := schema["pattern"]; !taken {
		schema["pattern"] = pattern
		return
	}
	all, _ := schema["allOf"].([]any)
	schema["allOf"] = append(all, map[string]any{"pattern": pattern})
}

// unportable is what the regular expressions of JSON Schema write otherwise
// than those of Go, or not at all.
var unportable = regexp.MustCompile(`\(\?[^:]|\\[AzQEpPC]|\[\[:|\[\^?\]`)

func isPortable(pattern string) bool { return !unportable.MatchString(pattern) }

func forbid(schema, what map[string]any) {
	if _, taken := schema["not"]; !taken {
		schema["not"] = what
		return
	}
	all, _ := schema["allOf"].([]any)
	schema["allOf"] = append(all, map[string]any{"not": what})
}

// tagFormats are the rules of validator/v10 that JSON Schema has a format for.
var tagFormats = map[string]string{
	"email": "email", "url": "uri", "uri": "uri", "http_url": "uri", "https_url": "uri", "hostname": "hostname", "fqdn": "hostname",
	"uuid": "uuid", "uuid3": "uuid", "uuid4": "uuid", "uuid5": "uuid", "ipv4": "ipv4", "ipv6": "ipv6",
}

var tagPatterns = map[string]string{
	"alpha": "^[a-zA-Z]+$", "alphanum": "^[a-zA-Z0-9]+$", "numeric": `^[-+]?[0-9]+(\.[0-9]+)?$`, "number": "^[0-9]+$",
	"lowercase": "^[^A-Z]*$", "uppercase": "^[^a-z]*$",
}

var tagLimits = map[string]string{"min": "min", "gte": "min", "max": "max", "lte": "max", "gt": "gt", "lt": "lt", "len": "is", "eq": "is", "ne": "is_not"}

// describeTag says what JSON Schema can say of the parts of a validate tag. What
// stands behind omitempty does not hold for the zero value, so that only its
// formats are told.
func describeTag(schema map[string]any, parts []string) {
	zeroToo := false
	for i, part := range parts {
		name, parameter, _ := strings.Cut(part, "=")
		switch {
		case part == "omitempty" || part == "omitzero":
			zeroToo = true
		case part == "dive":
			if items, ok := schema["items"].(map[string]any); ok {
				describeTag(items, parts[i+1:])
			}
			return
		case strings.Contains(part, "|"):
		case tagFormats[name] != "":
			if schema["type"] == "string" {
				schema["format"] = tagFormats[name]
			}
		case zeroToo:
		default:
			describeTagRule(schema, name, parameter)
		}
	}
}

func describeTagRule(schema map[string]any, name, parameter string) {
	kind, _ := schema["type"].(string)
	switch {
	case name == "required" && kind == "string":
		describeSize(schema, "min", []any{1})
	case name == "oneof":
		describeOneOf(schema, kind, parameter)
	case name == "startswith" && kind == "string":
		describePattern(schema, "^"+regexp.QuoteMeta(written(parameter)))
	case name == "endswith" && kind == "string":
		describePattern(schema, regexp.QuoteMeta(written(parameter))+"$")
	case name == "unique" && kind == "array":
		schema["uniqueItems"] = true
	case tagPatterns[name] != "" && kind == "string":
		describePattern(schema, tagPatterns[name])
	case tagLimits[name] != "" && (name == "eq" || name == "ne") && kind == "string":
		if name == "eq" {
			schema["const"] = written(parameter)
		} else {
			forbid(schema, map[string]any{"const": written(parameter)})
		}
	case tagLimits[name] != "":
		describeSize(schema, tagLimits[name], []any{parameter})
		describeNumber(schema, tagLimits[name], []any{parameter})
	}
}

var oneOfParts = regexp.MustCompile(`'[^']*'|\S+`)

func describeOneOf(schema map[string]any, kind, parameter string) {
	list := []any{}
	for _, part := range oneOfParts.FindAllString(written(parameter), -1) {
		part = strings.Trim(part, "'")
		if kind == "integer" || kind == "number" {
			n, ok := numberText(part)
			if !ok {
				return
			}
			list = append(list, n)
			continue
		}
		list = append(list, part)
	}
	if kind == "string" || kind == "integer" || kind == "number" {
		schema["enum"] = list
	}
}
