package storetest

import (
	"fmt"
	"slices"

	"github.com/cmdx-go/cmdx/stores"
)

// claim is an entry whose lifetime under way is so many units, and ten times
// that when completed.
func (e *Env) claim(key string, units float64) stores.Entry {
	return stores.Entry{Kind: stores.KindClaim, Key: key, TTL: e.Units(units), Keep: e.Units(10 * units)}
}

// do returns copies of entries that all have the same part.
func do(part stores.Part, entries ...stores.Entry) []stores.Entry {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Part = part
	}
	return entries
}

func (e *Env) enter(token stores.Token, from int, entries []stores.Entry) (stores.Entered, bool) {
	got, err := e.guards.Enter(e.ctx, token, entries, from)
	return got, !e.failed("Enter", err)
}

// wantEntered enters all entries and expects no obstacle.
func (e *Env) wantEntered(token stores.Token, entries ...stores.Entry) {
	if got, ok := e.enter(token, 0, entries); ok && (got.Verdict != stores.VerdictEntered || got.SteppedOver != nil) {
		e.Failf("Enter %s: got %s, want entered", e.names(entries), describe(got))
	}
}

// wantRefused enters and expects the entry at to refuse with state.
func (e *Env) wantRefused(token stores.Token, at int, state string, entries ...stores.Entry) {
	e.wantRefusedFrom(token, 0, at, state, entries...)
}

func (e *Env) wantRefusedFrom(token stores.Token, from, at int, state string, entries ...stores.Entry) {
	got, ok := e.enter(token, from, entries)
	if ok && (got.Verdict != stores.VerdictRefused || got.At != at || got.State != state || got.Err != nil) {
		e.Failf("Enter %s from %d: got %s, want refused at %d with state %q", e.names(entries), from, describe(got), at, state)
	}
}

// wantEntryError enters and expects the entry at to fail with target.
func (e *Env) wantEntryError(token stores.Token, at int, target error, entries ...stores.Entry) {
	got, ok := e.enter(token, 0, entries)
	if !ok {
		return
	}
	if got.Verdict != stores.VerdictError || got.At != at {
		e.Failf("Enter %s: got %s, want an error at %d", e.names(entries), describe(got), at)
	}
	if target != nil {
		e.wantError("Enter", got.Err, target)
	} else if got.Err == nil {
		e.Failf("Enter %s: VerdictError without Err", e.names(entries))
	}
}

// wantLeave leaves and expects these outcomes in the order of entries.
func (e *Env) wantLeave(token stores.Token, entries []stores.Entry, outcomes ...stores.Outcome) {
	got, err := e.guards.Leave(e.ctx, token, entries)
	e.wantOutcomes("Leave "+e.names(entries), got, err, outcomes)
}

// wantExtend extends and expects these outcomes in the order of entries.
func (e *Env) wantExtend(token stores.Token, entries []stores.Entry, outcomes ...stores.Outcome) {
	got, err := e.guards.Extend(e.ctx, token, entries)
	e.wantOutcomes("Extend "+e.names(entries), got, err, outcomes)
}

func (e *Env) wantOutcomes(what string, got []stores.Answer, err error, outcomes []stores.Outcome) {
	if e.failed(what, err) {
		return
	}
	if len(got) != len(outcomes) {
		e.Failf("%s: got %d answers, want %d", what, len(got), len(outcomes))
		return
	}
	for i, answer := range got {
		if answer.Outcome != outcomes[i] || (answer.Err != nil) != (outcomes[i] == stores.OutcomeError) {
			e.Failf("%s: answer %d is %s (%v), want %s", what, i, answer.Outcome, answer.Err, outcomes[i])
		}
	}
}

// takeBack takes back and waits until it is done.
func (e *Env) takeBack(token stores.Token, entries ...stores.Entry) {
	e.guards.TakeBack(token, entries)
	e.settle()
}

// wantHolder finds out whether token holds a claim under way, by completing
// it; the claim is completed afterwards.
func (e *Env) wantHolder(token stores.Token, entry stores.Entry) {
	e.wantValue(entry.Key, stores.ValueProcessing)
	e.wantLeave(token, do(stores.PartComplete, entry), stores.OutcomeDone)
	e.wantValue(entry.Key, stores.ValueCompleted)
}

func (e *Env) names(entries []stores.Entry) string {
	var all []string
	for _, entry := range entries {
		text := e.name(entry.Key)
		if entry.Part != stores.PartNone {
			text += " (" + entry.Part.String() + ")"
		}
		all = append(all, text)
	}
	return fmt.Sprint(all)
}

func describe(got stores.Entered) string {
	return fmt.Sprintf("%s at %d, state %q, error %v, stepped over %v", got.Verdict, got.At, got.State, got.Err, got.SteppedOver)
}
