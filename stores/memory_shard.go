package stores

import (
	"sync"
	"time"
)

// The shares of one write in keeping its shard tidy. One write adds one item
// at most, so each of the first two takes away faster than writes can add.
const (
	sweepsPerWrite = 4 // dead items removed
	movesPerWrite  = 4 // living items moved to a smaller map
	helpEvery      = 4 // writes between two visits to another shard
)

// item is one key with what is kept under it.
type item struct {
	key, value string
	owner      Token         // zero: held by somebody unknown
	more       any           // what is no text: *places, *callLog, *pace, *circuit; nil for text
	end        time.Duration // on the store's clock; dead from this instant on
	rank       int           // index in the shard's ends
	home       *generation   // where the item stands
	prev, next *item         // its neighbours there
}

// shard is a part of a Memory with a lock of its own. All methods ask for the
// lock to be held.
type shard struct {
	mu      sync.Mutex
	latest  time.Duration // the clock's last reading
	writes  uint64
	current *generation // nil before the first write
	old     *generation // being emptied into current; nil otherwise
	ends    ends
}

// read notes what the clock says, which never goes back for a shard.
func (s *shard) read(clock time.Duration) time.Duration {
	s.latest = max(s.latest, clock)
	return s.latest
}

// stored returns the item of a key, dead or alive; nil when there is none.
func (s *shard) stored(key string) *item {
	if it := s.current.find(key); it != nil {
		return it
	}
	return s.old.find(key)
}

// alive returns the item of a key that has not ended; nil when there is none.
func (s *shard) alive(key string, now time.Duration) *item {
	it := s.stored(key)
	if it == nil || it.end <= now {
		return nil
	}
	return it
}

// put writes a key anew, whatever stood there.
func (s *shard) put(key, value string, owner Token, end time.Duration) {
	if it := s.stored(key); it != nil {
		it.value, it.owner, it.more = value, owner, nil
		s.prolong(it, end)
		return
	}
	s.insert(&item{key: key, value: value, owner: owner, end: end})
}

// keep writes what is no text under a key that nobody holds.
func (s *shard) keep(key string, more any, end time.Duration) *item {
	it := s.stored(key)
	if it == nil {
		it = &item{key: key, more: more, end: end}
		s.insert(it)
		return it
	}
	it.value, it.owner, it.more = "", Token{}, more
	s.prolong(it, end)
	return it
}

// insert takes in an item whose key is not there.
func (s *shard) insert(it *item) {
	if s.current == nil {
		s.current = newGeneration()
	}
	s.current.add(it)
	s.ends.push(it)
}

// prolong gives an item another end, earlier ones too.
func (s *shard) prolong(it *item, end time.Duration) {
	it.end = end
	s.ends.settle(it.rank)
}

// remove forgets an item.
func (s *shard) remove(it *item) {
	it.home.drop(it)
	s.ends.remove(it.rank)
}

// tidy removes a few dead items and does a step of giving memory back.
func (s *shard) tidy(now time.Duration) {
	for range sweepsPerWrite {
		first := s.ends.first()
		if first == nil || first.end > now {
			break
		}
		s.remove(first)
	}
	s.shrink()
}
