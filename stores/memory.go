package stores

import (
	"context"
	"errors"
	"hash/maphash"
	"math"
	"sync/atomic"
	"time"
)

// shardCount spreads keys so that runs of different keys rarely meet at one
// lock. A power of two: the hash is cut by a mask.
const shardCount = 64

// Memory is a store inside this process, made by [NewMemory]. It implements
// [Guards]. Other processes do not see it, and nothing outlives the process.
//
// Every key has an end, measured on the process's monotonic clock and asked
// for by every call; a dead key is never seen. Writes remove dead keys on the
// way, a few each, so memory follows what is alive. What is alive stays until
// its end: the store has no limit of size and evicts nothing.
//
// A Memory starts no goroutine and no timer, and may be used from any number
// of goroutines. It waits for nothing: a ctx counts at the beginning of a
// call only.
type Memory struct {
	born   time.Time    // carries the monotonic clock's reading; ends are counted from here
	ahead  atomic.Int64 // how far Advance has moved the clock
	shards [shardCount]shard
}

var _ Guards = (*Memory)(nil)

// errNoMemory answers a Memory that NewMemory has not made: without a birth
// its clock would show every claim as ended.
var errNoMemory = errors.New("stores: this Memory is not ready: make it with stores.NewMemory")

// hashing is shared by all stores of the process; no text of it leaves the process.
var hashing = maphash.MakeSeed()

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{born: time.Now()} }

// Close does nothing and returns nil: there is nothing to close. It may be
// called any number of times, also at once, and the store works after it.
func (m *Memory) Close() error { return nil }

// Advance moves the store's clock forward by d, as if d had passed since the
// last call, so that a test sees what happens after a ttl without waiting for
// it. It moves nothing but this store: timers, deadlines and runs under way
// keep the process's clock. A d that is not positive changes nothing, since the
// clock never goes back. Production code has no use for it.
func (m *Memory) Advance(d time.Duration) {
	for d > 0 {
		before := m.ahead.Load()
		after := int64(d)
		if before > math.MaxInt64-after {
			after = math.MaxInt64
		} else {
			after += before
		}
		if m.ahead.CompareAndSwap(before, after) {
			return
		}
	}
}

// clock is the time since the store's birth, with what Advance added.
func (m *Memory) clock() time.Duration {
	ahead, passed := time.Duration(m.ahead.Load()), time.Since(m.born)
	if ahead > math.MaxInt64-passed {
		return math.MaxInt64
	}
	return ahead + passed
}

// begin refuses a call before it has touched anything.
func (m *Memory) begin(ctx context.Context) error {
	if m == nil || m.born.IsZero() {
		return errNoMemory
	}
	return ended(ctx)
}

// shardOf is the index of a key's shard.
func shardOf(key string) uint64 { return maphash.String(hashing, key) & (shardCount - 1) }

// lock locks the shard of a key and reads the clock inside the lock. The
// caller unlocks.
func (m *Memory) lock(key string) (s *shard, now time.Duration) {
	s = &m.shards[shardOf(key)]
	s.mu.Lock()
	return s, s.read(m.clock())
}

// unlockWritten unlocks a shard that was written to and pays the writer's
// share of sweeping: a little of this shard and now and then of another one,
// so that the dead keys of a shard nobody writes to leave too.
func (m *Memory) unlockWritten(s *shard, now time.Duration) {
	s.tidy(now)
	s.writes++
	turn := s.writes
	s.mu.Unlock()
	if turn%helpEvery != 0 {
		return
	}
	other := &m.shards[turn/helpEvery&(shardCount-1)]
	if other.mu.TryLock() { // one that is busy sweeps itself
		other.tidy(other.read(m.clock()))
		other.mu.Unlock()
	}
}
