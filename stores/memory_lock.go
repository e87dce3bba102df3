package stores

import (
	"encoding/hex"
	"time"
)

// The rules of a lock. All methods ask for the shard's lock to be held and
// for an entry that has been checked.

// isLock tells whether a lock's token lies there; its text is made when it is
// asked for. Whatever else has an owner is a claim, and has a value.
func (it *item) isLock() bool { return !it.owner.IsZero() && it.value == "" }

// text is what a reader of the key sees.
func (it *item) text() string {
	if it.isLock() {
		return it.owner.String()
	}
	return it.value
}

// locks tells whether what lies there is a lock of token. Its text is all that
// a server would know, so one that was written by hand counts too.
func (it *item) locks(token Token) bool {
	if it.more != nil {
		return false
	}
	if it.isLock() {
		return it.owner == token
	}
	var text [2 * len(token)]byte
	hex.Encode(text[:], token[:])
	return it.value == string(text[:])
}

// takeLock takes a lock for token. Anything else under the key is somebody's.
func (s *shard) takeLock(token Token, e *Entry, now time.Duration) obstacle {
	it := s.alive(e.Key, now)
	switch {
	case it == nil:
		s.put(e.Key, "", token, endAfter(now, e.TTL))
		return obstacle{}
	case it.locks(token):
		return obstacle{} // sent again: the lifetime counts from the first time
	}
	return obstacle{refused: true, left: roundedUp(it.end - now)}
}

// extendLock gives a lock a new end.
func (s *shard) extendLock(token Token, e *Entry, now time.Duration) Answer {
	it := s.alive(e.Key, now)
	if it == nil || !it.locks(token) {
		return Answer{Outcome: OutcomeLost}
	}
	s.prolong(it, endAfter(now, e.TTL))
	return Answer{Outcome: OutcomeDone}
}

// leaveLock gives a lock up.
func (s *shard) leaveLock(token Token, e *Entry, now time.Duration) Answer {
	it := s.alive(e.Key, now)
	if it == nil || !it.locks(token) {
		return Answer{Outcome: OutcomeLost}
	}
	s.remove(it)
	return Answer{Outcome: OutcomeDone}
}
