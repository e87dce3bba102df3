package stores

import "time"

// The rules of places. All methods ask for the shard's lock to be held and
// for an entry that has been checked.

// places are the places of a key that are taken.
type places struct{ deadlines }

// placesOf returns the places of a key without those that have ended; nil when
// none is taken or something else lies there. it is nil when nothing does.
func (s *shard) placesOf(e *Entry, now time.Duration) (it *item, p *places) {
	it = s.alive(e.Key, now)
	if it == nil {
		return nil, nil
	}
	p, _ = it.more.(*places)
	if p != nil {
		p.expire(now)
	}
	return it, p
}

// takePlace takes a place for token.
func (s *shard) takePlace(token Token, e *Entry, now time.Duration) obstacle {
	end := endAfter(now, e.TTL)
	it, p := s.placesOf(e, now)
	switch {
	case it == nil:
		p = new(places)
		p.add(token, end)
		s.keep(e.Key, p, end)
		return obstacle{}
	case p == nil:
		return obstacle{err: ErrForeignValue}
	case p.find(token) >= 0:
		return obstacle{} // sent again: the lifetime counts from the first time
	case int64(len(p.heap)) >= e.Limit:
		return obstacle{refused: true, left: roundedUp(p.below(e.Limit) - now)}
	}
	p.add(token, end)
	if end > it.end {
		s.prolong(it, end)
	}
	return obstacle{}
}

// extendPlace gives a place a new end.
func (s *shard) extendPlace(token Token, e *Entry, now time.Duration) Answer {
	it, p := s.placesOf(e, now)
	if p == nil {
		return Answer{Outcome: OutcomeLost}
	}
	place := p.find(token)
	if place < 0 {
		return Answer{Outcome: OutcomeLost}
	}
	before, end := p.heap[place].at, endAfter(now, e.TTL)
	p.change(place, end)
	if end > it.end || before == it.end {
		s.prolong(it, p.latest())
	}
	return Answer{Outcome: OutcomeDone}
}

// leavePlace gives a place up.
func (s *shard) leavePlace(token Token, e *Entry, now time.Duration) Answer {
	it, p := s.placesOf(e, now)
	if p == nil {
		return Answer{Outcome: OutcomeLost}
	}
	place := p.find(token)
	if place < 0 {
		return Answer{Outcome: OutcomeLost}
	}
	before := p.heap[place].at
	p.remove(place)
	switch {
	case len(p.heap) == 0:
		s.remove(it)
	case before == it.end: // it was the last to end
		s.prolong(it, p.latest())
	}
	return Answer{Outcome: OutcomeDone}
}
