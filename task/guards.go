package task

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/cmdx-go/cmdx/internal/messages"
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
	guards  []run.Guard // by entry
	entries []stores.Entry
	open    []bool // by entry: stepped over, not held; nil for none
	// held is how many entries, from the first, are held.
	held int
	// failed is the raised error that left the retry loop, where it says
	// something about what Work called.
	failed error
	// unanswered says that the run goes on although its Enter had no answer.
	unanswered bool
	// since is when the entries were taken, sinces when each of them was
	// where a lock was waited for.
	since  time.Time
	sinces []time.Time
	wait   *wait // for a lock that somebody else holds; nil when there is none
	// heartbeat renews what its guard wants renewed; nil for nothing.
	heartbeat *heartbeat
	// locked is true while nested runs must know of this one's locks; they
	// may run on other goroutines.
	locked atomic.Bool
	settlement
}

// Holds with room for their entries: for a single one, the usual case, for
// three, and for as many as a task with one of each guard has.
type (
	narrowHold struct {
		hold
		guards  [1]run.Guard
		entries [1]stores.Entry
	}
	middleHold struct {
		hold
		guards  [3]run.Guard
		entries [3]stores.Entry
	}
	wideHold struct {
		hold
		guards  [5]run.Guard
		entries [5]stores.Entry
	}
)

func newHold(most int) *hold {
	switch {
	case most == 1:
		h := &narrowHold{}
		h.hold.guards, h.hold.entries = h.guards[:0], h.entries[:0]
		return &h.hold
	case most <= 3:
		h := &middleHold{}
		h.hold.guards, h.hold.entries = h.guards[:0], h.entries[:0]
		return &h.hold
	case most <= 5:
		h := &wideHold{}
		h.hold.guards, h.hold.entries = h.guards[:0], h.entries[:0]
		return &h.hold
	}
	return &hold{guards: make([]run.Guard, 0, most), entries: make([]stores.Entry, 0, most)}
}

// enter lets the guards of a type work out their gates and keys, then takes
// all entries in one step.
func enter(guards []run.Guard) func(*execution, context.Context) {
	most := 0
	for _, g := range guards {
		most += g.Traits().Most
	}
	return func(e *execution, ctx context.Context) {
		if ctx.Err() != nil {
			e.decide(result.Refuse(context.Cause(ctx)))
			return
		}
		h := newHold(most)
		if !e.prepare(ctx, h, guards) {
			return
		}
		store, err := stores.AsGuards(e.runtime.store)
		if err != nil {
			e.storeFailed(h, 0, err)
			return
		}
		h.store, h.token, h.since = store, stores.NewToken(), time.Now()
		e.hold.Store(h)
		e.ask(ctx, h)
	}
}

// prepare fills in what the active guards want to hold, and tells whether
// there is anything to enter.
func (e *execution) prepare(ctx context.Context, h *hold, guards []run.Guard) bool {
	for _, g := range guards {
		entries, refusal, err := g.Prepare(ctx, e, h.entries)
		switch {
		case err != nil:
			e.decide(result.Read(err, &e.Run).Outcome())
			return false
		case refusal != nil:
			e.refuse(*refusal)
			return false
		}
		h.entries = entries
		for len(h.guards) < len(entries) {
			h.guards = append(h.guards, g)
		}
	}
	return len(h.entries) > 0
}

// ask enters until the store has taken the entries or refused them; while it
// has the run wait for a lock, what lies before the lock stays held.
func (e *execution) ask(ctx context.Context, h *hold) {
	defer func() { h.endWait() }()
	for from, asked := 0, h.since; ; asked = time.Now() {
		answer, answered := e.askFrom(ctx, h, from)
		if !answered {
			return
		}
		switch answer.Verdict {
		case stores.VerdictEntered:
			e.took(h, from, len(h.entries), asked, answer)
			if lost := h.endWait(); lost != nil {
				e.decide(result.Refuse(lost))
			}
			return
		case stores.VerdictWaiting:
			e.took(h, from, answer.At, asked, answer)
			from = answer.At
			if ended := h.awaitTurn(ctx, from, answer.RetryAfter); ended != nil {
				e.decide(result.Refuse(ended)) // what is held is given back as at every end
				return
			}
		default:
			e.undone(h, from, answer)
			return
		}
	}
}

// resends is how often a call is sent again whose answer was lost: the token
// tells the store what it has already done.
const resends = 2

// askFrom sends entries[from:] until there is an answer. Without one it has
// decided the run, or steps over those entries.
func (e *execution) askFrom(ctx context.Context, h *hold, from int) (answer stores.Entered, answered bool) {
	settled := false
	defer func() {
		if !settled { // no answer, or a store that panicked
			h.store.TakeBack(h.token, h.entries[from:])
		}
	}()
	answer, err := h.enterOnce(ctx, from)
	sent := !errors.Is(err, stores.ErrNotSent)
	for i := 0; i < resends && errors.Is(err, stores.ErrAnswerLost) && ctx.Err() == nil; i++ {
		answer, err = h.enterOnce(ctx, from)
	}
	if err == nil {
		err = h.makesSense(answer, from)
	}
	switch {
	case err == nil:
		settled = true
		return answer, true
	case ctx.Err() != nil: // the caller left; that is not the store's fault
		settled = !sent
		e.decide(result.Refuse(context.Cause(ctx)))
		return answer, false
	}
	settled = !sent
	if e.storeFailed(h, from, err) {
		// The run goes on, and leaves by token.
		settled, h.unanswered = true, sent
	}
	return answer, false
}

// enterOnce takes a store that panics for one that does not answer.
func (h *hold) enterOnce(ctx context.Context, from int) (answer stores.Entered, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = result.Recovered(p, debug.Stack())
		}
	}()
	return h.store.Enter(ctx, h.token, h.entries, from)
}

// makesSense refuses answers that no store may give.
func (h *hold) makesSense(answer stores.Entered, from int) error {
	switch answer.Verdict {
	case stores.VerdictEntered:
		return nil
	case stores.VerdictRefused, stores.VerdictError, stores.VerdictWaiting:
		if answer.At < from || answer.At >= len(h.entries) {
			return fmt.Errorf("stores: %T answered Enter of entries %d to %d for entry %d", h.store, from, len(h.entries)-1, answer.At)
		}
		if answer.Verdict == stores.VerdictWaiting && !h.entries[answer.At].Wait {
			return fmt.Errorf("stores: %T lets a %s wait that must not", h.store, h.entries[answer.At].Kind)
		}
		return nil
	}
	return fmt.Errorf("stores: %T answered Enter with the unknown verdict %d", h.store, answer.Verdict)
}

// took marks what is held, entries[from:to], before any event tells of it, so
// that whatever happens in a subscriber is cleaned up after.
func (e *execution) took(h *hold, from, to int, asked time.Time, answer stores.Entered) {
	h.held = to
	h.stepped(answer)
	if answer.Verdict == stores.VerdictWaiting && h.sinces == nil {
		h.sinces = make([]time.Time, len(h.entries))
	}
	if h.sinces != nil {
		for i := from; i < to; i++ {
			h.sinces[i] = asked
		}
	}
	if to == len(h.entries) {
		h.locked.Store(true)
	}
	e.witness(h, from, answer)
	for i := from; i < to; i++ {
		if h.holds(i) {
			h.guards[i].Entered(e, &h.entries[i])
		}
	}
}

func (h *hold) stepped(answer stores.Entered) {
	for _, over := range answer.SteppedOver {
		if h.open == nil {
			h.open = make([]bool, len(h.entries))
		}
		h.open[over.At] = true
	}
}

// witness tells what the store's answer says beside its verdict.
func (e *execution) witness(h *hold, from int, answer stores.Entered) {
	for _, over := range answer.SteppedOver {
		e.stepOver(h.guards[over.At], &h.entries[over.At], over.Err)
	}
	for i := from; i < len(h.guards); i++ {
		if w, ok := h.guards[i].(run.Witness); ok {
			w.Answered(e, &h.entries[i])
		}
	}
}

// undone ends a run whose entries the store has given back.
func (e *execution) undone(h *hold, from int, answer stores.Entered) {
	h.held = 0
	h.stepped(answer)
	e.witness(h, from, answer)
	if at := answer.At; answer.Verdict == stores.VerdictRefused {
		e.refuse(h.guards[at].Refused(e, &h.entries[at], answer))
	} else {
		e.refuseStore(h, at, answer.Err)
	}
	for i := from - 1; i >= 0; i-- { // held while a lock was waited for
		if h.holds(i) {
			h.entries[i].Part = stores.PartRelease
			h.guards[i].Left(e, &h.entries[i], stores.Answer{Outcome: stores.OutcomeDone})
		}
	}
}

func (h *hold) holds(i int) bool { return h.open == nil || !h.open[i] }

// storeFailed is for a store without an answer about entries[from:]: closed
// if any of them is. It tells whether the run goes on; what the store may have
// taken all the same is then left by token like any other.
func (e *execution) storeFailed(h *hold, from int, err error) (goesOn bool) {
	for i := from; i < len(h.entries); i++ {
		if !h.entries[i].StepOver {
			e.refuseStore(h, i, err)
			return false
		}
	}
	if h.open == nil {
		h.open = make([]bool, len(h.entries))
	}
	for i := from; i < len(h.entries); i++ {
		h.open[i] = true
	}
	if h.store != nil {
		h.held = len(h.entries)
	}
	for i := from; i < len(h.entries); i++ {
		e.stepOver(h.guards[i], &h.entries[i], err)
	}
	return true
}

func (e *execution) refuseStore(h *hold, at int, err error) {
	traits, entry := h.guards[at].Traits(), &h.entries[at]
	e.tellStoreFailure(traits, entry, err, "fail_closed")
	e.decide(result.Outcome{
		Status: result.StatusFailed, Cause: err,
		Reason: e.Say(messages.Of(messages.KeyStoreUnavailable,
			messages.Said("asks", messages.Asks(traits.Step, traits.Asks)), messages.Given("error", result.Text(err)))),
		Metadata: result.Metadata{"code": run.CodeStoreUnavailable, traits.KeyName: entry.Key},
	})
}

func (e *execution) stepOver(g run.Guard, entry *stores.Entry, err error) {
	e.tellStoreFailure(g.Traits(), entry, err, "fail_open")
}

func (e *execution) tellStoreFailure(traits *run.Traits, entry *stores.Entry, err error, policy string) {
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
