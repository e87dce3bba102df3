package task

import (
	"reflect"

	"github.com/cmdx-go/cmdx/stores"
)

// LockedAbove looks along ctx for an enclosing run that holds the lock of key
// in the same store. To wait for such a lock would be to wait for oneself:
// the enclosing run waits for this one. Runs beside this one do end without
// it. Below a detached ctx there is no enclosing run.
func (e *execution) LockedAbove(key string) (task string, held bool) {
	for ctx := e.carrier.Context; ; {
		above, _ := carried(ctx)
		if above == nil {
			return "", false
		}
		if sameStore(above.runtime.store, e.runtime.store) && above.hold.Load().locks(key) {
			return above.Type.Name, true
		}
		ctx = above.carrier.Context
	}
}

// locks tells whether the lock of key is held. Only what never changes while
// it is held is read: the asking run may be on another goroutine.
func (h *hold) locks(key string) bool {
	if h == nil || !h.locked.Load() {
		return false
	}
	for i := range h.entries {
		if e := &h.entries[i]; e.Kind == stores.KindLock && e.Key == key && h.holds(i) {
			return true
		}
	}
	return false
}

// sameStore does not compare stores that cannot be compared.
func sameStore(a, b stores.Store) bool {
	t := reflect.TypeOf(a)
	return t == reflect.TypeOf(b) && t.Comparable() && reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}
