package result

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// Errors collects messages under keys, such as the names of inputs. The zero
// Errors is empty, ready to use and free of allocations until the first Add. A
// nil *Errors reads as an empty one and ignores writes. All methods may be
// called from any number of goroutines; what they return is the caller's own.
type Errors struct {
	mu   sync.Mutex
	list []message            // in the order in which they were added
	seen map[message]struct{} // the same, to find them
}

type message struct{ key, text string }

// Mark is a state of an [Errors], see [Errors.Mark].
type Mark struct{ count int }

// Add keeps text under key, unless it is there already.
func (e *Errors) Add(key, text string) {
	e.add([]message{{key, text}})
}

func (e *Errors) add(list []message) {
	if e == nil || len(list) == 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen == nil {
		e.seen = make(map[message]struct{}, len(list))
	}
	for _, m := range list {
		if _, ok := e.seen[m]; ok {
			continue
		}
		e.seen[m] = struct{}{}
		e.list = append(e.list, m)
	}
}

// Merge adds everything that other holds, in its order.
func (e *Errors) Merge(other *Errors) {
	// A copy, so that two that merge each other never hold both locks.
	e.add(other.all())
}

// all copies the messages in the order in which they were added.
func (e *Errors) all() []message {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.list)
}

// replace changes the text of every message.
func (e *Errors) replace(text func(string) string) {
	if e.Count() == 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, m := range e.list {
		if changed := text(m.text); changed != m.text {
			delete(e.seen, m)
			e.list[i].text = changed
			e.seen[e.list[i]] = struct{}{}
		}
	}
}

// Mark returns the state of now, to which [Errors.Reset] can go back.
func (e *Errors) Mark() Mark { return Mark{e.Count()} }

// Reset drops what was added since the mark was made of the same Errors.
func (e *Errors) Reset(to Mark) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if to.count >= len(e.list) {
		return
	}
	for _, m := range e.list[to.count:] {
		delete(e.seen, m)
	}
	clear(e.list[to.count:])
	e.list = e.list[:to.count]
}

// Get returns the messages under key in the order in which they were added;
// nil when there are none.
func (e *Errors) Get(key string) []string {
	var texts []string
	for _, m := range e.all() {
		if m.key == key {
			texts = append(texts, m.text)
		}
	}
	return texts
}

// Has tells whether there is a message under key.
func (e *Errors) Has(key string) bool { return len(e.Get(key)) > 0 }

// Keys returns the keys in the order of their first message.
func (e *Errors) Keys() []string {
	keys, _ := e.grouped()
	return keys
}

// grouped returns the messages by key, and the keys in order.
func (e *Errors) grouped() (keys []string, texts map[string][]string) {
	texts = map[string][]string{}
	for _, m := range e.all() {
		if _, ok := texts[m.key]; !ok {
			keys = append(keys, m.key)
		}
		texts[m.key] = append(texts[m.key], m.text)
	}
	return keys, texts
}

// Len returns the number of keys.
func (e *Errors) Len() int {
	if e.Count() == 0 {
		return 0
	}
	return len(e.Keys())
}

// Count returns the number of messages under all keys.
func (e *Errors) Count() int {
	if e == nil {
		return 0
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.list)
}

// FullMessages returns every message behind its key, as "key message", key by
// key in the order of [Errors.Keys]; nil when there are none. A message under
// the empty key stands alone.
func (e *Errors) FullMessages() []string {
	var full []string
	keys, texts := e.grouped()
	for _, key := range keys {
		for _, text := range texts[key] {
			if key != "" {
				text = key + " " + text
			}
			full = append(full, text)
		}
	}
	return full
}

// ToMap returns the messages by key, in a map that is never nil.
func (e *Errors) ToMap() map[string][]string {
	_, texts := e.grouped()
	return texts
}

// String returns the full messages joined by ". ".
func (e *Errors) String() string { return strings.Join(e.FullMessages(), ". ") }

// MarshalJSON writes an object of the messages by key. It never fails.
func (e *Errors) MarshalJSON() ([]byte, error) { return json.Marshal(e.ToMap()) }
