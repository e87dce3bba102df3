package inputs

import (
	"reflect"
	"strings"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/messages"
)

type arrayCoercion string

// Array gives a []any of the value's own, and bound to a field of a slice or
// array type one of that, each element coerced as a field of its type would
// be. It takes slices and arrays, and the text of a JSON array; text that
// begins like one and is none is refused. Of a form it takes all texts. Any other value, text and bytes too,
// stands alone in a slice. nil is refused.
const Array arrayCoercion = "array"

func init() { inferable = append(inferable, Array) }

// Name is the word for the coercion.
func (c arrayCoercion) Name() string { return string(c) }

// Phrase is the name with its article.
func (c arrayCoercion) Phrase() string { return "an array" }

// Types has []any alone.
func (arrayCoercion) Types() []reflect.Type { return []reflect.Type{reflect.TypeFor[[]any]()} }

// Stores is true for slices and arrays; an array takes as many elements as it
// has places.
func (arrayCoercion) Stores(field reflect.Type) bool {
	return (field.Kind() == reflect.Slice || field.Kind() == reflect.Array) && !isEndless(field)
}

func (c arrayCoercion) infers(field reflect.Type) bool {
	return c.Stores(field) && !isBytes(field) && !readsText(field)
}

func (c arrayCoercion) fit(field reflect.Type) Coercion {
	if !c.Stores(field) {
		return c
	}
	return arrayInto{c, field, slotFor(field.Elem(), nil)}
}

// Coerce returns v as a []any.
func (arrayCoercion) Coerce(v any) (any, bool) {
	items, ok := itemsOf(v)
	if !ok {
		return nil, false
	}
	return unshared(items), true
}

// Of is Array whose elements are made by another coercion. Without a bound
// field the slice has the type of what that gives, when there is one.
func (c arrayCoercion) Of(element Coercion) Coercion { return arrayOf{c, element} }

// arrayOf is an Array that knows its elements, and not yet its field.
type arrayOf struct {
	arrayCoercion
	element Coercion
}

func (c arrayOf) settle() (Coercion, *Problem) {
	element, problem := settled(c.element)
	if problem != nil {
		return nil, problem
	}
	c.element = element
	return c, nil
}

func (c arrayOf) Stores(field reflect.Type) bool {
	return c.arrayCoercion.Stores(field) && holds(field.Elem(), c.element)
}

func (c arrayOf) fit(field reflect.Type) Coercion {
	if field.Kind() != reflect.Slice && field.Kind() != reflect.Array {
		field = c.Types()[0]
	}
	return arrayInto{c.arrayCoercion, field, slotFor(field.Elem(), c.element)}
}

func (c arrayOf) Types() []reflect.Type {
	if types := c.element.Types(); len(types) == 1 {
		return []reflect.Type{reflect.SliceOf(types[0])}
	}
	return c.arrayCoercion.Types()
}

func (c arrayOf) Coerce(v any) (any, bool) { return c.fit(c.Types()[0]).Coerce(v) }

func (c arrayOf) locate(v any) (at string, failure *messages.Text) {
	return locate(c.fit(c.Types()[0]), v)
}

// arrayInto gives slices and arrays of one type.
type arrayInto struct {
	arrayCoercion
	typ     reflect.Type
	element slot
}

func (c arrayInto) Types() []reflect.Type { return []reflect.Type{c.typ} }

func (c arrayInto) Coerce(v any) (any, bool) {
	items, ok := itemsOf(v)
	if !ok || c.typ.Kind() == reflect.Array && c.typ.Len() != len(items) {
		return nil, false
	}
	list := c.empty(len(items))
	for i, item := range items {
		if !c.element.put(list.Index(i), item) {
			return nil, false
		}
	}
	return list.Interface(), true
}

func (c arrayInto) empty(length int) reflect.Value {
	if c.typ.Kind() == reflect.Array {
		return reflect.New(c.typ).Elem()
	}
	return reflect.MakeSlice(c.typ, length, length)
}

func (c arrayInto) locate(v any) (at string, failure *messages.Text) {
	items, ok := itemsOf(v)
	if !ok || c.typ.Kind() == reflect.Array && c.typ.Len() != len(items) {
		return "", failureOf([]Coercion{c})
	}
	for i, item := range items {
		if !c.element.put(reflect.New(c.typ.Elem()).Elem(), item) {
			at, failure = c.element.locate(item)
			return indexed(i) + at, failure
		}
	}
	return "", failureOf([]Coercion{c})
}

// itemsOf returns the elements of v; they are the caller's still.
func itemsOf(v any) ([]any, bool) {
	if items, ok := v.([]any); ok {
		return items, items != nil
	}
	if form, ok := v.(cmdxctx.Form); ok && len(form) != 1 {
		items := make([]any, len(form))
		for i, text := range form {
			items[i] = text
		}
		return items, form != nil
	}
	value, is := plain(v)
	if is != something {
		return nil, false
	}
	if text, ok := textIn(value); ok {
		if strings.HasPrefix(strings.TrimSpace(text), "[") {
			decoded, whole := fromJSON([]byte(text))
			items, ok := decoded.([]any)
			return items, ok && whole
		}
		return []any{value.Interface()}, true
	}
	if kind := value.Kind(); kind != reflect.Slice && kind != reflect.Array || hasOwnText(value.Type()) {
		return []any{alone(v, value)}, true
	}
	items := make([]any, value.Len())
	for i := range items {
		items[i] = value.Index(i).Interface()
	}
	return items, true
}

// alone is what the caller passed, with its methods, unless raw JSON said
// something else.
func alone(v any, value reflect.Value) any {
	switch v.(type) {
	case []byte, *[]byte:
		return value.Interface()
	}
	if t := reflect.TypeOf(v); t == rawMessageType || t.Kind() == reflect.Pointer && t.Elem() == rawMessageType {
		return value.Interface()
	}
	return v
}

// hasOwnText tells lists from types such as uuid.UUID, which only are made of
// one.
func hasOwnText(t reflect.Type) bool {
	return t.Implements(textMarshalerType) || reflect.PointerTo(t).Implements(textMarshalerType)
}
