package storetest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// Env is what a [Case] acts on: a store, time, and a place for problems. It
// may be used from many goroutines.
type Env struct {
	// Store is the store under test.
	Store stores.Store
	// Unit is what lifetimes are multiples of.
	Unit time.Duration

	guards   stores.Guards
	ctx      context.Context
	prefix   string
	advance  func(time.Duration)
	settle   func()
	without  []stores.Kind
	mu       sync.Mutex
	problems []string
}

// judge runs a case and returns what it found; nothing means that the store
// keeps the contract. A panic of the store is a problem too.
func (e *Env) judge(c Case) []string {
	func() {
		defer func() {
			if p := recover(); p != nil {
				e.Failf("panicked: %v", p)
			}
		}()
		c.Check(e)
	}()
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.problems)
}

// Failf notes a problem, with the line of the case that found it.
func (e *Env) Failf(format string, args ...any) {
	problem := caseLine() + fmt.Sprintf(format, args...)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.problems = append(e.problems, problem)
}

// caseLine finds the nearest caller in a file of cases.
func caseLine() string {
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		frame, more := frames.Next()
		if name := filepath.Base(frame.File); strings.HasPrefix(name, "cases_") {
			return fmt.Sprintf("%s:%d: ", name, frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// Key returns a key of this case only.
func (e *Env) Key(name string) string { return e.prefix + name }

// Units is a lifetime of so many units.
func (e *Env) Units(n float64) time.Duration { return time.Duration(n * float64(e.Unit)) }

// Advance lets so many units pass on the store's clock.
func (e *Env) Advance(units float64) { e.advance(e.Units(units)) }

// failed notes an unexpected error.
func (e *Env) failed(what string, err error) bool {
	if err != nil {
		e.Failf("%s: unexpected error: %v", what, err)
	}
	return err != nil
}

func (e *Env) wantError(what string, err, target error) {
	if !errors.Is(err, target) {
		e.Failf("%s: got error %v, want one that wraps %q", what, err, target)
	}
}

func (e *Env) wantTTLError(what string, err error, ttl time.Duration) {
	if refused, ok := errors.AsType[*stores.TTLError](err); !ok || refused.TTL != ttl {
		e.Failf("%s: got error %v, want a *stores.TTLError that holds %d ns", what, err, ttl)
	}
}

func (e *Env) wantNumberError(what string, err error, overflow bool) {
	if refused, ok := errors.AsType[*stores.NumberError](err); !ok || refused.Overflow != overflow {
		e.Failf("%s: got error %v, want a *stores.NumberError with Overflow %t", what, err, overflow)
	}
}

func (e *Env) wantRuleError(what string, err error) {
	if _, ok := errors.AsType[*stores.RuleError](err); !ok {
		e.Failf("%s: got error %v, want a *stores.RuleError", what, err)
	}
}

// name cuts what is common to all keys of the case.
func (e *Env) name(key string) string {
	name := strings.TrimPrefix(key, e.prefix)
	if len(name) > 40 {
		return fmt.Sprintf("%q… (%d bytes)", name[:40], len(name))
	}
	return fmt.Sprintf("%q", name)
}
