package ratelimit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
)

// List is the limits of a task type, in the order in which they were written.
type List []Options

// Merge lays child over l: a list that says anything replaces the whole.
// Neither list changes.
func (l List) Merge(child List) List {
	if len(child) > 0 {
		return slices.Clone(child)
	}
	return l
}

// WithDefaults fills in what nobody said, in a list of the caller's own.
func (l List) WithDefaults() List {
	filled := slices.Clone(l)
	for i := range filled {
		filled[i] = filled[i].WithDefaults()
	}
	return filled
}

// WithDefaults fills in what was not said; nothing stands in for Limit and
// Per.
func (o Options) WithDefaults() Options {
	o.Pace = cmp.Or(o.Pace, DefaultPace)
	o.Namespace = cmp.Or(o.Namespace, DefaultNamespace)
	o.OnLimit = cmp.Or(o.OnLimit, DefaultOnLimit)
	o.If = run.OrGate(o.If, run.Always)
	o.Unless = run.OrGate(o.Unless, run.Never)
	o.OnStoreError = cmp.Or(o.OnStoreError, DefaultOnStoreError)
	return o
}

// Validate tells what is wrong with one limit as it was written.
func (o Options) Validate() []run.Problem {
	var c run.Checks
	if o.Limit <= 0 {
		c.Add("Limit is "+strconv.Itoa(o.Limit), "Write how many runs may pass within Per, such as cmdx.Rate{Limit: 10, Per: time.Second}.")
	}
	if o.Per < time.Millisecond {
		c.Add("Per is "+o.Per.String(), "Write the time in which Limit runs may pass, at least one millisecond.")
	}
	if o.Pace != 0 && o.Pace != stores.PaceWindow && o.Pace != stores.PaceSmooth {
		c.Add("Pace is unknown", "Write PaceWindow or PaceSmooth.")
	}
	c.Namespace(o.Namespace)
	c.Policy("OnLimit", o.OnLimit, run.PolicySkip, run.PolicyFail)
	c.StorePolicy("OnStoreError", o.OnStoreError)
	return c.Problems()
}

// Validate tells what is wrong with a list as it was written.
func (l List) Validate() []run.Problem {
	var problems []run.Problem
	for i, o := range l {
		problems = append(problems, o.Validate()...)
		for _, other := range l[:i] {
			if o.sharesInstant(other) {
				problems = append(problems, run.Problem{
					Text: fmt.Sprintf("two smooth limits per %s would share one key", o.Per),
					Fix:  "Keep the stricter one, or give one of the two a Scope or Namespace of its own.",
				})
			}
		}
	}
	return problems
}

// sharesInstant tells whether two smooth limits lie under one key.
func (o Options) sharesInstant(other Options) bool {
	a, b := o.WithDefaults(), other.WithDefaults()
	return a.Pace == stores.PaceSmooth && b.Pace == stores.PaceSmooth &&
		millis(a.Per) == millis(b.Per) && a.Namespace == b.Namespace && a.Scope == b.Scope
}

// Missing tells what nobody said in any layer although it is needed.
func (l List) Missing() []run.Problem {
	if len(l) > 0 {
		return nil
	}
	return []run.Problem{{
		Text: "neither the type nor a parent says a limit",
		Fix:  "Write at least one, such as cmdx.Rate{Limit: 10, Per: time.Second}.",
	}}
}

// Shared is what must be the same wherever a scope is used: its limits in an
// order that does not depend on how they were written, without their gates,
// which belong to one type each.
func (l List) Shared(namespace, scope string) any {
	var all []string
	for _, o := range l {
		if o.Namespace == namespace && o.Scope == scope {
			all = append(all, fmt.Sprintf("%d per %s, pace %d, policies %d and %d", o.Limit, o.Per, o.Pace, o.OnLimit, o.OnStoreError))
		}
	}
	slices.Sort(all)
	return fmt.Sprintf("%q", all)
}

// Settings are the layers of a type's limits, merged: one resolver and the
// list. The zero value is a type that declares nothing.
type Settings = run.Settings[List]
