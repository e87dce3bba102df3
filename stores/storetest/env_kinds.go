package storetest

import (
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// lock is a lock that lives for so many units.
func (e *Env) lock(key string, units float64) stores.Entry {
	return stores.Entry{Kind: stores.KindLock, Key: key, TTL: e.Units(units)}
}

// place is one of limit places that live for so many units.
func (e *Env) place(key string, units float64, limit int64) stores.Entry {
	return stores.Entry{Kind: stores.KindPlace, Key: key, TTL: e.Units(units), Limit: limit}
}

// rate lets limit calls pass in every window of so many units.
func (e *Env) rate(key string, limit int64, per float64) stores.Entry {
	rule := &stores.RateRule{Limit: limit, Per: e.Units(per), Pace: stores.PaceWindow}
	return stores.Entry{Kind: stores.KindRate, Key: key, TTL: rule.Per, Rate: rule}
}

// smooth lets limit calls pass in so many units, evenly.
func (e *Env) smooth(key string, limit int64, per float64) stores.Entry {
	entry := e.rate(key, limit, per)
	entry.Rate.Pace = stores.PaceSmooth
	return entry
}

// remembered keeps the calls of rates for so many units.
func (e *Env) remembered(units float64, rates ...stores.Entry) []stores.Entry {
	for i := range rates {
		rates[i].TTL = e.Units(units)
	}
	return rates
}

// The lengths of the circuits of cases, in units.
const (
	coolOff        = 4
	circuitForgets = 20
)

// circuit opens after so many failures in a row, for four units, and lets one
// probe pass at a time.
func (e *Env) circuit(key string, threshold int64) stores.Entry {
	return stores.Entry{
		Kind: stores.KindBreaker, Key: key, TTL: e.Units(circuitForgets),
		Breaker: &stores.BreakerRule{Threshold: threshold, CoolOff: e.Units(coolOff), Probes: 1},
	}
}

// share opens as soon as such a share of at least so many calls within a
// window failed.
func (e *Env) share(key string, rate float64, calls int64, window float64) stores.Entry {
	entry := e.circuit(key, 0)
	entry.Breaker.FailureRate, entry.Breaker.MinCalls, entry.Breaker.Window = rate, calls, e.Units(window)
	return entry
}

// wantRefusedFor enters and expects the entry at to refuse for so many units
// more. A rate always knows for how long, other kinds may say 0.
func (e *Env) wantRefusedFor(token stores.Token, at int, state string, left float64, entries ...stores.Entry) {
	got, ok := e.enter(token, 0, entries)
	if !ok {
		return
	}
	if got.Verdict != stores.VerdictRefused || got.At != at || got.State != state || got.Err != nil {
		e.Failf("Enter %s: got %s, want refused at %d with state %q", e.names(entries), describe(got), at, state)
		return
	}
	e.wantLeft(got, left, entries[at].Kind == stores.KindRate)
}

// wantWaiting enters from an index and expects the lock at to be awaited.
func (e *Env) wantWaiting(token stores.Token, from, at int, left float64, entries ...stores.Entry) {
	got, ok := e.enter(token, from, entries)
	if !ok {
		return
	}
	if got.Verdict != stores.VerdictWaiting || got.At != at || got.State != "" || got.Err != nil {
		e.Failf("Enter %s from %d: got %s, want waiting at %d", e.names(entries), from, describe(got), at)
		return
	}
	e.wantLeft(got, left, false)
}

// wantLeft expects RetryAfter to be so many units, in whole milliseconds.
func (e *Env) wantLeft(got stores.Entered, left float64, known bool) {
	switch latest := e.Units(left) + time.Millisecond; {
	case got.RetryAfter == 0 && !known:
	case got.RetryAfter < e.Units(left-0.5) || got.RetryAfter > latest || got.RetryAfter <= 0:
		e.Failf("got RetryAfter %s, want about %s", got.RetryAfter, e.Units(left))
	case got.RetryAfter%time.Millisecond != 0:
		e.Failf("got RetryAfter %s, want whole milliseconds", got.RetryAfter)
	}
}

// wantPassed enters an entry so many times, by a new run each.
func (e *Env) wantPassed(times int, entry stores.Entry) {
	for range times {
		e.wantEntered(stores.NewToken(), entry)
	}
}

// wantFree asks whether nothing lies under a key, whatever kind it is of.
func (e *Env) wantFree(key string) {
	e.wantSet(key, "x", stores.SetOptions{TTL: e.Units(10), NX: true}, true)
	e.wantDelete(key, true)
}

// wantTaken asks whether something lies under a key, whatever kind it is of.
func (e *Env) wantTaken(key string) {
	e.wantSet(key, "x", stores.SetOptions{TTL: e.Units(10), NX: true}, false)
}

// passed enters a circuit and returns the entry with its admission.
func (e *Env) passed(token stores.Token, entry stores.Entry) stores.Entry {
	entries := []stores.Entry{entry}
	if got, ok := e.enter(token, 0, entries); ok && got.Verdict != stores.VerdictEntered {
		e.Failf("Enter %s: got %s, want entered", e.names(entries), describe(got))
	}
	return entries[0]
}

// wantAdmitted enters a circuit and expects the call to pass in a state.
func (e *Env) wantAdmitted(token stores.Token, entry stores.Entry, state stores.BreakerState, changed bool) stores.Entry {
	entry = e.passed(token, entry)
	if got := entry.Admission; got.State != state || got.Changed != changed {
		e.Failf("Enter %s: admitted %+v, want state %s and changed %t", e.name(entry.Key), got, state, changed)
	}
	return entry
}

// wantTold tells a circuit how a call went, and expects an outcome and the
// state to which the circuit has changed by that.
func (e *Env) wantTold(token stores.Token, entry stores.Entry, part stores.Part, outcome stores.Outcome, changed stores.BreakerState) {
	entries := do(part, entry)
	answers, err := e.guards.Leave(e.ctx, token, entries)
	e.wantOutcomes("Leave "+e.names(entries), answers, err, []stores.Outcome{outcome})
	if len(answers) == 1 && answers[0].Breaker != changed {
		e.Failf("Leave %s: changed to %q, want %q", e.names(entries), answers[0].Breaker, changed)
	}
}

// run lets one call of a new run pass and tells how it went.
func (e *Env) run(entry stores.Entry, part stores.Part, changed stores.BreakerState) {
	token := stores.NewToken()
	e.wantTold(token, e.passed(token, entry), part, stores.OutcomeDone, changed)
}

// opened opens a circuit that has a threshold.
func (e *Env) opened(entry stores.Entry) {
	for i := range entry.Breaker.Threshold {
		changed := stores.BreakerState("")
		if i == entry.Breaker.Threshold-1 {
			changed = stores.BreakerOpen
		}
		e.run(entry, stores.PartFailure, changed)
	}
}

// wantReport reads a circuit and expects a report; of RetryAfter only that
// there is one.
func (e *Env) wantReport(entry stores.Entry, want stores.BreakerReport) {
	breakers, ok := e.Store.(stores.Breakers)
	if !ok {
		e.Failf("%T knows breakers and does not implement stores.Breakers", e.Store)
		return
	}
	got, err := breakers.InspectBreaker(e.ctx, entry)
	if e.failed("InspectBreaker", err) {
		return
	}
	if (got.RetryAfter > 0) != (want.RetryAfter > 0) || got.RetryAfter > want.RetryAfter+time.Millisecond ||
		got.RetryAfter < want.RetryAfter-e.Units(0.5) || got.RetryAfter%time.Millisecond != 0 {
		e.Failf("InspectBreaker %s: got RetryAfter %s, want about %s", e.name(entry.Key), got.RetryAfter, want.RetryAfter)
	}
	got.RetryAfter = want.RetryAfter
	if got != want {
		e.Failf("InspectBreaker %s: got %+v, want %+v", e.name(entry.Key), got, want)
	}
}

// wantReset resets a circuit and asks whether that closed it.
func (e *Env) wantReset(entry stores.Entry, closed bool) {
	breakers, ok := e.Store.(stores.Breakers)
	if !ok {
		e.Failf("%T knows breakers and does not implement stores.Breakers", e.Store)
		return
	}
	got, err := breakers.ResetBreaker(e.ctx, entry)
	if !e.failed("ResetBreaker", err) && got != closed {
		e.Failf("ResetBreaker %s: got closed %t, want %t", e.name(entry.Key), got, closed)
	}
}
