package stores

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// voidLifetime is how long a run that was given up stays marked. It outlives
// every re-sending of a client whose command is still under way.
const voidLifetime = 2 * time.Minute

// ErrTakenBack says that a claim arrived after its run had been given up.
var ErrTakenBack = errors.New("stores: the run was given up before its claim arrived")

// Enter takes entries[from:] in one call, on a Cluster or Ring in one call
// per entry. See [Guards] for the contract.
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
	if len(entries) > 1 && r.apart.Load() {
		return r.enterApart(ctx, token, entries, from)
	}
	entered, err := r.enterTogether(ctx, token, entries, from)
	if isCrossSlot(err) {
		r.apart.Store(true)
		return r.enterApart(ctx, token, entries, from)
	}
	return entered, err
}

func (r *Redis) enterTogether(ctx context.Context, token Token, entries []Entry, from int) (Entered, error) {
	if from >= len(entries) {
		return Entered{Verdict: VerdictEntered}, nil
	}
	keys, args := r.encode(token, entries, withoutPart, strconv.Itoa(from+1))
	reply, err := r.run(ctx, enterScript, keys, args)
	if err != nil {
		return Entered{}, err
	}
	return readEntered(reply)
}

// enterApart asks for one entry at a time and undoes what came before a
// refusal.
func (r *Redis) enterApart(ctx context.Context, token Token, entries []Entry, from int) (Entered, error) {
	entered := Entered{Verdict: VerdictEntered}
	for i := from; i < len(entries); i++ {
		one, err := r.enterTogether(ctx, token, entries[i:i+1], 0)
		if err != nil {
			return Entered{}, err
		}
		for range one.SteppedOver {
			entered.SteppedOver = append(entered.SteppedOver, SteppedOver{At: i, Err: one.SteppedOver[0].Err})
		}
		if one.Verdict != VerdictEntered {
			r.release(ctx, token, entries)
			one.At, one.SteppedOver = i, entered.SteppedOver
			return one, nil
		}
	}
	return entered, nil
}

// release gives back what token holds of the entries; what cannot be given
// back at once is left to the taking back.
func (r *Redis) release(ctx context.Context, token Token, entries []Entry) {
	var taken []Entry
	for _, e := range entries {
		if e.checkPart(PartRelease) == nil {
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
	return r.change(ctx, token, entries, extendScript, (*Entry).check, withoutPart)
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
	return r.change(ctx, token, entries, leaveScript, check, func(e *Entry) string { return e.Part.String() })
}

// TakeBack gives back behind the caller what an unanswered Enter may have
// taken: the run is marked as given up, so that a claim which reaches the
// server later is refused. It is repeated until the server has answered, at
// the longest for the longest lifetime that was asked for.
func (r *Redis) TakeBack(token Token, entries []Entry) {
	if token.IsZero() {
		return
	}
	r.takeBack.add(token, entries)
}

// change runs a script that answers per entry. Entries that cannot be sent
// get their error; the others go together or apart.
func (r *Redis) change(ctx context.Context, token Token, entries []Entry, s script, check func(*Entry) error, part func(*Entry) string) ([]Answer, error) {
	answers := make([]Answer, len(entries))
	sent := make([]int, 0, len(entries))
	for i := range entries {
		if err := check(&entries[i]); err != nil {
			answers[i] = Answer{Outcome: OutcomeError, Err: err}
			continue
		}
		sent = append(sent, i)
	}
	if len(sent) == 0 {
		return answers, nil
	}
	if len(sent) == 1 || !r.apart.Load() {
		err := r.changeSome(ctx, token, entries, sent, answers, s, part)
		if !isCrossSlot(err) {
			return answers, err
		}
		r.apart.Store(true)
	}
	if s != extendScript { // in the orders of the scripts: parts are handed out the last one first
		slices.Reverse(sent)
	}
	for i := range sent {
		if err := r.changeSome(ctx, token, entries, sent[i:i+1], answers, s, part); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func (r *Redis) changeSome(ctx context.Context, token Token, entries []Entry, which []int, answers []Answer, s script, part func(*Entry) string) error {
	some := entries
	if len(which) != len(entries) {
		some = make([]Entry, len(which))
		for i, at := range which {
			some[i] = entries[at]
		}
	}
	keys, args := r.encode(token, some, part)
	sent := &sending{text: token.String()}
	args[0] = sent
	reply, err := r.run(ctx, s, keys, args)
	if err != nil {
		return err
	}
	outcomes, ok := reply.([]any)
	if !ok || len(outcomes) != len(which) {
		return errUnreadable(reply)
	}
	for i, at := range which {
		answers[at] = readOutcome(outcomes[i])
		if answers[at].Outcome == OutcomeLost && s == leaveScript && sent.repeated() && deletes(entries[at].Part) {
			answers[at].Outcome = OutcomeDone
		}
	}
	return nil
}

// deletes tells whether a part leaves nothing by which a second sending could
// tell that the first one did it.
func deletes(p Part) bool { return p == PartRelease || p == PartTakeBack }

// withoutPart is for calls that no entry's part is meant for: a completion's
// would give them its lifetime.
func withoutPart(*Entry) string { return PartNone.String() }

// encode lays entries out as the scripts take them.
func (r *Redis) encode(token Token, entries []Entry, part func(*Entry) string, before ...string) (keys []string, args []any) {
	keys = make([]string, 0, 3*len(entries))
	args = make([]any, 0, 1+len(before)+4*len(entries))
	args = append(args, token.String())
	for _, b := range before {
		args = append(args, b)
	}
	for i := range entries {
		e := &entries[i]
		owner, void := sideKeys(e.Key, token)
		keys = append(keys, e.Key, owner, void)
		name, lifetime := part(e), e.TTL
		switch name {
		case "complete":
			lifetime = e.Keep
		case "void":
			lifetime = voidLifetime
		}
		stepOver := "0"
		if e.StepOver {
			stepOver = "1"
		}
		args = append(args, e.Kind.String(), milliseconds(lifetime), name, stepOver)
	}
	return keys, args
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(wholeMilliseconds(d), 10) }

func readEntered(reply any) (Entered, error) {
	list, ok := reply.([]any)
	if !ok || len(list) < 5 {
		return Entered{}, errUnreadable(reply)
	}
	verdict, _ := list[0].(string)
	at, _ := list[1].(int64)
	state, _ := list[2].(string)
	left, _ := list[3].(int64)
	text, _ := list[4].(string)
	var stepped []SteppedOver
	for i := 5; i+1 < len(list); i += 2 {
		index, _ := list[i].(int64)
		reason, _ := list[i+1].(string)
		stepped = append(stepped, SteppedOver{At: int(index) - 1, Err: entryError(reason)})
	}
	switch verdict {
	case "entered":
		return Entered{Verdict: VerdictEntered, SteppedOver: stepped}, nil
	case "refused":
		return Entered{
			Verdict: VerdictRefused, At: int(at) - 1, State: state,
			RetryAfter: time.Duration(max(left, 0)) * time.Millisecond, SteppedOver: stepped,
		}, nil
	case "error":
		return Entered{Verdict: VerdictError, At: int(at) - 1, Err: entryError(text), SteppedOver: stepped}, nil
	}
	return Entered{}, errUnreadable(reply)
}

func readOutcome(v any) Answer {
	text, _ := v.(string)
	switch {
	case text == "done":
		return Answer{Outcome: OutcomeDone}
	case text == "lost":
		return Answer{Outcome: OutcomeLost}
	}
	return Answer{Outcome: OutcomeError, Err: entryError(strings.TrimPrefix(text, "error "))}
}

// entryError is the error of one entry, by the text that a script gave.
func entryError(text string) error {
	switch {
	case strings.Contains(text, "CMDX-VOID"):
		return ErrTakenBack
	case strings.Contains(text, "CMDX-FOREIGN"):
		return ErrForeignValue
	}
	return fmt.Errorf("stores: redis: %s", text)
}

func errUnreadable(reply any) error {
	return fmt.Errorf("stores: redis gave an answer of type %T that no script of this version gives", reply)
}
