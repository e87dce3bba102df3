package inputs

import "reflect"

// maxSymbol is how many bytes a symbol may have.
const maxSymbol = 256

type symbolCoercion string

// Symbol is [String] for short words, such as the name of a state: it refuses
// text of more than 256 bytes.
const Symbol symbolCoercion = "symbol"

func (c symbolCoercion) Name() string   { return string(c) }
func (c symbolCoercion) Phrase() string { return "a symbol" }

func (symbolCoercion) Types() []reflect.Type { return String.Types() }

func (symbolCoercion) Stores(field reflect.Type) bool { return String.Stores(field) }

func (symbolCoercion) Coerce(v any) (any, bool) {
	text, ok := String.Coerce(v)
	if !ok || len(text.(string)) > maxSymbol {
		return nil, false
	}
	return text, true
}
