package stores

import (
	"context"
	"slices"
)

// inOneStep tells whether one script may be sent all these entries: on a
// single node always, otherwise where one hash tag holds their keys together.
func (r *Redis) inOneStep(entries []Entry) bool {
	if len(entries) < 2 || !r.apart.Load() {
		return true
	}
	tag, tagged := hashTag(entries[0].Key)
	for i := 1; i < len(entries) && tagged; i++ {
		other, ok := hashTag(entries[i].Key)
		tagged = ok && other == tag
	}
	return tagged
}

// enterApart asks for one entry at a time and undoes what came before a
// refusal. Neighbouring rates are one step.
func (r *Redis) enterApart(ctx context.Context, token Token, entries []Entry, from int) (Entered, error) {
	var steppedOver []SteppedOver
	for i := from; i < len(entries); {
		next := i + 1
		for entries[i].Kind == KindRate && next < len(entries) && entries[next].Kind == KindRate {
			next++
		}
		var entered Entered
		var err error
		if next == i+1 {
			entered, err = r.enterTogether(ctx, token, entries[i:next], 0, enterPart)
		} else {
			entered, err = r.enterRates(ctx, token, entries[i:next])
		}
		if err != nil {
			return Entered{}, err
		}
		for _, over := range entered.SteppedOver {
			steppedOver = append(steppedOver, SteppedOver{At: i + over.At, Err: over.Err})
		}
		if entered.Verdict != VerdictEntered {
			if entered.Verdict != VerdictWaiting {
				r.release(ctx, token, entries)
			}
			entered.At, entered.SteppedOver = i+entered.At, steppedOver
			return entered, nil
		}
		i = next
	}
	return Entered{Verdict: VerdictEntered, SteppedOver: steppedOver}, nil
}

// enterRates asks rates key by key as if all were asked before any counted:
// what counted is taken out again when another one refuses, and after the
// first refusal the others are asked only. Those that keep a distance come
// last, since only the last of their calls can be forgotten.
func (r *Redis) enterRates(ctx context.Context, token Token, entries []Entry) (Entered, error) {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(entries[a].Rate.Pace) - int(entries[b].Rate.Pace) })
	entered := Entered{Verdict: VerdictEntered}
	var counted []Entry
	part := enterPart
	for len(order) > 0 {
		var which []int
		which, order = ofOneKey(entries, order)
		some := make([]Entry, len(which))
		for i, at := range which {
			some[i] = entries[at]
		}
		one, err := r.enterTogether(ctx, token, some, 0, part)
		if err != nil {
			return Entered{}, err
		}
		for _, over := range one.SteppedOver {
			entered.SteppedOver = append(entered.SteppedOver, SteppedOver{At: which[over.At], Err: over.Err})
		}
		i := which[one.At]
		switch one.Verdict {
		case VerdictEntered:
			counted = append(counted, some...)
		case VerdictError:
			if entered.Verdict != VerdictError || i < entered.At {
				entered.Verdict, entered.At, entered.Err, entered.RetryAfter = one.Verdict, i, one.Err, 0
			}
			part = askPart
		case VerdictRefused:
			longer := one.RetryAfter > entered.RetryAfter || one.RetryAfter == entered.RetryAfter && i < entered.At
			if entered.Verdict != VerdictError && longer {
				entered.Verdict, entered.At, entered.RetryAfter = one.Verdict, i, one.RetryAfter
			}
			part = askPart
		}
	}
	if entered.Verdict != VerdictEntered {
		r.uncount(ctx, token, counted)
	}
	slices.SortFunc(entered.SteppedOver, func(a, b SteppedOver) int { return a.At - b.At })
	if entered.Verdict == VerdictError { // in order it would have ended there
		entered.SteppedOver = slices.DeleteFunc(entered.SteppedOver, func(o SteppedOver) bool { return o.At > entered.At })
	}
	return entered, nil
}

// ofOneKey splits off the rates that share the key and the pace of the first
// one. They share a log, so all of them are asked before any counts: the call
// of the first would pass for one that the others have counted already.
func ofOneKey(entries []Entry, order []int) (same, others []int) {
	first := &entries[order[0]]
	for _, i := range order {
		if entries[i].Key == first.Key && entries[i].Rate.Pace == first.Rate.Pace {
			same = append(same, i)
		} else {
			others = append(others, i)
		}
	}
	return same, others
}

// uncount takes calls out of rates in whose group another one refused.
func (r *Redis) uncount(ctx context.Context, token Token, counted []Entry) {
	check := func(*Entry) error { return nil }
	_, err := r.change(ctx, token, counted, leaving, check, func(*Entry) string { return "uncount" })
	if err != nil {
		r.TakeBack(token, counted)
	}
}
