package concurrency

import (
	"cmp"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Merge lays child over o: what the child says wins, what it does not say is
// inherited. Neither value changes.
func (o Options) Merge(child Options) Options {
	return Options{
		Scope:        cmp.Or(child.Scope, o.Scope),
		Limit:        cmp.Or(child.Limit, o.Limit),
		TTL:          cmp.Or(child.TTL, o.TTL),
		Renew:        cmp.Or(child.Renew, o.Renew),
		Namespace:    cmp.Or(child.Namespace, o.Namespace),
		OnFull:       cmp.Or(child.OnFull, o.OnFull),
		If:           run.OrGate(child.If, o.If),
		Unless:       run.OrGate(child.Unless, o.Unless),
		OnStoreError: cmp.Or(child.OnStoreError, o.OnStoreError),
	}
}

// WithDefaults fills in what nobody said; nothing stands in for Limit.
func (o Options) WithDefaults() Options {
	o.TTL = cmp.Or(o.TTL, DefaultTTL)
	o.Renew = cmp.Or(o.Renew, DefaultRenew)
	o.Namespace = cmp.Or(o.Namespace, DefaultNamespace)
	o.OnFull = cmp.Or(o.OnFull, DefaultOnFull)
	o.If = run.OrGate(o.If, run.Always)
	o.Unless = run.OrGate(o.Unless, run.Never)
	o.OnStoreError = cmp.Or(o.OnStoreError, DefaultOnStoreError)
	return o
}

// Validate tells what is wrong with options as they were written.
func (o Options) Validate() []run.Problem {
	var c run.Checks
	c.Count("Limit", o.Limit)
	c.Duration("TTL", o.TTL)
	c.Switch("Renew", o.Renew)
	c.Namespace(o.Namespace)
	c.Policy("OnFull", o.OnFull, run.PolicySkip, run.PolicyFail)
	c.StorePolicy("OnStoreError", o.OnStoreError)
	return c.Problems()
}

// Missing tells what nobody said in any layer although it is needed.
func (o Options) Missing() []run.Problem {
	if o.Limit != 0 {
		return nil
	}
	return []run.Problem{{
		Text: "neither the type nor a parent says a Limit",
		Fix:  "Write how many runs may be at work at once, such as cmdx.Concurrency{Limit: 4}.",
	}}
}

// Shared is what must be the same wherever the options' Scope is used: all
// but the gates, which belong to one type each.
func (o Options) Shared() any {
	o.If, o.Unless = nil, nil
	return o
}

// Settings are the layers of a type's places, merged: one resolver and the
// options. The zero value is a type that declares nothing.
type Settings = run.Settings[Options]
