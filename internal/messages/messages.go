// Package messages holds every text that the library says to a user: English
// is built in, and an application can replace each text by its key, for any
// locale.
//
// A [Text] knows its English words from the moment it is made, so that nothing
// is looked up or put together as long as nobody registers anything.
package messages

import (
	"context"
	"strings"
)

// Text is a message before it is put into the words of a locale. It never
// changes. A nil *Text says nothing.
type Text struct {
	key     Key
	english string
	values  []Value
}

// Value fills a placeholder: with a text that is the same everywhere, such as
// a number, or with texts that have words of their own in every locale.
type Value struct {
	name  string
	plain string
	texts []*Text
}

// Given fills the placeholder with words that are declared, never with an
// input's value.
func Given(name, plain string) Value { return Value{name: name, plain: plain} }

// Said fills the placeholder with other texts, divided by commas.
func Said(name string, texts ...*Text) Value { return Value{name: name, texts: texts} }

// Of makes the text of a key. It panics when the library asks for a key that
// it does not have; a test holds that none does.
func Of(key Key, values ...Value) *Text {
	t := &Text{key: key, values: values}
	english, ok := original(key)
	if !ok {
		panic("messages: there is no key " + string(key))
	}
	t.english = english.fill(t, nil, nil)
	return t
}

// Plain is a text that is the same in every locale.
func Plain(words string) *Text { return &Text{english: words} }

// Or joins texts of which one would do.
func Or(texts ...*Text) *Text {
	joined := texts[0]
	for _, t := range texts[1:] {
		joined = Of(KeyOr, Said("one", joined), Said("other", t))
	}
	return joined
}

// Key is the text's key, "" for a plain one.
func (t *Text) Key() Key { return t.key }

// English is the built-in text.
func (t *Text) English() string {
	if t == nil {
		return ""
	}
	return t.english
}

// In is the text in the words of a locale, else in those of the locale that
// it belongs to ("es" for "es-MX"), else in English.
func (t *Text) In(locale string) string {
	registered := current.Load()
	if t == nil || registered == nil {
		return t.English()
	}
	return t.say(registered, chain(locale))
}

// For is the text in the words of ctx's locale.
func (t *Text) For(ctx context.Context) string {
	if t == nil || current.Load() == nil {
		return t.English()
	}
	return t.In(Locale(ctx))
}

func (t *Text) say(registered *catalog, locales []string) string {
	if t.key == "" {
		return t.english
	}
	return registered.template(locales, t.key).fill(t, registered, locales)
}

// value writes what fills a placeholder.
func (t *Text) value(name string, registered *catalog, locales []string) string {
	for i := range t.values {
		v := &t.values[i]
		switch {
		case v.name != name:
		case v.texts == nil:
			return v.plain
		default:
			return v.join(registered, locales)
		}
	}
	return ""
}

func (v *Value) join(registered *catalog, locales []string) string {
	words := make([]string, len(v.texts))
	for i, t := range v.texts {
		if registered == nil {
			words[i] = t.english
		} else {
			words[i] = t.say(registered, locales)
		}
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words, registered.template(locales, KeyComma).words())
}

// List fills the placeholder with declared words, divided by commas.
func List(name string, words ...string) Value {
	texts := make([]*Text, len(words))
	for i, w := range words {
		texts[i] = Plain(w)
	}
	return Said(name, texts...)
}
