package safejson

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// kind writes a value that has no methods of its own for it.
func (w *writer) kind(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		w.value(v.Elem())
	case reflect.Map:
		w.mapping(v)
	case reflect.Struct:
		w.structure(v)
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && plainBytes(v.Type().Elem()) {
			w.leaf(v.Bytes())
			return
		}
		w.list(v)
	case reflect.String:
		w.string(v.String())
	case reflect.Bool:
		w.raw(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.raw(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		w.raw(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32:
		w.leaf(float32(v.Float()))
	case reflect.Float64:
		w.leaf(v.Float())
	default: // complex numbers, channels, functions
		w.string(plain(v))
	}
}

// plainBytes tells whether a slice of t is written in base 64.
func plainBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Uint8 && t.NumMethod() == 0 && reflect.PointerTo(t).NumMethod() == 0
}

// leaf writes a value that holds no others.
func (w *writer) leaf(v any) {
	data, err := json.Marshal(v)
	if err != nil { // NaN and the infinities
		w.string(plain(reflect.ValueOf(v)))
		return
	}
	w.out = append(w.out, data...)
}

func (w *writer) list(v reflect.Value) {
	w.raw("[")
	for i := range v.Len() {
		if i > 0 {
			w.raw(",")
		}
		w.value(v.Index(i))
	}
	w.raw("]")
}

// mapping writes a map in the order of its keys.
func (w *writer) mapping(v reflect.Value) {
	type entry struct {
		key   string
		value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for each := v.MapRange(); each.Next(); {
		entries = append(entries, entry{keyText(each.Key()), each.Value()})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	used := make(map[string]bool, len(entries))
	w.raw("{")
	for i, e := range entries {
		if i > 0 {
			w.raw(",")
		}
		w.string(unused(e.key, used))
		w.raw(":")
		w.value(e.value)
	}
	w.raw("}")
}

// unused gives keys that read alike, such as 1 and "1", names of their own.
func unused(key string, used map[string]bool) string {
	name := key
	for n := 2; used[name]; n++ {
		name = key + " (" + strconv.Itoa(n) + ")"
	}
	used[name] = true
	return name
}

// keyText is the name of a map's key.
func keyText(v reflect.Value) string {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return "null"
	}
	if v.Kind() == reflect.String {
		return strings.ToValidUTF8(v.String(), "\ufffd")
	}
	if v.CanInterface() {
		return strings.ToValidUTF8(Text(v.Interface()), "\ufffd")
	}
	return plain(v)
}
