package stores

import (
	"context"
	"errors"
	"slices"
	"time"
)

// voidLifetime is how long a run that was given up stays marked. It outlives
// every re-sending of a client whose command is still under way.
const voidLifetime = 2 * time.Minute

// ErrTakenBack says that an Enter arrived after its run had been given up.
var ErrTakenBack = errors.New("stores: the run was given up before its Enter arrived")

// Enter takes entries[from:] in one call, on a Cluster or Ring in one call
// per entry unless all keys have the same hash tag. See [Guards] for the
// contract.
//
// The error wraps ctx's cause when ctx has ended, [ErrAnswerLost] when the
// commands may have been executed, or [ErrNotSent] when they surely were not.
func (r *Redis) Enter(ctx context.Context, token Token, entries []Entry, from int) (Entered, error) {
	if err := r.beginFor(ctx, token); err != nil {
		return Entered{}, err
	}
	if from < 0 {
		return Entered{}, ErrFrom
	}
	for i := from; i < len(entries); i++ {
		if err := entries[i].check(); err != nil {
			r.release(ctx, token, entries)
			return Entered{Verdict: VerdictError, At: i, Err: err}, nil
		}
	}
	if !r.inOneStep(entries) {
		return r.enterApart(ctx, token, entries, from)
	}
	entered, err := r.enterTogether(ctx, token, entries, from, enterPart)
	if isCrossSlot(err) {
		r.apart.Store(true)
		return r.enterApart(ctx, token, entries, from)
	}
	return entered, err
}

// The part of an entry that is entered: nothing of its own, or of a rate that
// is asked only and does not count.
const (
	enterPart = ""
	askPart   = "ask"
)

// enterTogether asks by one script, which undoes what came before a refusal.
func (r *Redis) enterTogether(ctx context.Context, token Token, entries []Entry, from int, part string) (Entered, error) {
	if from >= len(entries) {
		return Entered{Verdict: VerdictEntered}, nil
	}
	for i := range from { // what lies before is only given back
		if entries[i].checkRule() != nil {
			return r.enterTogetherFrom(ctx, token, entries, from, part)
		}
	}
	keys, args := encode(entries, token.String(), from+1, func(*Entry) string { return part })
	reply, err := r.run(ctx, scriptFor(entering, entries), keys, args)
	if err != nil {
		return Entered{}, err
	}
	return readEntered(reply, entries, from)
}

// enterTogetherFrom is for entries before from that no script could be sent.
func (r *Redis) enterTogetherFrom(ctx context.Context, token Token, entries []Entry, from int, part string) (Entered, error) {
	entered, err := r.enterTogether(ctx, token, entries[from:], 0, part)
	if err != nil {
		return Entered{}, err
	}
	if entered.Verdict == VerdictRefused || entered.Verdict == VerdictError {
		r.release(ctx, token, entries[:from])
	}
	if entered.Verdict != VerdictEntered {
		entered.At += from
	}
	for i := range entered.SteppedOver {
		entered.SteppedOver[i].At += from
	}
	return entered, nil
}

// release gives back what token holds of the entries; what cannot be given
// back at once is left to the taking back.
func (r *Redis) release(ctx context.Context, token Token, entries []Entry) {
	var taken []Entry
	for _, e := range entries {
		if e.Kind != KindRate && e.checkPart(PartRelease) == nil {
			e.Part = PartRelease
			taken = append(taken, e)
		}
	}
	if len(taken) == 0 {
		return
	}
	if _, err := r.Leave(ctx, token, taken); err != nil {
		r.TakeBack(token, taken)
	}
}

// Extend renews in one call, on a Cluster or Ring in one call per entry. See
// [Guards] for the contract; the errors are those of Enter.
func (r *Redis) Extend(ctx context.Context, token Token, entries []Entry) ([]Answer, error) {
	if err := r.beginFor(ctx, token); err != nil {
		return nil, err
	}
	return r.change(ctx, token, entries, extending, (*Entry).check, func(*Entry) string { return "extend" })
}

// Leave hands every entry its part in one call, on a Cluster or Ring in one
// call per entry. A release that the client itself had to send again counts as
// done when it finds nothing. See [Guards] for the contract; the errors are
// those of Enter.
func (r *Redis) Leave(ctx context.Context, token Token, entries []Entry) ([]Answer, error) {
	if err := r.beginFor(ctx, token); err != nil {
		return nil, err
	}
	check := func(e *Entry) error { return e.checkPart(e.Part) }
	return r.change(ctx, token, entries, leaving, check, leavePart)
}

// leavePart names a part for the scripts; "" where there is nothing to do.
func leavePart(e *Entry) string {
	if e.Part == PartNone || e.Kind == KindRate && e.Part == PartRelease {
		return ""
	}
	return e.Part.String()
}

// TakeBack gives back behind the caller what an unanswered Enter may have
// taken: the run is marked as given up, so that an Enter which reaches the
// server later takes nothing. It is repeated until the server has answered, at
// the longest for the longest lifetime that was asked for.
func (r *Redis) TakeBack(token Token, entries []Entry) {
	if token.IsZero() {
		return
	}
	r.takeBack.add(token, entries)
}

// change runs a script that answers per entry. Entries that cannot be sent
// get their error, those without anything to do their answer at once; the
// others go together or apart.
func (r *Redis) change(ctx context.Context, token Token, entries []Entry, v verb, check func(*Entry) error, part func(*Entry) string) ([]Answer, error) {
	answers := make([]Answer, len(entries))
	sent := make([]int, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		if err := check(e); err != nil {
			answers[i] = Answer{Outcome: OutcomeError, Err: err}
			continue
		}
		if part(e) == "" || v == extending && (e.Kind == KindRate || e.Kind == KindBreaker) {
			answers[i] = Answer{Outcome: OutcomeDone}
			continue
		}
		sent = append(sent, i)
	}
	if len(sent) == 0 {
		return answers, nil
	}
	if some := chosen(entries, sent); r.inOneStep(some) {
		err := r.changeSome(ctx, token, some, sent, answers, v, part)
		if !isCrossSlot(err) {
			return answers, err
		}
		r.apart.Store(true)
	}
	if v == leaving { // in the orders of the scripts: parts are handed out the last one first
		slices.Reverse(sent)
	}
	for i, at := range sent {
		if err := r.changeSome(ctx, token, entries[at:at+1], sent[i:i+1], answers, v, part); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// chosen are the entries at these indexes, which ascend.
func chosen(entries []Entry, which []int) []Entry {
	if len(which) == len(entries) {
		return entries
	}
	some := make([]Entry, len(which))
	for i, at := range which {
		some[i] = entries[at]
	}
	return some
}

// changeSome sends some entries, whose places among the answers are which.
func (r *Redis) changeSome(ctx context.Context, token Token, some []Entry, which []int, answers []Answer, v verb, part func(*Entry) string) error {
	keys, args := encode(some, token.String(), 0, part)
	sent := &sending{text: args[0].(string)}
	args[0] = sent
	reply, err := r.run(ctx, scriptFor(v, some), keys, args)
	if err != nil {
		return err
	}
	outcomes, ok := reply.([]any)
	if !ok || len(outcomes) != len(which) {
		return errUnreadable(reply)
	}
	for i, at := range which {
		answers[at] = readOutcome(outcomes[i], some[i].Kind)
		if answers[at].Outcome == OutcomeLost && v == leaving && sent.repeated() && deletes(some[i].Part) {
			answers[at].Outcome = OutcomeDone
		}
	}
	return nil
}

// deletes tells whether a part leaves nothing by which a second sending could
// tell that the first one did it.
func deletes(p Part) bool { return p == PartRelease || p == PartTakeBack }
