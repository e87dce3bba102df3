package stores

import (
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// deadKeys is how many keys the tests of growth leave to die.
func deadKeys() int {
	if raceEnabled || testing.Short() {
		return 50_000
	}
	return 1_000_000
}

func (m *Memory) size() (items, chunks int) {
	for i := range m.shards {
		s := &m.shards[i]
		items += s.ends.size
		chunks += len(s.ends.chunks)
	}
	return items, chunks
}

func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestDeadKeysLeave fills a store, lets all keys die and writes on without
// ever reading one of them.
func TestDeadKeysLeave(t *testing.T) {
	for _, c := range []struct {
		name   string
		dead   int
		writes int
		key    func(i int) string
	}{
		// Each write pays for its own shard and now and then for another one.
		{"writes to many keys", deadKeys(), deadKeys() * 3 / 4, func(i int) string { return "new:" + strconv.Itoa(i%1_000) }},
		// One shard is written to; its visits reach all the others.
		{"writes to one key", deadKeys() / 5, deadKeys() * 3 / 5, func(int) string { return "new" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				before := heapInUse()
				m, token := NewMemory(), NewToken()
				entry := []Entry{{Kind: KindClaim, TTL: time.Minute}}
				for i := range c.dead {
					entry[0].Key = "old:" + strconv.Itoa(i)
					if _, err := m.Enter(background, token, entry, 0); err != nil {
						t.Fatal(err)
					}
				}
				full := heapInUse() - before
				time.Sleep(time.Hour)
				for i := range c.writes {
					if _, err := m.Set(background, c.key(i), "1", SetOptions{TTL: time.Hour}); err != nil {
						t.Fatal(err)
					}
				}
				checkShards(t, m)
				items, chunks := m.size()
				if items > 1_000 {
					t.Errorf("%d items are left, want the living ones only", items)
				}
				if chunks > 3*shardCount {
					t.Errorf("%d chunks are left", chunks)
				}
				for i := range m.shards {
					s := &m.shards[i]
					if s.old != nil || s.current != nil && s.current.most >= smallMap {
						t.Errorf("shard %d still keeps an oversized map", i)
					}
				}
				// The fixed parts and a thousand living keys take less than 1 MiB.
				if left := heapInUse() - before; left > full/20+1<<20 {
					t.Errorf("%d KiB of %d KiB are left", left>>10, full>>10)
				}
				runtime.KeepAlive(m)
			})
		})
	}
}

// TestLivingClaimsAreNeverEvicted keeps some claims alive among many dead ones.
func TestLivingClaimsAreNeverEvicted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, token := NewMemory(), NewToken()
		const living = 2_000
		n := deadKeys() / 10
		for i := range n {
			entry := Entry{Kind: KindClaim, Key: strconv.Itoa(i), TTL: time.Minute}
			if i < living {
				entry.TTL = 24 * time.Hour
			}
			if _, err := m.Enter(background, token, []Entry{entry}, 0); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Hour)
		for i := range 2 * n {
			if _, err := m.Incr(background, "new:"+strconv.Itoa(i%500), time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		checkShards(t, m)
		for i := range living {
			got, err := m.Enter(background, NewToken(), []Entry{{Kind: KindClaim, Key: strconv.Itoa(i), TTL: time.Minute}}, 0)
			if err != nil || got.Verdict != VerdictRefused {
				t.Fatalf("claim %d: got %s, %v, want refused", i, got.Verdict, err)
			}
		}
		if items, _ := m.size(); items != living+500 {
			t.Errorf("%d items, want %d", items, living+500)
		}
	})
}

// TestAWriteSweepsAFewKeysOnly asks for the bound of one write's share.
func TestAWriteSweepsAFewKeysOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory()
		for i := range 100_000 {
			if _, err := m.Set(background, strconv.Itoa(i), "1", SetOptions{TTL: time.Minute}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Hour)
		before, _ := m.size()
		for i := range 10_000 {
			if _, err := m.Set(background, "new:"+strconv.Itoa(i), "1", SetOptions{TTL: time.Hour}); err != nil {
				t.Fatal(err)
			}
			after, _ := m.size()
			if gone := before + 1 - after; gone > 2*sweepsPerWrite {
				t.Fatalf("one write removed %d keys", gone)
			}
			before = after
		}
	})
}
