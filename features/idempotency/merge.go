package idempotency

import (
	"cmp"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
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
		If:            orGate(child.If, o.If),
		Unless:        orGate(child.Unless, o.Unless),
		OnStoreError:  cmp.Or(child.OnStoreError, o.OnStoreError),
	}
}

// orGate does not compare gates, which may be of types that cannot be.
func orGate(child, parent run.Gate) run.Gate {
	if child != nil {
		return child
	}
	return parent
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
	o.If = orGate(o.If, run.Always)
	o.Unless = orGate(o.Unless, run.Never)
	o.OnStoreError = cmp.Or(o.OnStoreError, DefaultOnStoreError)
	return o
}

// Validate tells what is wrong with options as they were written.
func (o Options) Validate() []run.Problem {
	var problems []run.Problem
	add := func(text, fix string) { problems = append(problems, run.Problem{Text: text, Fix: fix}) }
	ttl := func(field string, d time.Duration) {
		if d != 0 && d < time.Millisecond {
			add(field+" is "+d.String(), "Write at least one millisecond, or leave "+field+" out to inherit it.")
		}
	}
	policy := func(field string, p run.Policy, allowed ...run.Policy) {
		if p == 0 {
			return
		}
		names := ""
		for i, a := range allowed {
			if p == a {
				return
			}
			if i > 0 {
				names += " or "
			}
			names += a.String()
		}
		add(field+" is "+p.String()+", which it does not know", "Write "+names+".")
	}
	ttl("TTL", o.TTL)
	ttl("ProcessingTTL", o.ProcessingTTL)
	if stores.IsReserved(o.Namespace) {
		add("Namespace begins as the store's own keys do", "Choose another beginning, such as app:once.")
	}
	if o.Renew != 0 && o.Renew != run.On && o.Renew != run.Off {
		add("Renew is an unknown position", "Write On or Off.")
	}
	policy("OnDuplicate", o.OnDuplicate, run.PolicySkip, run.PolicyFail)
	policy("OnProcessing", o.OnProcessing, run.PolicySkip, run.PolicyFail)
	policy("OnBlank", o.OnBlank, run.PolicyStepAside, run.PolicyFail)
	if o.OnStoreError != 0 && o.OnStoreError != run.FailClosed && o.OnStoreError != run.FailOpen {
		add("OnStoreError is an unknown policy", "Write FailClosed or FailOpen.")
	}
	return problems
}

// Settings are the layers of a type's idempotency, merged: one resolver and
// the options. The zero value is a type that declares nothing.
type Settings struct {
	resolver run.KeyResolver
	off      bool
	declared bool
	options  Options
}

// With lays one declaration over s. A nil resolver keeps the inherited one;
// run.Disabled turns the feature off until a resolver is given again.
func (s Settings) With(resolver run.KeyResolver, options ...Options) Settings {
	s.declared = true
	switch {
	case run.IsDisabled(resolver):
		s.resolver, s.off = nil, true
	case resolver != nil:
		s.resolver, s.off = resolver, false
	}
	for _, o := range options {
		s.options = s.options.Merge(o)
	}
	return s
}

// Resolver is the effective resolver; nil when the feature is off.
func (s Settings) Resolver() run.KeyResolver { return s.resolver }

// Options are the effective options, defaults filled in.
func (s Settings) Options() Options { return s.options.WithDefaults() }

// Incomplete tells that there are options but no resolver to use them.
func (s Settings) Incomplete() bool { return s.declared && s.resolver == nil && !s.off }
