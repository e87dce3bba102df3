package stores

import (
	"context"
	"time"
)

// Enter takes entries[from:] in order until the first refusal. See [Guards]
// for the contract.
//
// The error wraps ctx's cause when ctx has ended, or [ErrNoToken], or
// [ErrFrom]; this call has then taken nothing. What earlier calls took stays.
func (m *Memory) Enter(ctx context.Context, token Token, entries []Entry, from int) (Entered, error) {
	if err := m.beginFor(ctx, token); err != nil {
		return Entered{}, err
	}
	if from < 0 {
		return Entered{}, ErrFrom
	}
	entered := Entered{Verdict: VerdictEntered}
	for i := from; i < len(entries); i++ {
		if err := entries[i].check(); err != nil {
			entered = Entered{Verdict: VerdictError, At: i, Err: err}
			break
		}
	}
	for i := from; i < len(entries) && entered.Verdict == VerdictEntered; {
		if entries[i].Kind == KindRate {
			to := ratesFrom(entries, i)
			m.takeRates(token, entries, i, to, &entered)
			i = to
			continue
		}
		m.take(token, entries, i, &entered)
		i++
	}
	if entered.Verdict == VerdictRefused || entered.Verdict == VerdictError {
		m.giveBack(token, entries)
	}
	return entered, nil
}

// obstacle is what keeps an entry from being taken; the zero value is none.
type obstacle struct {
	refused bool
	state   string
	left    time.Duration // in whole milliseconds
	err     error         // the entry's own
}

// free tells whether there is no obstacle.
func (o *obstacle) free() bool { return o.err == nil && !o.refused }

// note writes down what was found at an entry, and tells whether to go on.
func (entered *Entered) note(i int, e *Entry, found obstacle) (goOn bool) {
	switch {
	case found.err != nil && e.StepOver:
		entered.SteppedOver = append(entered.SteppedOver, SteppedOver{At: i, Err: found.err})
		return true
	case found.err != nil:
		entered.Verdict, entered.At, entered.Err = VerdictError, i, found.err
		return false
	case !found.refused:
		return true
	}
	entered.Verdict, entered.At, entered.State, entered.RetryAfter = VerdictRefused, i, found.state, found.left
	if e.Kind == KindLock && e.Wait {
		entered.Verdict = VerdictWaiting
	}
	return false
}

// take takes one entry that is no rate and writes into entered what keeps it
// from going on.
func (m *Memory) take(token Token, entries []Entry, i int, entered *Entered) {
	e := &entries[i]
	s, now := m.lock(e.Key)
	var found obstacle
	switch e.Kind {
	case KindClaim:
		found = s.takeClaim(token, e, now)
	case KindLock:
		found = s.takeLock(token, e, now)
	case KindPlace:
		found = s.takePlace(token, e, now)
	case KindBreaker:
		found = s.askBreaker(token, e, now)
	}
	m.unlockWritten(s, now)
	entered.note(i, e, found)
}

// giveBack undoes what token holds of all entries after a refusal. What a
// rate has counted stays counted.
func (m *Memory) giveBack(token Token, entries []Entry) {
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Kind != KindRate {
			m.leave(token, &entries[i], PartRelease)
		}
	}
}

// Extend lets each entry that token still holds live for its TTL from now on.
// See [Guards] for the contract.
//
// The error wraps ctx's cause when ctx has ended, or [ErrNoToken]; nothing
// was changed then.
func (m *Memory) Extend(ctx context.Context, token Token, entries []Entry) ([]Answer, error) {
	if err := m.beginFor(ctx, token); err != nil {
		return nil, err
	}
	answers := make([]Answer, len(entries))
	for i := range entries {
		e := &entries[i]
		if err := e.check(); err != nil {
			answers[i] = Answer{Outcome: OutcomeError, Err: err}
			continue
		}
		answers[i] = m.extend(token, e)
	}
	return answers, nil
}

// extend extends one entry that has been checked.
func (m *Memory) extend(token Token, e *Entry) (answer Answer) {
	if e.Kind == KindRate || e.Kind == KindBreaker { // nothing is held
		return Answer{Outcome: OutcomeDone}
	}
	s, now := m.lock(e.Key)
	switch e.Kind {
	case KindClaim:
		answer = s.extendClaim(token, e, now)
	case KindLock:
		answer = s.extendLock(token, e, now)
	case KindPlace:
		answer = s.extendPlace(token, e, now)
	}
	m.unlockWritten(s, now)
	return answer
}

// Leave hands every entry its Part, in reverse order. See [Guards] for the
// contract.
//
// The error wraps ctx's cause when ctx has ended, or [ErrNoToken]; nothing
// was changed then.
func (m *Memory) Leave(ctx context.Context, token Token, entries []Entry) ([]Answer, error) {
	if err := m.beginFor(ctx, token); err != nil {
		return nil, err
	}
	answers := make([]Answer, len(entries))
	for i := len(entries) - 1; i >= 0; i-- {
		answers[i] = m.leave(token, &entries[i], entries[i].Part)
	}
	return answers, nil
}

// TakeBack gives back by token whatever earlier calls of Enter took, and takes
// counted calls out of their logs. Nothing can arrive later in one process, so
// when it returns all is done. The zero Token holds nothing, and nothing is
// done for it.
func (m *Memory) TakeBack(token Token, entries []Entry) {
	if m.beginFor(context.Background(), token) != nil {
		return
	}
	for i := len(entries) - 1; i >= 0; i-- {
		if e := &entries[i]; e.Kind == KindRate && e.checkRule() == nil {
			s, now := m.lock(e.Key)
			s.forgetCall(token, e, now)
			m.unlockWritten(s, now)
		}
	}
	m.giveBack(token, entries)
}

// leave does one part of one entry, whatever the entry's own part.
func (m *Memory) leave(token Token, e *Entry, part Part) (answer Answer) {
	if err := e.checkPart(part); err != nil {
		return Answer{Outcome: OutcomeError, Err: err}
	}
	if part == PartNone || e.Kind == KindRate {
		return Answer{Outcome: OutcomeDone}
	}
	s, now := m.lock(e.Key)
	switch e.Kind {
	case KindClaim:
		answer = s.leaveClaim(token, e, part, now)
	case KindLock:
		answer = s.leaveLock(token, e, now)
	case KindPlace:
		answer = s.leavePlace(token, e, now)
	case KindBreaker:
		answer = s.leaveBreaker(token, e, part, now)
	}
	m.unlockWritten(s, now)
	return answer
}

// beginFor refuses a call of the guards before it has touched anything.
func (m *Memory) beginFor(ctx context.Context, token Token) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	if token.IsZero() {
		return ErrNoToken
	}
	return nil
}
