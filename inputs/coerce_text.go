package inputs

import (
	"encoding"
	"net/url"
	"reflect"
	"strings"
)

// textCoercion gives values of a type that reads itself from text, such as
// uuid.UUID, netip.Addr and url.URL. It takes values of the type, and what
// [String] takes as long as the type reads it.
type textCoercion struct{ typ reflect.Type }

var (
	unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
	urlType         = reflect.TypeFor[url.URL]()
)

// readsText tells whether a *t reads itself from text. Types that have a
// coercion of their own do too, and are not meant.
func readsText(t reflect.Type) bool {
	switch t {
	case timeType, decimalType, bigIntType, bigRatType:
		return false
	case urlType: // its method has another name
		return true
	}
	return reflect.PointerTo(t).Implements(unmarshalerType)
}

func (c textCoercion) Name() string   { return strings.ToLower(c.typ.Name()) }
func (c textCoercion) Phrase() string { return withArticle(c.Name()) }

func (c textCoercion) Types() []reflect.Type { return []reflect.Type{c.typ} }

func (c textCoercion) Stores(field reflect.Type) bool { return field == c.typ }

func (c textCoercion) Coerce(v any) (any, bool) {
	if value, ok := behindPointers(reflect.ValueOf(v)); ok && value.Type() == c.typ {
		return unshared(value.Interface()), true
	}
	made := reflect.New(c.typ)
	if text, ok := String.Coerce(v); ok && readInto(made.Interface(), text.(string)) {
		return made.Elem().Interface(), true
	}
	// A level that reads "info" may be a number as well.
	if kind := classOfKind(c.typ.Kind()); kind&classNumber == 0 || !isPlainNumber(v) {
		return nil, false
	}
	value, _ := plain(v)
	if !setNumber(made.Elem(), value) {
		return nil, false
	}
	return made.Elem().Interface(), true
}

func isPlainNumber(v any) bool {
	value, is := plain(v)
	return is == something && (isNumber(value.Type()) || value.Type() == jsonNumberType)
}

// readInto asks a type to read itself. What it says of a text that it does not
// take may hold the text and is dropped.
func readInto(place any, text string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	switch to := place.(type) {
	case *url.URL:
		parsed, err := url.Parse(text)
		if err == nil {
			*to = *parsed
		}
		return err == nil
	case encoding.TextUnmarshaler:
		return to.UnmarshalText([]byte(text)) == nil
	}
	return false
}

// withArticle is for names that nobody has given a phrase.
func withArticle(name string) string {
	if name == "" {
		return "a value"
	}
	if strings.IndexByte("aeio", name[0]) >= 0 {
		return "an " + name
	}
	return "a " + name
}
