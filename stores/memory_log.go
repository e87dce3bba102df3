package stores

import (
	"sort"
	"time"
)

// The bounds of a call log.
const (
	smallLog        = 4 // records that the first ring has room for
	keptLog         = 16
	trimmedPerWrite = 8 // records that one write forgets at most
)

// callLog keeps calls in the order in which they came, the oldest first, each
// once by its token. What is trimmed gives its memory back.
type callLog struct {
	ring        []record // its length is a power of two, or 0
	first, size int
	index       tokenIndex // in use from indexedFrom on
}

// at returns the call of an age: 0 is the oldest.
func (l *callLog) at(i int) *record { return &l.ring[(l.first+i)&(len(l.ring)-1)] }

// until returns how many calls came at an instant or before it.
func (l *callLog) until(instant time.Duration) int {
	return sort.Search(l.size, func(i int) bool { return l.at(i).at > instant })
}

// since returns how many calls came after an instant.
func (l *callLog) since(instant time.Duration) int { return l.size - l.until(instant) }

// has tells whether a token's call came after an instant.
func (l *callLog) has(t Token, instant time.Duration) bool {
	i := l.find(t)
	return i >= 0 && l.ring[i].at > instant
}

// find returns the place of a token in the ring; -1 for none.
func (l *callLog) find(t Token) int {
	if l.index.slots != nil {
		return l.index.find(l.ring, t)
	}
	for i := l.size - 1; i >= 0; i-- {
		if l.at(i).token == t {
			return (l.first + i) & (len(l.ring) - 1)
		}
	}
	return -1
}

// add adds the latest call of all. Its token is not in the log.
func (l *callLog) add(t Token, now time.Duration) {
	if l.size == len(l.ring) {
		l.resize(max(smallLog, 2*len(l.ring)))
	}
	place := (l.first + l.size) & (len(l.ring) - 1)
	l.ring[place] = record{t, now}
	l.size++
	if l.index.slots != nil {
		l.index.set(l.ring, t, place)
	}
}

// trim forgets what came at an instant or before it, a few calls at a time.
// Those that are left over count in no window.
func (l *callLog) trim(instant time.Duration) {
	if l.size > 0 && l.at(l.size-1).at <= instant {
		*l = callLog{ring: l.ring}
		if len(l.ring) > keptLog {
			l.ring = nil
		}
		return
	}
	for i := 0; i < trimmedPerWrite && l.size > 0 && l.at(0).at <= instant; i++ {
		if l.index.slots != nil {
			l.index.remove(l.ring, l.at(0).token)
		}
		l.first = (l.first + 1) & (len(l.ring) - 1)
		l.size--
	}
	l.shrink()
}

// remove takes one call out of the log.
func (l *callLog) remove(t Token) {
	place := l.find(t)
	if place < 0 {
		return
	}
	for i := (place - l.first) & (len(l.ring) - 1); i < l.size-1; i++ {
		*l.at(i) = *l.at(i + 1)
	}
	l.size--
	l.resize(len(l.ring)) // every position behind it has changed
	l.shrink()
}

// shrink halves a ring of which three quarters are empty.
func (l *callLog) shrink() {
	if len(l.ring) > keptLog && l.size <= len(l.ring)/4 {
		l.resize(len(l.ring) / 2)
	}
}

// resize lays the calls out anew.
func (l *callLog) resize(room int) {
	ring := make([]record, room)
	for i := range l.size {
		ring[i] = *l.at(i)
	}
	l.ring, l.first, l.index = ring, 0, tokenIndex{}
	if room < indexedFrom {
		return
	}
	l.index.makeRoom(room)
	for i := range l.size {
		l.index.set(ring, ring[i].token, i)
	}
}
