package breaker

import (
	"cmp"
	"strconv"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Merge lays child over o: what the child says wins, what it does not say is
// inherited; Threshold and FailureRate displace each other. Neither value
// changes.
func (o Options) Merge(child Options) Options {
	merged := Options{
		Scope:        cmp.Or(child.Scope, o.Scope),
		Threshold:    cmp.Or(child.Threshold, o.Threshold),
		FailureRate:  cmp.Or(child.FailureRate, o.FailureRate),
		Window:       cmp.Or(child.Window, o.Window),
		MinCalls:     cmp.Or(child.MinCalls, o.MinCalls),
		CoolOff:      cmp.Or(child.CoolOff, o.CoolOff),
		Probes:       cmp.Or(child.Probes, o.Probes),
		CountIf:      orMatcher(child.CountIf, o.CountIf),
		Namespace:    cmp.Or(child.Namespace, o.Namespace),
		OnOpen:       cmp.Or(child.OnOpen, o.OnOpen),
		If:           run.OrGate(child.If, o.If),
		Unless:       run.OrGate(child.Unless, o.Unless),
		OnStoreError: cmp.Or(child.OnStoreError, o.OnStoreError),
	}
	switch {
	case child.Threshold != 0 && child.FailureRate == 0:
		merged.FailureRate = 0
	case child.FailureRate != 0 && child.Threshold == 0:
		merged.Threshold = 0
	}
	return merged
}

// orMatcher does not compare matchers, which may be of types that cannot be.
func orMatcher(child, parent run.ErrorMatcher) run.ErrorMatcher {
	if child != nil {
		return child
	}
	return parent
}

// WithDefaults fills in what nobody said.
func (o Options) WithDefaults() Options {
	if o.FailureRate == 0 {
		o.Threshold = cmp.Or(o.Threshold, DefaultThreshold)
	}
	o.Window = cmp.Or(o.Window, DefaultWindow)
	o.MinCalls = cmp.Or(o.MinCalls, DefaultMinCalls)
	o.CoolOff = cmp.Or(o.CoolOff, DefaultCoolOff)
	o.Probes = cmp.Or(o.Probes, DefaultProbes)
	o.CountIf = orMatcher(o.CountIf, AnyRaised)
	o.Namespace = cmp.Or(o.Namespace, DefaultNamespace)
	o.OnOpen = cmp.Or(o.OnOpen, DefaultOnOpen)
	o.If = run.OrGate(o.If, run.Always)
	o.Unless = run.OrGate(o.Unless, run.Never)
	o.OnStoreError = cmp.Or(o.OnStoreError, DefaultOnStoreError)
	return o
}

// Validate tells what is wrong with options as they were written.
func (o Options) Validate() []run.Problem {
	var c run.Checks
	c.Count("Threshold", o.Threshold)
	if !(o.FailureRate >= 0 && o.FailureRate <= 1) { // NaN too
		c.Add("FailureRate is "+strconv.FormatFloat(o.FailureRate, 'g', -1, 64), "Write a share above 0 and at most 1, such as 0.5.")
	}
	if o.Threshold != 0 && o.FailureRate != 0 {
		c.Add("both Threshold and FailureRate are said", "Keep one of the two: failures in a row, or their share.")
	}
	c.Duration("Window", o.Window)
	c.Count("MinCalls", o.MinCalls)
	c.Duration("CoolOff", o.CoolOff)
	c.Count("Probes", o.Probes)
	c.Namespace(o.Namespace)
	c.Policy("OnOpen", o.OnOpen, run.PolicySkip, run.PolicyFail)
	c.StorePolicy("OnStoreError", o.OnStoreError)
	return c.Problems()
}

// Shared is what must be the same wherever the options' Scope is used: all
// but the gates and the matcher, which belong to one type each.
func (o Options) Shared() any {
	o.If, o.Unless, o.CountIf = nil, nil, nil
	if o.FailureRate == 0 {
		o.Window, o.MinCalls = 0, 0
	}
	return o
}

// kept is how long the store remembers a circuit that nobody uses.
func (o Options) kept() time.Duration { return max(remembered, o.Window, o.CoolOff) }

// Settings are the layers of a type's circuit, merged: one resolver and the
// options. The zero value is a type that declares nothing.
type Settings = run.Settings[Options]
