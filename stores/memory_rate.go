package stores

import "time"

// The rules of a rate that counts in windows. A group of rates is first asked
// and then counted, see memory_group.go. All methods ask for the shard's lock
// to be held and for an entry that has been checked.

// remembered is how long a call of a rate is kept.
func (e *Entry) remembered() time.Duration { return max(e.TTL, e.Rate.Per) }

// askRate tells what keeps one more call from passing. It changes nothing.
func (s *shard) askRate(token Token, e *Entry, now time.Duration) obstacle {
	it := s.alive(e.Key, now)
	if it == nil {
		return obstacle{}
	}
	if e.Rate.Pace == PaceSmooth {
		if p, ok := it.more.(*pace); ok {
			return p.ask(token, now)
		}
	} else if log, ok := it.more.(*callLog); ok {
		return log.ask(token, e, now)
	}
	return obstacle{err: ErrForeignValue}
}

// countRate counts a call that was let through, once per token. What does not
// belong to this rate is left as it is: its entry was stepped over.
func (s *shard) countRate(token Token, e *Entry, now time.Duration) {
	end := endAfter(now, e.remembered())
	it := s.alive(e.Key, now)
	if it == nil {
		if e.Rate.Pace == PaceSmooth {
			it = s.keep(e.Key, new(pace), end)
		} else {
			it = s.keep(e.Key, new(callLog), end)
		}
	}
	switch kept := it.more.(type) {
	case *pace:
		if e.Rate.Pace != PaceSmooth || !kept.count(token, e.Rate, now) {
			return
		}
		end = max(end, kept.next)
	case *callLog:
		if e.Rate.Pace != PaceWindow || !kept.count(token, now-e.remembered(), now) {
			return
		}
	default:
		return
	}
	if end > it.end {
		s.prolong(it, end)
	}
}

// forgetCall takes the call of a run that was given up out of its log.
func (s *shard) forgetCall(token Token, e *Entry, now time.Duration) {
	it := s.alive(e.Key, now)
	if it == nil {
		return
	}
	if log, ok := it.more.(*callLog); ok && e.Rate.Pace == PaceWindow {
		log.remove(token)
		if log.size == 0 {
			s.remove(it)
		}
	}
}

// ask tells what keeps one more call from passing.
func (l *callLog) ask(token Token, e *Entry, now time.Duration) obstacle {
	limit, per := e.Rate.Limit, e.Rate.Per
	if int64(l.since(now-per)) < limit || l.has(token, now-e.remembered()) {
		return obstacle{}
	}
	// Room comes when only limit-1 of them are left in the window.
	last := l.at(l.size - int(limit)).at
	return obstacle{refused: true, left: roundedUp(per - (now - last))}
}

// count adds a call unless its token is there already, and forgets what came
// at the instant given or before it.
func (l *callLog) count(token Token, forgotten, now time.Duration) (counted bool) {
	l.trim(forgotten)
	if l.has(token, forgotten) {
		return false
	}
	l.remove(token) // one that is forgotten and has not been trimmed yet
	l.add(token, now)
	return true
}
