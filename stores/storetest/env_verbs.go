package storetest

import (
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// wantSet sets a key and asks whether it was stored.
func (e *Env) wantSet(key, value string, o stores.SetOptions, stored bool) {
	what := fmt.Sprintf("Set %s (NX %t, XX %t, TTL %s)", e.name(key), o.NX, o.XX, o.TTL)
	got, err := e.Store.Set(e.ctx, key, value, o)
	if !e.failed(what, err) && got != stored {
		e.Failf("%s: got stored %t, want %t", what, got, stored)
	}
}

// set sets a key for so many units.
func (e *Env) set(key, value string, units float64) {
	e.wantSet(key, value, stores.SetOptions{TTL: e.Units(units)}, true)
}

func (e *Env) wantValue(key, value string) {
	what := "Get " + e.name(key)
	got, found, err := e.Store.Get(e.ctx, key)
	switch {
	case e.failed(what, err):
	case !found:
		e.Failf("%s: found nothing, want %q", what, value)
	case got != value:
		e.Failf("%s: got %q, want %q", what, got, value)
	}
}

func (e *Env) wantAbsent(key string) {
	what := "Get " + e.name(key)
	got, found, err := e.Store.Get(e.ctx, key)
	if !e.failed(what, err) && (found || got != "") {
		e.Failf("%s: got %q, found %t, want an absent key", what, got, found)
	}
}

func (e *Env) wantIncr(key string, ttl time.Duration, sum int64) {
	what := "Incr " + e.name(key)
	got, err := e.Store.Incr(e.ctx, key, ttl)
	if !e.failed(what, err) && got != sum {
		e.Failf("%s: got %d, want %d", what, got, sum)
	}
}

func (e *Env) wantDelete(key string, deleted bool) {
	what := "Delete " + e.name(key)
	got, err := e.Store.Delete(e.ctx, key)
	if !e.failed(what, err) && got != deleted {
		e.Failf("%s: got deleted %t, want %t", what, got, deleted)
	}
}
