package idempotency

import (
	"cmp"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Merge lays child over o: what the child says wins, what it does not say is
// inherited. Neither value changes.
func (o Options) Merge(child Options) Options {
	return Options{
		TTL:           cmp.Or(child.TTL, o.TTL),
		ProcessingTTL: cmp.Or(child.ProcessingTTL, o.ProcessingTTL),
		Renew:         cmp.Or(child.Renew, o.Renew),
		Namespace:     cmp.Or(child.Namespace, o.Namespace),
		OnDuplicate:   cmp.Or(child.OnDuplicate, o.OnDuplicate),
		OnProcessing:  cmp.Or(child.OnProcessing, o.OnProcessing),
		OnBlank:       cmp.Or(child.OnBlank, o.OnBlank),
		Settle:        cmp.Or(child.Settle, o.Settle),
		If:            run.OrGate(child.If, o.If),
		Unless:        run.OrGate(child.Unless, o.Unless),
		OnStoreError:  cmp.Or(child.OnStoreError, o.OnStoreError),
	}
}

// WithDefaults fills in what nobody said.
func (o Options) WithDefaults() Options {
	o.TTL = cmp.Or(o.TTL, DefaultTTL)
	o.ProcessingTTL = cmp.Or(o.ProcessingTTL, o.TTL)
	o.Renew = cmp.Or(o.Renew, DefaultRenew)
	o.Namespace = cmp.Or(o.Namespace, DefaultNamespace)
	o.OnDuplicate = cmp.Or(o.OnDuplicate, DefaultOnDuplicate)
	o.OnProcessing = cmp.Or(o.OnProcessing, o.OnDuplicate)
	o.OnBlank = cmp.Or(o.OnBlank, DefaultOnBlank)
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
	c.Duration("ProcessingTTL", o.ProcessingTTL)
	c.Namespace(o.Namespace)
	c.Switch("Renew", o.Renew)
	c.Policy("OnDuplicate", o.OnDuplicate, run.PolicySkip, run.PolicyFail)
	c.Policy("OnProcessing", o.OnProcessing, run.PolicySkip, run.PolicyFail)
	c.Policy("OnBlank", o.OnBlank, run.PolicyStepAside, run.PolicyFail)
	c.Settle("Settle", o.Settle)
	c.StorePolicy("OnStoreError", o.OnStoreError)
	return c.Problems()
}

// Settings are the layers of a type's idempotency, merged: one resolver and
// the options. The zero value is a type that declares nothing.
type Settings = run.Settings[Options]
