package stores

import (
	"context"
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
	for i := from; i < len(entries) && entered.Verdict == VerdictEntered; i++ {
		m.take(token, entries, i, &entered)
	}
	if entered.Verdict == VerdictRefused || entered.Verdict == VerdictError {
		m.TakeBack(token, entries)
	}
	return entered, nil
}

// take takes one entry and writes into entered what keeps it from going on.
func (m *Memory) take(token Token, entries []Entry, i int, entered *Entered) {
	e := &entries[i]
	s, now := m.lock(e.Key)
	state, left, err := s.claim(token, e, now)
	m.unlockWritten(s, now)
	switch {
	case err != nil && e.StepOver:
		entered.SteppedOver = append(entered.SteppedOver, SteppedOver{At: i, Err: err})
	case err != nil:
		entered.Verdict, entered.At, entered.Err = VerdictError, i, err
	case state != "":
		entered.Verdict, entered.At, entered.State, entered.RetryAfter = VerdictRefused, i, state, left
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
		s, now := m.lock(e.Key)
		answers[i] = s.extend(token, e, now)
		m.unlockWritten(s, now)
	}
	return answers, nil
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

// TakeBack releases by token whatever earlier calls of Enter took. Nothing
// can arrive later in one process, so when it returns all is done. The zero
// Token holds nothing, and nothing is done for it.
func (m *Memory) TakeBack(token Token, entries []Entry) {
	if m.beginFor(context.Background(), token) != nil {
		return
	}
	for i := len(entries) - 1; i >= 0; i-- {
		m.leave(token, &entries[i], PartRelease)
	}
}

// leave does one part of one entry, whatever the entry's own part.
func (m *Memory) leave(token Token, e *Entry, part Part) Answer {
	if err := e.checkPart(part); err != nil {
		return Answer{Outcome: OutcomeError, Err: err}
	}
	if part == PartNone {
		return Answer{Outcome: OutcomeDone}
	}
	s, now := m.lock(e.Key)
	answer := s.leave(token, e, part, now)
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
