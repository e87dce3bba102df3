package stores

import "time"

// The rules of a claim. All methods ask for the shard's lock to be held and
// for an entry that has been checked.

// claim takes a claim for token. What refuses gives the state found and the
// time until its end; the state is "" when token holds the claim now.
func (s *shard) claim(token Token, e *Entry, now time.Duration) (state string, left time.Duration, err error) {
	it := s.alive(e.Key, now)
	switch {
	case it == nil:
		s.put(e.Key, ValueProcessing, token, endAfter(now, e.TTL))
		return "", 0, nil
	case it.value != ValueProcessing && it.value != ValueCompleted:
		return "", 0, ErrForeignValue
	case it.owner == token && it.value == ValueProcessing:
		return "", 0, nil // sent again: the lifetime counts from the first time
	}
	return it.value, roundedUp(it.end - now), nil
}

// extend gives a claim under way a new end. A completed one keeps its own: a
// renewal that comes late must not cut the time that duplicates are refused.
func (s *shard) extend(token Token, e *Entry, now time.Duration) Answer {
	it := s.alive(e.Key, now)
	if it == nil || it.owner != token || it.value != ValueProcessing {
		return Answer{Outcome: OutcomeLost}
	}
	s.prolong(it, endAfter(now, e.TTL))
	return Answer{Outcome: OutcomeDone}
}

// leave does a part that changes something.
func (s *shard) leave(token Token, e *Entry, part Part, now time.Duration) Answer {
	it := s.alive(e.Key, now)
	if it == nil || it.owner != token {
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
