package lock

import (
	"cmp"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Merge lays child over o: what the child says wins, what it does not say is
// inherited. Neither value changes.
func (o Options) Merge(child Options) Options {
	return Options{
		Scope:        cmp.Or(child.Scope, o.Scope),
		TTL:          cmp.Or(child.TTL, o.TTL),
		Wait:         cmp.Or(child.Wait, o.Wait),
		Renew:        cmp.Or(child.Renew, o.Renew),
		Namespace:    cmp.Or(child.Namespace, o.Namespace),
		OnConflict:   cmp.Or(child.OnConflict, o.OnConflict),
		Settle:       cmp.Or(child.Settle, o.Settle),
		If:           run.OrGate(child.If, o.If),
		Unless:       run.OrGate(child.Unless, o.Unless),
		OnStoreError: cmp.Or(child.OnStoreError, o.OnStoreError),
	}
}

// WithDefaults fills in what nobody said.
func (o Options) WithDefaults() Options {
	o.TTL = cmp.Or(o.TTL, DefaultTTL)
	o.Wait = cmp.Or(o.Wait, DefaultWait)
	o.Renew = cmp.Or(o.Renew, DefaultRenew)
	o.Namespace = cmp.Or(o.Namespace, DefaultNamespace)
	o.OnConflict = cmp.Or(o.OnConflict, DefaultOnConflict)
	o.Settle = cmp.Or(o.Settle, DefaultSettle)
	o.If = run.OrGate(o.If, run.Always)
	o.Unless = run.OrGate(o.Unless, run.Never)
	o.OnStoreError = cmp.Or(o.OnStoreError, DefaultOnStoreError)
	return o
}

// Validate tells what is wrong with options as they were written.
func (o Options) Validate() []run.Problem {
	var c run.Checks
	c.Duration("TTL", o.TTL)
	if o.Wait < 0 && o.Wait != NoWait {
		c.Add("Wait is "+o.Wait.String(), "Write a positive duration, or NoWait for one try.")
	}
	c.Namespace(o.Namespace)
	c.Switch("Renew", o.Renew)
	c.Settle("Settle", o.Settle)
	c.Policy("OnConflict", o.OnConflict, run.PolicySkip, run.PolicyFail)
	c.StorePolicy("OnStoreError", o.OnStoreError)
	return c.Problems()
}

// Shared is what must be the same wherever the options' Scope is used: all
// but the gates, which belong to one type each.
func (o Options) Shared() any {
	o.If, o.Unless = nil, nil
	return o
}

// Settings are the layers of a type's lock, merged: one resolver and the
// options. The zero value is a type that declares nothing.
type Settings = run.Settings[Options]
