package messages

import (
	"fmt"
	"slices"
	"strings"
)

// template is a message's words with its placeholders, such as "must be at
// least {limit}". {{ and }} are braces that stand for themselves.
type template []part

type part struct {
	words       string
	placeholder string // instead of words
}

// parse tells what is wrong with a template that cannot be read.
func parse(text string) (template, error) {
	var t template
	var words strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c != '{' && c != '}':
			words.WriteByte(c)
		case i+1 < len(text) && text[i+1] == c:
			words.WriteByte(c)
			i++
		case c == '}':
			return nil, fmt.Errorf("a } closes nothing: write }} for the sign itself")
		default:
			name, _, closed := strings.Cut(text[i+1:], "}")
			if !closed || name == "" || strings.ContainsAny(name, "{ \t\n") {
				return nil, fmt.Errorf("a { does not begin a placeholder: write {name}, or {{ for the sign itself")
			}
			t = append(t, part{words: words.String()}, part{placeholder: name})
			words.Reset()
			i += len(name) + 1
		}
	}
	return append(t, part{words: words.String()}), nil
}

// placeholders are the names in the template, each once, in order.
func (t template) placeholders() []string {
	var names []string
	for _, p := range t {
		if p.placeholder != "" && !slices.Contains(names, p.placeholder) {
			names = append(names, p.placeholder)
		}
	}
	return names
}

// String writes the template as it is parsed.
func (t template) String() string {
	escaped := strings.NewReplacer("{", "{{", "}", "}}")
	var text strings.Builder
	for _, p := range t {
		if p.placeholder != "" {
			text.WriteString("{" + p.placeholder + "}")
		} else {
			text.WriteString(escaped.Replace(p.words))
		}
	}
	return text.String()
}

// words is a template without placeholders.
func (t template) words() string { return t.fill(nil, nil, nil) }

func (t template) fill(from *Text, registered *catalog, locales []string) string {
	var filled strings.Builder
	for _, p := range t {
		if p.placeholder == "" {
			filled.WriteString(p.words)
		} else {
			filled.WriteString(from.value(p.placeholder, registered, locales))
		}
	}
	return filled.String()
}
