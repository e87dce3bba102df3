package task

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/stores"
)

const (
	// leaveTries and leaveWindow bound how hard a leaving is tried: a success
	// that is not marked may be run again, so once is not enough.
	leaveTries  = 3
	leaveWindow = time.Second
	leavePause  = leaveWindow / 4
)

// leave hands every entry its part. It does nothing when nothing is held;
// an unsettled hold is left by whoever calls it first.
func (e *execution) leave() {
	h := e.hold.Load()
	if h == nil || h.held == 0 {
		return
	}
	h.ending = e.ending(h)
	for i, g := range h.guards[:h.held] {
		entry := &h.entries[i]
		entry.Part = g.Part(e, entry, h.ending) // user code; what is held is still marked as such
	}
	h.left, h.held = h.held, 0
	h.heartbeat.end()
	e.postpone(h)
	e.leaveWith(h, nil)
}

// leaveWith leaves, and tells the guards what became of it: those of only,
// else all that are not postponed.
func (e *execution) leaveWith(h *hold, only []bool) {
	entries := h.entries[:h.left]
	if !slices.ContainsFunc(entries, func(entry stores.Entry) bool { return entry.Part != stores.PartNone }) {
		h.unlock() // rates and neutral calls of closed circuits have nothing to say
		return
	}
	answers := e.leaveStore(h, entries)
	h.unlock()
	for i := len(entries) - 1; i >= 0; i-- {
		if (only != nil && !only[i]) || h.postponed(i) {
			continue
		}
		// What was stepped over may never have been held: then a loss is none.
		if h.holds(i) || answers[i].Outcome != stores.OutcomeLost {
			h.guards[i].Left(e, &entries[i], answers[i])
		}
	}
	if h.unanswered {
		h.takeBackUndone(entries, answers)
	}
}

// unlock tells nested runs that the locks are gone, unless one is postponed.
func (h *hold) unlock() { h.locked.Store(h.later != nil) }

// takeBackUndone is for an Enter that had no answer: one that reaches the
// store only now would hold what nobody leaves any more. What it counts is
// right, since the run has passed.
func (h *hold) takeBackUndone(entries []stores.Entry, answers []stores.Answer) {
	var undone []stores.Entry
	for i, a := range answers {
		if a.Outcome != stores.OutcomeDone && entries[i].Kind != stores.KindRate && !h.holds(i) {
			undone = append(undone, entries[i])
		}
	}
	if undone != nil {
		h.store.TakeBack(h.token, undone)
	}
}

// ending tells guards how the run ends as things stand.
func (e *execution) ending(h *hold) run.Ending {
	switch {
	case e.succeeded():
		return run.Ending{Succeeded: true, Call: run.CallSuccess}
	case h.failed != nil && !e.exiting:
		return run.Ending{Call: run.CallFailure, Err: h.failed}
	}
	return run.Ending{}
}

// leaveStore tries the leaving until every entry has an answer.
func (e *execution) leaveStore(h *hold, entries []stores.Entry) []stores.Answer {
	ctx := newCleanup(e.carrier.Context)
	defer ctx.end()
	giveUp := time.Now().Add(leaveWindow)
	mayBeDone := false
	for try := 1; ; try++ {
		answers, err := leaveOnce(ctx, h, entries)
		if err == nil && len(answers) == len(entries) {
			if mayBeDone {
				acceptOwnRelease(entries, answers)
			}
			if !anyError(answers) || try == leaveTries {
				return answers
			}
		} else if try == leaveTries || !time.Now().Before(giveUp) {
			return allErrors(len(entries), err)
		}
		mayBeDone = mayBeDone || errors.Is(err, stores.ErrAnswerLost)
		if pause(ctx, leavePause) != nil {
			return allErrors(len(entries), errors.Join(err, ctx.Err()))
		}
	}
}

// leaveOnce does not let a panic of a store hide the outcome of Work.
func leaveOnce(ctx context.Context, h *hold, entries []stores.Entry) (answers []stores.Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = result.Recovered(p, nil)
		}
	}()
	return h.store.Leave(ctx, h.token, entries)
}

// acceptOwnRelease: after a lost answer the key that a release, or a taking
// back, no longer finds is most likely the one that it has just deleted.
func acceptOwnRelease(entries []stores.Entry, answers []stores.Answer) {
	for i := range answers {
		if (entries[i].Part == stores.PartRelease || entries[i].Part == stores.PartTakeBack) && answers[i].Outcome == stores.OutcomeLost {
			answers[i].Outcome = stores.OutcomeDone
		}
	}
}

func anyError(answers []stores.Answer) bool {
	for _, a := range answers {
		if a.Outcome == stores.OutcomeError {
			return true
		}
	}
	return false
}

func allErrors(n int, err error) []stores.Answer {
	if err == nil {
		err = errors.New("stores: Leave did not answer for every entry")
	}
	answers := make([]stores.Answer, n)
	for i := range answers {
		answers[i] = stores.Answer{Outcome: stores.OutcomeError, Err: err}
	}
	return answers
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
