package task

import (
	"reflect"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/run"
)

// checkSensitive refuses keys that would show the value of a sensitive input.
func (d *Definition) checkSensitive(t reflect.Type) {
	if d.plan == nil {
		return
	}
	for _, guard := range []struct {
		what string
		key  run.KeyResolver
	}{
		{"RateLimit", d.RateKey()}, {"CircuitBreaker", d.BreakerKey()}, {"LimitConcurrency", d.ConcurrencyKey()},
		{"LockWith", d.LockKey()}, {"IdempotentBy", d.IdempotencyKey()},
	} {
		if name := run.Exposed(guard.key); name != "" && d.plan.Sensitive(name) {
			d.mistakes = append(d.mistakes, mistakeSensitiveKey(t, guard.what, name, d.sites[guard.what]))
		}
	}
}

// conceal keeps the values of sensitive inputs from being shown. Of a type that
// is declared wrongly nobody can tell which they are: then nothing is shown.
func (e *execution) conceal() {
	d := e.definition
	if d.plan != nil {
		e.Context.Conceal(d.plan.Hidden())
	}
	if len(d.mistakes) > 0 && e.Context == &e.data {
		e.Context.Conceal(cmdxctx.HideAll())
	}
}
