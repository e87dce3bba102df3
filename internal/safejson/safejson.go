// Package safejson writes any value as JSON, whatever it is made of.
package safejson

import (
	"encoding"
	"encoding/json"
	"reflect"
	"runtime"
	"sync/atomic"
)

// Structured is a value of this library that is encoded as another value. The
// encoder follows JSONValue, and not MarshalJSON, so that it notices when the
// value lies in itself.
type Structured interface{ JSONValue() any }

// Referred is a [Structured] value that [Brief] writes as another, short one.
type Referred interface{ JSONReference() any }

// Marshal writes v as valid JSON, by the rules of encoding/json with its tags.
// It never fails and never panics: a part that has no JSON form, whose own
// methods fail or panic, or that lies in itself, is written as a string, see
// [Text], with the rest intact. An error is written as its text.
func Marshal(v any) []byte { return marshal(v, &writer{}) }

// Brief is [Marshal] for a line of text: a [Structured] value in v, which may
// hold the data of a whole run, is written as what it refers to, else as its
// text.
func Brief(v any) []byte { return marshal(v, &writer{brief: true}) }

func marshal(v any, w *writer) (data []byte) {
	defer func() {
		if recover() != nil {
			data = quoted("(" + typeName(v) + ")")
		}
	}()
	if tooDeep() {
		return quoted("(" + typeName(v) + " in itself)")
	}
	w.value(reflect.ValueOf(v))
	return w.out
}

const (
	// deepest is how far values may lie in each other; readers of JSON have
	// limits of their own, encoding/json at 10,000.
	deepest = 1000
	// Methods of users that encode what holds them are noticed once so many
	// of them are under way, on a stack of so many calls.
	manyMethods  = 100
	deepestCalls = 3000
)

// methods counts the methods of users that are under way.
var methods atomic.Int64

// tooDeep tells whether methods of users call the encoder without an end. The
// stack alone would not do: a caller may be deep in calls of its own.
func tooDeep() bool {
	if methods.Load() < manyMethods {
		return false
	}
	var pc [1]uintptr
	return runtime.Callers(deepestCalls, pc[:]) > 0
}

// writer is one encoding.
type writer struct {
	out   []byte
	depth int
	brief bool
	open  map[place]bool // what is being written, to notice cycles
}

type place struct {
	at  uintptr
	len int
	typ reflect.Type
}

func (w *writer) raw(text string)    { w.out = append(w.out, text...) }
func (w *writer) string(text string) { w.out = append(w.out, quoted(text)...) }

func quoted(text string) []byte {
	data, _ := json.Marshal(text) // a string always has a form
	return data
}

// value writes v and everything in it.
func (w *writer) value(v reflect.Value) {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || isNil(v) {
		w.raw("null")
		return
	}
	leave, ok := w.enter(v)
	if !ok {
		w.string("(" + v.Type().String() + " in itself)")
		return
	}
	defer leave()
	if w.own(v) {
		return
	}
	w.kind(v)
}

// enter notes that v is being written; ok is false when it already is, or when
// v lies too deep.
func (w *writer) enter(v reflect.Value) (leave func(), ok bool) {
	if w.depth >= deepest {
		return nil, false
	}
	w.depth++
	at := place{typ: v.Type()}
	switch v.Kind() {
	case reflect.Slice:
		at.len = v.Len()
		fallthrough
	case reflect.Map, reflect.Pointer:
		at.at = v.Pointer()
	default:
		return func() { w.depth-- }, true
	}
	if w.open[at] {
		w.depth--
		return nil, false
	}
	if w.open == nil {
		w.open = make(map[place]bool)
	}
	w.open[at] = true
	return func() { w.depth--; delete(w.open, at) }, true
}

// own writes v by its own methods, when it has some.
func (w *writer) own(v reflect.Value) bool {
	if !v.CanInterface() {
		return false
	}
	self := v.Interface()
	if v.Kind() != reflect.Pointer && v.CanAddr() && v.Addr().CanInterface() {
		if hasMethods(v.Addr().Interface()) {
			self = v.Addr().Interface()
		}
	}
	switch self := self.(type) {
	case json.Number:
		w.number(self)
		return true
	case Structured:
		if w.brief {
			w.reference(self)
		} else if value, ok := guarded(self.JSONValue); ok {
			w.value(reflect.ValueOf(value))
		} else {
			w.string(fallback(self))
		}
		return true
	case json.Marshaler:
		if data, ok := marshalled(self); ok {
			w.out = append(w.out, data...)
		} else {
			w.string(fallback(self))
		}
		return true
	case encoding.TextMarshaler:
		if text, ok := marshalledText(self); ok {
			w.string(text)
		} else {
			w.string(fallback(self))
		}
		return true
	case error:
		w.string(fallback(self))
		return true
	}
	return false
}

func (w *writer) reference(self Structured) {
	if r, ok := self.(Referred); ok {
		if value, ok := guarded(r.JSONReference); ok {
			w.value(reflect.ValueOf(value))
			return
		}
	}
	w.string(fallback(self))
}

func hasMethods(v any) bool {
	switch v.(type) {
	case Structured, json.Marshaler, encoding.TextMarshaler, error:
		return true
	}
	return false
}

func (w *writer) number(n json.Number) {
	if n == "" || !json.Valid([]byte(n)) || !(n[0] == '-' || n[0] >= '0' && n[0] <= '9') {
		w.string(string(n)) // a json.Number can hold any text
		return
	}
	w.raw(string(n))
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}
