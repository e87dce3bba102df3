package task

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/stores"
)

// hold is what a run's guards hold in the store. Everything in it is worked
// out once per run; nothing that Work changes can move the leaving to another
// key.
type hold struct {
	store   stores.Guards
	token   stores.Token
	guards  []run.Guard
	entries []stores.Entry
	open    []bool // by entry: stepped over, not held; nil for none
	// unanswered says that the run goes on although its Enter had no answer.
	unanswered bool
	since      time.Time
	taken      bool
	// heartbeat renews what its guard wants renewed; nil for nothing.
	heartbeat *heartbeat

	// room for a single guard, the usual case
	oneGuard [1]run.Guard
	oneEntry [1]stores.Entry
}

// enter lets the guards of a type work out their gates and keys, then takes
// all entries in one step.
func enter(guards []run.Guard) func(*execution, context.Context) {
	return func(e *execution, ctx context.Context) {
		if ctx.Err() != nil {
			e.decide(result.Refuse(context.Cause(ctx)))
			return
		}
		h := e.prepare(ctx, guards)
		if h == nil || e.halted {
			return
		}
		store, err := stores.AsGuards(e.runtime.store)
		if err != nil {
			e.storeFailed(h, err)
			return
		}
		h.store, h.token, h.since = store, stores.NewToken(), time.Now()
		e.hold = h
		e.ask(ctx, h)
	}
}

// prepare returns what the active guards want to hold; nil for nothing.
func (e *execution) prepare(ctx context.Context, guards []run.Guard) *hold {
	var h *hold
	for _, g := range guards {
		p, err := g.Prepare(ctx, e)
		switch {
		case err != nil:
			e.decide(result.Read(err, &e.Run).Outcome())
			return nil
		case p.Refusal != nil:
			e.refuse(*p.Refusal)
			return nil
		case !p.Active:
			continue
		}
		if h == nil {
			h = &hold{}
			h.guards, h.entries = h.oneGuard[:0], h.oneEntry[:0]
		}
		h.guards = append(h.guards, g)
		h.entries = append(h.entries, p.Entry)
	}
	return h
}

// resends is how often a call is sent again whose answer was lost: the token
// tells the store what it has already done.
const resends = 2

// ask sends the entries until there is an answer, and acts on it.
func (e *execution) ask(ctx context.Context, h *hold) {
	answered := false
	defer func() {
		if !answered { // no answer, or a store that panicked
			h.store.TakeBack(h.token, h.entries)
		}
	}()
	answer, err := h.enterOnce(ctx)
	sent := !errors.Is(err, stores.ErrNotSent)
	for i := 0; i < resends && errors.Is(err, stores.ErrAnswerLost) && ctx.Err() == nil; i++ {
		answer, err = h.enterOnce(ctx)
	}
	if err != nil {
		answered = !sent
		if ctx.Err() != nil { // the caller left; that is not the store's fault
			e.decide(result.Refuse(context.Cause(ctx)))
			return
		}
		if e.storeFailed(h, err) {
			// The run goes on, and leaves by token.
			answered, h.unanswered = true, sent
		}
		return
	}
	answered = true
	switch answer.Verdict {
	case stores.VerdictEntered:
		e.entered(h, answer)
	case stores.VerdictRefused:
		e.refuse(h.guards[answer.At].Refused(e, h.entries[answer.At], answer))
	case stores.VerdictError:
		e.refuseStore(h, answer.At, answer.Err)
	default:
		answered = false
		e.storeFailed(h, fmt.Errorf("stores: %T answered Enter with the unknown verdict %d", h.store, answer.Verdict))
	}
}

// enterOnce takes a store that panics for one that does not answer.
func (h *hold) enterOnce(ctx context.Context) (answer stores.Entered, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = result.Recovered(p, debug.Stack())
		}
	}()
	return h.store.Enter(ctx, h.token, h.entries, 0)
}

// entered marks what is held before any event tells of it, so that whatever
// happens in a subscriber is cleaned up after.
func (e *execution) entered(h *hold, answer stores.Entered) {
	h.taken = true
	for _, over := range answer.SteppedOver {
		if h.open == nil {
			h.open = make([]bool, len(h.entries))
		}
		h.open[over.At] = true
		e.stepOver(h.guards[over.At], h.entries[over.At], over.Err)
	}
	for i, g := range h.guards {
		if h.holds(i) {
			g.Entered(e, h.entries[i])
		}
	}
}

func (h *hold) holds(i int) bool { return h.open == nil || !h.open[i] }

// storeFailed is for a store without an answer: closed if any entry is. It
// tells whether the run goes on; what the store may have taken all the same
// is then left by token like any other.
func (e *execution) storeFailed(h *hold, err error) (goesOn bool) {
	for i, g := range h.guards {
		if g.Traits().OnStoreError == run.FailClosed {
			e.refuseStore(h, i, err)
			return false
		}
	}
	h.open = make([]bool, len(h.entries))
	h.taken = h.store != nil
	for i, g := range h.guards {
		h.open[i] = true
		e.stepOver(g, h.entries[i], err)
	}
	return true
}

func (e *execution) refuseStore(h *hold, at int, err error) {
	traits, entry := h.guards[at].Traits(), h.entries[at]
	e.tellStoreFailure(traits, entry, err, "fail_closed")
	e.decide(result.Outcome{
		Status: result.StatusFailed, Cause: err,
		Reason:   "the store cannot tell whether the " + traits.Holds + " is free: " + result.Text(err),
		Metadata: result.Metadata{"code": run.CodeStoreUnavailable, traits.KeyName: entry.Key},
	})
}

func (e *execution) stepOver(g run.Guard, entry stores.Entry, err error) {
	e.tellStoreFailure(g.Traits(), entry, err, "fail_open")
}

func (e *execution) tellStoreFailure(traits run.Traits, entry stores.Entry, err error, policy string) {
	if logger := e.Log(); logger != nil {
		logger.Warn("cmdx: the store failed before Work", "task", e.TaskName(), traits.KeyName, entry.Key, "policy", policy, "error", err)
	}
	if e.Wants(traits.StoreFailed) {
		e.Emit(traits.StoreFailed, map[string]any{
			"code": run.CodeStoreUnavailable, traits.KeyName: entry.Key, "error": err, "policy": policy,
		})
	}
}

// refuse ends the run as a guard says.
func (e *execution) refuse(r run.Refusal) {
	status := result.StatusFailed
	if r.Policy == run.PolicySkip {
		status = result.StatusSkipped
	}
	e.decide(result.Outcome{Status: status, Reason: r.Reason, Metadata: r.Metadata})
}

// leaseLost tells, by the heartbeat and the local clock, whether anything held
// has ended.
func (e *execution) leaseLost() error {
	h := e.hold
	if h == nil || !h.taken {
		return nil
	}
	renewed := h.since
	if h.heartbeat != nil {
		var lost error
		if renewed, lost = h.heartbeat.lastRenewal(); lost != nil {
			return lost
		}
	}
	for i, entry := range h.entries {
		traits, since := h.guards[i].Traits(), h.since
		if traits.Renew {
			since = renewed
		}
		if h.holds(i) && time.Since(since) >= entry.TTL {
			return &result.LeaseLostError{Feature: traits.Holds, Key: entry.Key}
		}
	}
	return nil
}
