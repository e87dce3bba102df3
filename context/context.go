// Package cmdxctx holds the bag of data that the tasks of one run share.
//
// Import it under its own name, so that the standard package context keeps
// its:
//
//	import cmdxctx "github.com/cmdx-go/cmdx/context"
package cmdxctx

import (
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/cmdx-go/cmdx/internal/halt"
	"github.com/cmdx-go/cmdx/internal/safejson"
)

// Context is the bag of data that a task is given and leaves its own data in.
// Nested runs that are handed a *Context work on the same one.
//
// The zero Context is empty and ready to use, and costs no map until the first
// write. A nil *Context reads as an empty one and ignores writes. Like a map,
// a Context may be read by several goroutines but not while one writes to it.
//
// When the root of the runs that share a Context has ended, the Context can
// still be read; a write is ignored, and the first one is logged as a warning.
type Context struct {
	values map[string]any
	life   atomic.Pointer[Life]
	traits atomic.Pointer[traits]
}

// New returns a Context with a shallow copy of values. It belongs to no run,
// so that it can always be written to.
func New(values map[string]any) *Context {
	c := &Context{}
	c.Begin(values, nil, false)
	return c
}

// Begin makes c, which may lie inside another struct, a Context with a shallow
// copy of values, bound to life, replacing whatever c was. An empty map costs
// nothing. A nil life never ends. In a strict Context [Context.MustGet] stops
// the run when the key is missing.
func (c *Context) Begin(values map[string]any, life *Life, strict bool) {
	if c == nil {
		return
	}
	c.values = nil
	c.traits.Store(traitsOf(strict))
	c.life.Store(life)
	if len(values) > 0 {
		c.values = maps.Clone(values)
	}
}

// Join binds c to another life: a nested run that is under way when its root
// ends goes on writing, and its Context ends with the root's afterwards.
func (c *Context) Join(life *Life) {
	if c != nil {
		c.life.Store(life)
	}
}

// Life returns the life that c is bound to; nil when c belongs to no run.
func (c *Context) Life() *Life {
	if c == nil {
		return nil
	}
	return c.life.Load()
}

// Ended tells whether the root run of c has ended, so that writes are ignored.
func (c *Context) Ended() bool { return c.Life().Ended() }

// Strict tells whether [Context.MustGet] stops the run when a key is missing.
func (c *Context) Strict() bool {
	if c == nil {
		return false
	}
	t := c.traits.Load()
	return t != nil && t.strict
}

// Get returns the value under key; ok is false when there is none. It is
// forgiving in a strict Context too.
func (c *Context) Get(key string) (value any, ok bool) {
	if c == nil {
		return nil, false
	}
	value, ok = c.values[key]
	return value, ok
}

// Get returns the value under key when it is a T. Otherwise, and when there is
// no such key, it returns the zero T and false. A value of another number type
// is not converted. A nil is there for every interface type T.
func Get[T any](c *Context, key string) (T, bool) {
	value, ok := c.Get(key)
	if t, is := value.(T); is {
		return t, true
	}
	var zero T
	return zero, ok && value == nil && reflect.TypeFor[T]().Kind() == reflect.Interface
}

// MustGet returns the value under key. When there is none it returns nil, but
// in a strict Context it stops the run: by a panic that the executor turns
// into a raised error, the [*UnknownKeyError] of key.
func (c *Context) MustGet(key string) any {
	value, ok := c.Get(key)
	if !ok && c.Strict() {
		panic(halt.Stop{Err: &UnknownKeyError{Key: key}})
	}
	return value
}

// Has tells whether there is a value under key, be it nil.
func (c *Context) Has(key string) bool {
	_, ok := c.Get(key)
	return ok
}

// Set puts value under key.
func (c *Context) Set(key string, value any) {
	if !c.writable("Set", key) {
		return
	}
	c.put(key, value)
}

func (c *Context) put(key string, value any) {
	if c.values == nil {
		c.values = make(map[string]any)
	}
	c.values[key] = value
}

// Delete removes key; a missing one does no harm.
func (c *Context) Delete(key string) {
	if c.writable("Delete", key) {
		delete(c.values, key)
	}
}

func (c *Context) writable(method, key string) bool {
	return c != nil && !c.life.Load().refuses(method, key)
}

// Keys returns the keys in alphabetical order, in a slice of the caller's own.
func (c *Context) Keys() []string {
	if c.Len() == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(c.values))
}

// Len returns the number of keys.
func (c *Context) Len() int {
	if c == nil {
		return 0
	}
	return len(c.values)
}

// ToMap returns a shallow copy of the data as a map, which is never nil. It
// holds everything, for programs; what people may see is [Context.ToShow].
func (c *Context) ToMap() map[string]any {
	if c.Len() == 0 {
		return map[string]any{}
	}
	return maps.Clone(c.values)
}

// MarshalJSON writes the data as a JSON object, as [Context.ToShow] gives it:
// without the values of sensitive inputs. It never fails: what has no JSON form
// is written as its text, with the rest intact.
func (c *Context) MarshalJSON() ([]byte, error) {
	if c == nil {
		return []byte("{}"), nil
	}
	return safejson.Marshal(c), nil
}

// JSONValue is what MarshalJSON encodes. The encoder asks for it so that it
// sees a Context that holds itself.
func (c *Context) JSONValue() any {
	if c.Len() == 0 {
		return map[string]any{}
	}
	return c.shown()
}

// data is the map itself, for reading.
func (c *Context) data() map[string]any {
	if c == nil {
		return nil
	}
	return c.values
}

// String tells how many keys there are, and no value, so that a Context may
// be printed into a log.
func (c *Context) String() string { return fmt.Sprintf("context of %d keys", c.Len()) }

// LogValue is the text of String: a Context leaves no value in a log line.
func (c *Context) LogValue() slog.Value { return slog.StringValue(c.String()) }
