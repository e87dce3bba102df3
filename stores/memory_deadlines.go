package stores

import (
	"slices"
	"time"
)

// deadlines keeps tokens that each hold until an instant of their own: a
// binary heap, the first to end on top.
type deadlines struct {
	heap  []record
	index tokenIndex // in use from indexedFrom on
}

// find returns the place of a token; -1 for none.
func (d *deadlines) find(t Token) int {
	if d.index.slots != nil {
		return d.index.find(d.heap, t)
	}
	return slices.IndexFunc(d.heap, func(r record) bool { return r.token == t })
}

// add adds a token that is not there yet.
func (d *deadlines) add(t Token, end time.Duration) {
	full := len(d.heap) == cap(d.heap)
	d.heap = append(d.heap, record{t, end})
	switch {
	case full:
		d.reindex()
	case d.index.slots != nil:
		d.index.set(d.heap, t, len(d.heap)-1)
	}
	d.rise(len(d.heap) - 1)
}

// change gives the token of a place another end.
func (d *deadlines) change(place int, end time.Duration) {
	d.heap[place].at = end
	d.sink(d.rise(place))
}

// remove takes out the token of a place.
func (d *deadlines) remove(place int) {
	last := len(d.heap) - 1
	if place != last {
		d.swap(place, last)
	}
	if d.index.slots != nil {
		d.index.remove(d.heap, d.heap[last].token)
	}
	d.heap = d.heap[:last]
	if place != last {
		d.sink(d.rise(place))
	}
	if cap(d.heap) > keptLog && last <= cap(d.heap)/4 {
		d.heap = append(make([]record, 0, cap(d.heap)/2), d.heap...)
		d.reindex()
	}
}

// expire takes out what has ended.
func (d *deadlines) expire(now time.Duration) {
	for len(d.heap) > 0 && d.heap[0].at <= now {
		d.remove(0)
	}
}

// latest is the end of the token that holds longest; 0 without any.
func (d *deadlines) latest() (end time.Duration) {
	for _, r := range d.heap {
		end = max(end, r.at)
	}
	return end
}

// below is the instant from which on fewer than limit hold; limit is positive
// and no more than there are.
func (d *deadlines) below(limit int64) time.Duration {
	over := len(d.heap) - int(limit)
	if over == 0 {
		return d.heap[0].at
	}
	ordered := slices.Clone(d.heap) // somebody else was allowed more: rare
	slices.SortFunc(ordered, func(a, b record) int { return int(a.at - b.at) })
	return ordered[over].at
}

// reindex makes the index anew for the room that the heap has.
func (d *deadlines) reindex() {
	d.index = tokenIndex{}
	if cap(d.heap) < indexedFrom {
		return
	}
	d.index.makeRoom(cap(d.heap))
	for i := range d.heap {
		d.index.set(d.heap, d.heap[i].token, i)
	}
}

// swap exchanges two places.
func (d *deadlines) swap(a, b int) {
	if d.index.slots == nil {
		d.heap[a], d.heap[b] = d.heap[b], d.heap[a]
		return
	}
	one, other := d.index.slot(d.heap, d.heap[a].token), d.index.slot(d.heap, d.heap[b].token)
	d.heap[a], d.heap[b] = d.heap[b], d.heap[a]
	d.index.slots[one], d.index.slots[other] = uint32(b+1), uint32(a+1)
}

// rise moves a token towards the top while it ends before what lies above,
// and returns its place.
func (d *deadlines) rise(place int) int {
	for place > 0 {
		above := (place - 1) / 2
		if d.heap[above].at <= d.heap[place].at {
			break
		}
		d.swap(place, above)
		place = above
	}
	return place
}

// sink moves a token away from the top while it ends after what lies below.
func (d *deadlines) sink(place int) {
	for {
		below := 2*place + 1
		if below >= len(d.heap) {
			return
		}
		if right := below + 1; right < len(d.heap) && d.heap[right].at < d.heap[below].at {
			below = right
		}
		if d.heap[place].at <= d.heap[below].at {
			return
		}
		d.swap(place, below)
		place = below
	}
}
