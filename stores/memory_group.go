package stores

import (
	"math/bits"
	"time"
)

// shardSet is a set of shards, a bit each.
type shardSet uint64

const _ = uint(64 - shardCount) // a shardSet has a bit for every shard

// lockAll locks the shards of some entries' keys, always in the order of the
// shards, so that two calls never wait for each other. They share one reading
// of the clock. The caller unlocks.
func (m *Memory) lockAll(entries []Entry) (set shardSet, now time.Duration) {
	for i := range entries {
		set |= 1 << shardOf(entries[i].Key)
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		s := &m.shards[bits.TrailingZeros64(uint64(rest))]
		s.mu.Lock()
		now = max(now, s.read(m.clock()))
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		m.shards[bits.TrailingZeros64(uint64(rest))].latest = now
	}
	return set, now
}

// unlockAllWritten unlocks a set of shards, see unlockWritten.
func (m *Memory) unlockAllWritten(set shardSet, now time.Duration) {
	for ; set != 0; set &= set - 1 {
		m.unlockWritten(&m.shards[bits.TrailingZeros64(uint64(set))], now)
	}
}

// ratesFrom is the end of the group of rates that begins at an index.
func ratesFrom(entries []Entry, from int) int {
	to := from + 1
	for to < len(entries) && entries[to].Kind == KindRate {
		to++
	}
	return to
}

// takeRates asks the rates entries[from:to] and counts them if all let the
// call pass. It writes into entered what keeps it from going on.
func (m *Memory) takeRates(token Token, entries []Entry, from, to int, entered *Entered) {
	set, now := m.lockAll(entries[from:to])
	defer func() { m.unlockAllWritten(set, now) }()
	refusing, longest := -1, time.Duration(0)
	for i := from; i < to; i++ {
		e := &entries[i]
		found := m.shards[shardOf(e.Key)].askRate(token, e, now)
		if found.free() && otherPace(entries[from:i], e) {
			found.err = ErrForeignValue
		}
		switch {
		case found.err != nil:
			if !entered.note(i, e, found) {
				return
			}
		case found.refused && found.left > longest:
			refusing, longest = i, found.left
		}
	}
	if refusing >= 0 {
		entered.note(refusing, &entries[refusing], obstacle{refused: true, left: longest})
		return
	}
	for i := from; i < to; i++ {
		m.shards[shardOf(entries[i].Key)].countRate(token, &entries[i], now)
	}
}

// otherPace tells whether a rate before e counts the same key in the other
// way, which only shows once something lies there.
func otherPace(before []Entry, e *Entry) bool {
	for i := range before {
		if before[i].Rate.Pace != e.Rate.Pace && before[i].Key == e.Key {
			return true
		}
	}
	return false
}
