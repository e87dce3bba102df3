package stores

import "time"

// The rules of a claim. All methods ask for the shard's lock to be held and
// for an entry that has been checked.

// isClaim tells whether a claim's value lies there, whoever wrote it.
func (it *item) isClaim() bool {
	return it.more == nil && (it.value == ValueProcessing || it.value == ValueCompleted)
}

// takeClaim takes a claim for token.
func (s *shard) takeClaim(token Token, e *Entry, now time.Duration) obstacle {
	it := s.alive(e.Key, now)
	switch {
	case it == nil:
		s.put(e.Key, ValueProcessing, token, endAfter(now, e.TTL))
		return obstacle{}
	case !it.isClaim():
		return obstacle{err: ErrForeignValue}
	case it.owner == token && it.value == ValueProcessing:
		return obstacle{} // sent again: the lifetime counts from the first time
	}
	return obstacle{refused: true, state: it.value, left: roundedUp(it.end - now)}
}

// extendClaim gives a claim under way a new end. A completed one keeps its own: a
// renewal that comes late must not cut the time that duplicates are refused.
func (s *shard) extendClaim(token Token, e *Entry, now time.Duration) Answer {
	it := s.alive(e.Key, now)
	if it == nil || it.owner != token || it.value != ValueProcessing {
		return Answer{Outcome: OutcomeLost}
	}
	s.prolong(it, endAfter(now, e.TTL))
	return Answer{Outcome: OutcomeDone}
}

// leaveClaim does a part that changes something.
func (s *shard) leaveClaim(token Token, e *Entry, part Part, now time.Duration) Answer {
	it := s.alive(e.Key, now)
	if it == nil || it.owner != token || !it.isClaim() {
		return Answer{Outcome: OutcomeLost}
	}
	switch part {
	case PartComplete:
		it.value = ValueCompleted
		s.prolong(it, endAfter(now, e.Keep))
	case PartRelease:
		if it.value != ValueProcessing {
			return Answer{Outcome: OutcomeLost}
		}
		s.remove(it)
	case PartTakeBack:
		s.remove(it)
	}
	return Answer{Outcome: OutcomeDone}
}
