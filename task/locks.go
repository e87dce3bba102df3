package task

import (
	"reflect"
	"strings"
	"sync"
)

var lockerType = reflect.TypeFor[sync.Locker]()

// lockByValue finds a lock or an atomic that the type holds by value and that
// every execution's copy would therefore copy; "" for none. It finds what
// vet's copylocks finds.
func lockByValue(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Array:
		return lockByValue(t.Elem())
	case reflect.Struct:
	default:
		return ""
	}
	if isLock(t) {
		return t.String()
	}
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Type == baseType {
			continue
		}
		if path := lockByValue(field.Type); path != "" {
			return field.Name + " (" + path + ")"
		}
	}
	return ""
}

func isLock(t reflect.Type) bool {
	if path := t.PkgPath(); path == "sync" || path == "sync/atomic" || strings.HasPrefix(path, "internal/sync") {
		return t.Name() != "" && t.Kind() == reflect.Struct
	}
	return reflect.PointerTo(t).Implements(lockerType) && !t.Implements(lockerType)
}
