package inputs

import (
	"fmt"
	"strings"
)

// tag is what a cmdx tag says: cmdx:"amount_cents,required,default=100".
type tag struct {
	input     string
	required  bool
	sensitive bool
	options   []Option
}

// readTag reads a cmdx tag. A text with commas stands in single quotes:
// default='a,b'. The problem's text goes behind "the cmdx tag of field X".
func readTag(text string) (tag, *Problem) {
	parts, ok := splitTag(text)
	if !ok {
		return tag{}, &Problem{Text: "has a single quote that is not closed", Fix: `Close it: cmdx:"name,default='a,b'".`}
	}
	read := tag{input: parts[0]}
	switch {
	case strings.TrimSpace(read.input) == "":
		return tag{}, &Problem{Text: "names no input", Fix: `Write the key that callers pass, such as cmdx:"payment_id".`}
	case read.input != strings.TrimSpace(read.input):
		return tag{}, &Problem{Text: fmt.Sprintf("has blanks around the input's name %q", read.input), Fix: "Remove the blanks."}
	}
	for _, part := range parts[1:] {
		if problem := read.add(part); problem != nil {
			return tag{}, problem
		}
	}
	return read, nil
}

// add takes one option of a tag.
func (t *tag) add(part string) *Problem {
	name, value, has := strings.Cut(part, "=")
	switch {
	case part == "required":
		t.required = true
	case part == "sensitive":
		t.sensitive = true
	case name == "default" && has:
		t.options = append(t.options, Default(unquoted(value)))
	case name == "description" && has:
		t.options = append(t.options, Description(unquoted(value)))
	default:
		return &Problem{
			Text: fmt.Sprintf("has the unknown option %q", name),
			Fix:  `The options are required, sensitive, default=… and description=…, without blanks: cmdx:"name,required".`,
		}
	}
	return nil
}

// splitTag parts a tag at the commas outside of single quotes.
func splitTag(text string) (parts []string, ok bool) {
	quoted, from := false, 0
	for i := range len(text) {
		switch {
		case text[i] == '\'' && (quoted || i > 0 && text[i-1] == '='):
			quoted = !quoted
		case text[i] == ',' && !quoted:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:]), !quoted
}

func unquoted(text string) string {
	if len(text) > 1 && text[0] == '\'' && text[len(text)-1] == '\'' {
		return text[1 : len(text)-1]
	}
	return text
}
