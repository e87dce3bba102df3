package stores

import "context"

// InspectBreaker reads a circuit from the master and changes nothing. See
// [Breakers]; the errors are those of [Redis.Enter], and the entry's own, such
// as [ErrForeignValue] or a [*RuleError].
func (r *Redis) InspectBreaker(ctx context.Context, e Entry) (BreakerReport, error) {
	reply, err := r.askCircuit(ctx, inspectScript, e, Token{}, e.checkRule)
	if err != nil {
		return BreakerReport{}, err
	}
	list, ok := reply.([]any)
	if !ok || len(list) != 5 {
		return BreakerReport{}, errUnreadable(reply)
	}
	state, _ := list[0].(string)
	var numbers [4]int64
	for i := range numbers {
		numbers[i], _ = list[i+1].(int64)
	}
	return BreakerReport{
		State: BreakerState(state), Failures: numbers[0], Calls: numbers[1], Probes: numbers[2],
		RetryAfter: fromMilliseconds(numbers[3]),
	}, nil
}

// ResetBreaker closes a circuit and forgets all failures; what is under way
// counts no more. The errors are those of InspectBreaker; after [ErrAnswerLost]
// the circuit may have been closed.
func (r *Redis) ResetBreaker(ctx context.Context, e Entry) (closed bool, err error) {
	reply, err := r.askCircuit(ctx, resetScript, e, NewToken(), e.check)
	if err != nil {
		return false, err
	}
	n, ok := reply.(int64)
	if !ok {
		return false, errUnreadable(reply)
	}
	return n == 1, nil
}

// askCircuit runs a script on a single circuit; an answer of text is an error.
func (r *Redis) askCircuit(ctx context.Context, s script, e Entry, token Token, check func() error) (any, error) {
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	if e.Kind != KindBreaker {
		return nil, &RuleError{Field: "Entry.Kind", Problem: "is not KindBreaker"}
	}
	if err := check(); err != nil {
		return nil, err
	}
	keys, args := encode([]Entry{e}, token.String(), 0, func(*Entry) string { return "" })
	reply, err := r.run(ctx, s, keys, args)
	if err != nil {
		return nil, err
	}
	if text, failed := reply.(string); failed {
		return nil, entryError(text)
	}
	return reply, nil
}
