package task

import (
	"reflect"
	"strings"
)

// defaultName is a short readable name for a type: without package paths,
// blanks, colons and braces, with the arguments of generic types.
func defaultName(t reflect.Type) string {
	name := t.Name()
	if name == "" {
		return "anonymous"
	}
	return shorten(name)
}

// shorten drops import paths, the numbers of local types and whatever a key
// should not hold from a name as reflect gives it.
func shorten(name string) string {
	var out, word strings.Builder
	flush := func() {
		w := word.String()
		word.Reset()
		w, variadic := strings.CutPrefix(w, "...")
		if dot := strings.LastIndexByte(w, '.'); dot >= 0 && dot+1 < len(w) {
			w = w[dot+1:]
		}
		if variadic {
			out.WriteString("...")
		}
		w, _, _ = strings.Cut(w, "·")
		out.WriteString(w)
	}
	for _, r := range name {
		switch r {
		case '[', ']', ',', '*', '(', ')', ';':
			flush()
			out.WriteRune(r)
		case ' ', '{', '}', ':', '"', '`', '\t', '\n':
			flush()
		default:
			word.WriteRune(r)
		}
	}
	flush()
	return out.String()
}
