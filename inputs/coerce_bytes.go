package inputs

import (
	"encoding/json"
	"reflect"
	"slices"
)

// bytesCoercion gives fields made of bytes their own copy of bytes or text.
// It is no word of a declaration: such a field asks for it by itself.
type bytesCoercion struct{ typ reflect.Type }

func init() { inferable = append(inferable, bytesCoercion{reflect.TypeFor[[]byte]()}) }

func (bytesCoercion) Name() string   { return "bytes" }
func (bytesCoercion) Phrase() string { return "bytes" }

func (c bytesCoercion) Types() []reflect.Type { return []reflect.Type{c.typ} }

func (bytesCoercion) Stores(field reflect.Type) bool { return isBytes(field) }

func (c bytesCoercion) infers(field reflect.Type) bool { return c.Stores(field) }

func (c bytesCoercion) fit(field reflect.Type) Coercion { return bytesCoercion{field} }

// Coerce refuses what is no JSON for raw JSON.
func (c bytesCoercion) Coerce(v any) (any, bool) {
	value, ok := behindPointers(reflect.ValueOf(firstOfForm(v)))
	if !ok {
		return nil, false
	}
	text, ok := textIn(value)
	if !ok || c.typ == rawMessageType && !json.Valid([]byte(text)) {
		return nil, false
	}
	made := reflect.New(c.typ).Elem()
	made.SetBytes(slices.Clone([]byte(text)))
	return made.Interface(), true
}
