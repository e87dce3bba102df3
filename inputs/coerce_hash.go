package inputs

import (
	"reflect"
	"strings"
	"sync"

	cmdxctx "github.com/cmdx-go/cmdx/context"

	"github.com/cmdx-go/cmdx/internal/messages"
)

type hashCoercion string

// Hash gives a map[string]any of the value's own; bound to a field that is
// another map with string keys or a struct, one of that, with each value
// coerced as a field of its type would be. It takes maps whose keys are
// strings, structs by the names in their cmdx and json tags, and the text of a
// JSON object. nil is an empty hash. Keys are matched exactly; those that a
// struct does not know are left out.
const Hash hashCoercion = "hash"

func init() { inferable = append(inferable, Hash) }

func (c hashCoercion) Name() string   { return string(c) }
func (c hashCoercion) Phrase() string { return "a hash" }

func (hashCoercion) Types() []reflect.Type { return []reflect.Type{reflect.TypeFor[map[string]any]()} }

func (hashCoercion) Stores(field reflect.Type) bool {
	switch field.Kind() {
	case reflect.Map:
		return field.Key().Kind() == reflect.String && !isEndless(field)
	case reflect.Struct:
		return !isOneValue(field)
	}
	return false
}

func (c hashCoercion) infers(field reflect.Type) bool { return c.Stores(field) && !readsText(field) }

func (c hashCoercion) fit(field reflect.Type) Coercion {
	switch {
	case !c.Stores(field), field == c.Types()[0]:
		return c
	case field.Kind() == reflect.Struct:
		return structInto{c, field}
	}
	return mapInto{c, field, slotFor(field.Elem(), nil)}
}

func (hashCoercion) Coerce(v any) (any, bool) {
	values, ok := entriesOf(v)
	if !ok {
		return nil, false
	}
	if values == nil {
		return map[string]any{}, true
	}
	return unshared(values), true
}

// mapInto gives maps of one type.
type mapInto struct {
	hashCoercion
	typ     reflect.Type
	element slot
}

func (c mapInto) Types() []reflect.Type { return []reflect.Type{c.typ} }

func (c mapInto) Coerce(v any) (any, bool) {
	values, ok := entriesOf(v)
	if !ok {
		return nil, false
	}
	made := reflect.MakeMapWithSize(c.typ, len(values))
	for key, value := range values {
		place := reflect.New(c.typ.Elem()).Elem()
		if !c.element.put(place, value) {
			return nil, false
		}
		made.SetMapIndex(reflect.ValueOf(key).Convert(c.typ.Key()), place)
	}
	return made.Interface(), true
}

// structInto gives structs of one type.
type structInto struct {
	hashCoercion
	typ reflect.Type
}

func (c structInto) Types() []reflect.Type { return []reflect.Type{c.typ} }

func (c structInto) Coerce(v any) (any, bool) {
	if value, ok := behindPointers(reflect.ValueOf(v)); ok && value.Type() == c.typ {
		return value.Interface(), true
	}
	made := reflect.New(c.typ)
	if ok, _, _ := c.decode(v, made); !ok {
		return nil, false
	}
	return made.Elem().Interface(), true
}

// entriesOf returns what a hash is made of; it is the caller's still.
func entriesOf(v any) (map[string]any, bool) {
	if values, ok := v.(map[string]any); ok {
		return values, true
	}
	value, is := plain(v)
	switch is {
	case broken:
		return nil, false
	case nothing:
		return nil, isNoValue(value) || value.Kind() == reflect.Map && isStringKeyed(value.Type())
	}
	if text, ok := textIn(value); ok {
		if !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return nil, false
		}
		decoded, whole := fromJSON([]byte(text))
		values, ok := decoded.(map[string]any)
		return values, ok && whole
	}
	switch value.Kind() {
	case reflect.Map:
		return entriesOfMap(value)
	case reflect.Struct:
		values, _, err := cmdxctx.Values(value.Interface())
		return values, err == nil
	}
	return nil, false
}

func isStringKeyed(t reflect.Type) bool {
	return t.Key().Kind() == reflect.String || t.Key().Kind() == reflect.Interface
}

// entriesOfMap also takes the map[any]any of some decoders when all of its
// keys are strings.
func entriesOfMap(value reflect.Value) (map[string]any, bool) {
	if !isStringKeyed(value.Type()) {
		return nil, false
	}
	values := make(map[string]any, value.Len())
	for entries := value.MapRange(); entries.Next(); {
		key := entries.Key()
		if key.Kind() == reflect.Interface {
			key = key.Elem()
		}
		if key.Kind() != reflect.String {
			return nil, false
		}
		values[key.String()] = entries.Value().Interface()
	}
	return values, true
}

// decode fills the struct behind made. What is refused is told by the way to
// it, and the message for it.
func (c structInto) decode(v any, made reflect.Value) (ok bool, at string, failure *messages.Text) {
	values, ok := entriesOf(v)
	if !ok {
		return false, "", failureOf([]Coercion{c})
	}
	d := structDecoding{failure: c}
	if failed := cmdxctx.DecodeWith(values, made.Elem(), d.step); failed != nil {
		return false, failed.Path, d.message()
	}
	return true, "", nil
}

func (c structInto) locate(v any) (at string, failure *messages.Text) {
	_, at, failure = c.decode(v, reflect.New(c.typ))
	if at == "" {
		return "", failureOf([]Coercion{c})
	}
	return "." + at, failure
}

// structDecoding remembers what was tried last: a coercion or a type.
type structDecoding struct {
	failure Coercion
	typ     reflect.Type
}

func (d *structDecoding) message() *messages.Text {
	if d.failure == nil {
		return failureOfType(d.typ)
	}
	return failureOf([]Coercion{d.failure})
}

// step coerces one value for a place of type t. Lists, maps and structs are
// only opened here; the decoder goes on with what lies in them.
func (d *structDecoding) step(v any, t reflect.Type) (made any, done, ok bool) {
	s := slotOf(t)
	d.failure, d.typ = s.coercion, t
	switch s.coercion.(type) {
	case nil:
		return v, false, true
	case arrayInto, arrayCoercion:
		items, ok := itemsOf(v)
		return items, false, ok
	case structInto, mapInto, hashCoercion:
		if value, is := behindPointers(reflect.ValueOf(v)); is && value.Type() == core(t) {
			return v, false, true
		}
		values, ok := entriesOf(v)
		return values, false, ok
	}
	place := reflect.New(t).Elem()
	if !s.put(place, v) {
		return nil, true, false
	}
	return place.Interface(), true, true
}

var slotsByType sync.Map // reflect.Type → slot

func slotOf(t reflect.Type) slot {
	if known, ok := slotsByType.Load(t); ok {
		return known.(slot)
	}
	known, _ := slotsByType.LoadOrStore(t, slotFor(t, nil))
	return known.(slot)
}

// isOneValue tells structs that stand for one value, such as a time, from
// those that hold several.
func isOneValue(t reflect.Type) bool {
	switch t {
	case timeType, decimalType, bigIntType, bigRatType, bigFloatType, urlType:
		return true
	}
	if _, ok := nullOf(t); ok {
		return true
	}
	return t.NumField() > 0 && !cmdxctx.ShowsFields(t)
}

// isEndless tells whether t leads to itself through pointers, slices and maps
// alone.
func isEndless(t reflect.Type) bool {
	for seen := map[reflect.Type]bool{}; !seen[t]; t = t.Elem() {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			seen[t] = true
		default:
			return false
		}
	}
	return true
}
