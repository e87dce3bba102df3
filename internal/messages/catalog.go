package messages

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// catalog holds what was registered, by locale and key. One that is in use
// never changes; nil is the built-in English alone.
type catalog struct{ locales map[string]map[Key]template }

var (
	current     atomic.Pointer[catalog]
	registering sync.Mutex
)

// Error says that a message cannot be registered: for which locale, under
// which key, and why. Key is "" when it is about the locale.
type Error struct{ Locale, Key, Problem string }

// Error names the locale and the key.
func (e *Error) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("messages cannot be registered for the locale %q: %s", e.Locale, e.Problem)
	}
	return fmt.Sprintf("the message %q cannot be registered for the locale %q: %s", e.Key, e.Locale, e.Problem)
}

// Register adds messages to a locale, over what was registered before, and
// tells by a joined [*Error] each what is wrong with it. Then none is added.
func Register(locale string, texts map[string]string) error {
	name := normal(locale)
	if name == "" {
		return &Error{Locale: locale, Problem: `it has no name: write one such as "es" or "es-MX"`}
	}
	added := make(map[Key]template, len(texts))
	var problems []error
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		t, err := read(Key(key), texts[key])
		if err != nil {
			problems = append(problems, &Error{Locale: locale, Key: key, Problem: err.Error()})
		}
		added[Key(key)] = t
	}
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	change(func(locales map[string]map[Key]template) {
		merged := maps.Clone(locales[name])
		if merged == nil {
			merged = map[Key]template{}
		}
		maps.Copy(merged, added)
		locales[name] = merged
	})
	return nil
}

// Forget drops what was registered for a locale, for tests.
func Forget(locale string) {
	change(func(locales map[string]map[Key]template) { delete(locales, normal(locale)) })
}

func change(how func(locales map[string]map[Key]template)) {
	registering.Lock()
	defer registering.Unlock()
	next := &catalog{locales: map[string]map[Key]template{}}
	if before := current.Load(); before != nil {
		maps.Copy(next.locales, before.locales)
	}
	how(next.locales)
	if len(next.locales) == 0 {
		next = nil
	}
	current.Store(next)
}

// read holds the text for a key against the built-in one.
func read(key Key, text string) (template, error) {
	known, ok := original(key)
	if !ok {
		return nil, errors.New("there is no such key: cmdx.Messages lists them all")
	}
	t, err := parse(text)
	if err != nil {
		return nil, err
	}
	for _, name := range t.placeholders() {
		if !slices.Contains(known.placeholders(), name) {
			return nil, fmt.Errorf("it has no placeholder {%s}: the built-in text is %q", name, English(key))
		}
	}
	return t, nil
}

// template is the nearest one for a key.
func (c *catalog) template(locales []string, key Key) template {
	if c != nil {
		for _, locale := range locales {
			if t, ok := c.locales[locale][key]; ok {
				return t
			}
		}
	}
	t, _ := original(key)
	return t
}
