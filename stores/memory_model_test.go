package stores

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// model is a store as simple as can be: one map, no sweeping, no sharing.
type model map[string]modelKey

type modelKey struct {
	value string
	owner Token
	end   time.Time
}

func (m model) alive(key string) (modelKey, bool) {
	k, ok := m[key]
	return k, ok && time.Now().Before(k.end)
}

func (m model) set(key, value string, o SetOptions) bool {
	_, there := m.alive(key)
	if o.NX && there || o.XX && !there {
		return false
	}
	m[key] = modelKey{value: value, end: time.Now().Add(o.TTL)}
	return true
}

func (m model) enter(token Token, e Entry) string {
	k, there := m.alive(e.Key)
	switch {
	case !there:
		m[e.Key] = modelKey{ValueProcessing, token, time.Now().Add(e.TTL)}
		return "entered"
	case k.value != ValueProcessing && k.value != ValueCompleted:
		return "error"
	case k.owner == token && k.value == ValueProcessing:
		return "entered"
	}
	return "refused"
}

func (m model) leave(token Token, e Entry) Outcome {
	k, there := m.alive(e.Key)
	switch {
	case !there || k.owner != token, e.Part == PartRelease && k.value != ValueProcessing:
		return OutcomeLost
	case e.Part == PartComplete:
		m[e.Key] = modelKey{ValueCompleted, token, time.Now().Add(e.Keep)}
	default:
		delete(m, e.Key)
	}
	return OutcomeDone
}

func (m model) extend(token Token, e Entry) Outcome {
	k, there := m.alive(e.Key)
	if !there || k.owner != token || k.value != ValueProcessing {
		return OutcomeLost
	}
	k.end = time.Now().Add(e.TTL)
	m[e.Key] = k
	return OutcomeDone
}

// TestMemoryDoesWhatAPlainMapWouldDo runs random operations against both: on
// few keys, where runs meet; and in waves on many keys of one shard, whose map
// grows, is retired and refilled while it is in use.
func TestMemoryDoesWhatAPlainMapWouldDo(t *testing.T) {
	few, waves := make([]string, 20), make([]string, 0, 3_000)
	for i := range few {
		few[i] = strconv.Itoa(i)
	}
	m := NewMemory()
	for i := 0; len(waves) < cap(waves); i++ {
		s, _ := m.lock(strconv.Itoa(i))
		s.mu.Unlock()
		if s == &m.shards[0] {
			waves = append(waves, strconv.Itoa(i))
		}
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprintf("few keys, seed %d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				compareWithModel(t, few, 4_000, 4, 300*time.Millisecond, rand.New(rand.NewPCG(seed, 7)))
			})
		})
		t.Run(fmt.Sprintf("waves, seed %d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				compareWithModel(t, waves, 20_000, 2_500, 4*time.Second, rand.New(rand.NewPCG(seed, 7)))
			})
		})
	}
}

// compareWithModel sleeps for up to longest about every rarely steps.
func compareWithModel(t *testing.T, keys []string, steps, rarely int, longest time.Duration, random *rand.Rand) {
	real, plain := NewMemory(), model{}
	tokens := []Token{NewToken(), NewToken(), NewToken()}
	for step := range steps {
		key := keys[random.IntN(len(keys))]
		token := tokens[random.IntN(len(tokens))]
		ttl := time.Duration(1+random.IntN(2_000)) * time.Millisecond
		e := Entry{Kind: KindClaim, Key: key, TTL: ttl, Keep: ttl, Part: Part(1 + random.IntN(3))}
		var got, want string
		switch random.IntN(8) {
		case 0:
			value, found, err := real.Get(background, key)
			k, there := plain.alive(key)
			if !there {
				k.value = ""
			}
			got, want = fmt.Sprintln(value, found, err), fmt.Sprintln(k.value, there, error(nil))
		case 1:
			value := []string{"x", ValueProcessing, ValueCompleted}[random.IntN(3)]
			o := SetOptions{TTL: ttl, NX: random.IntN(2) == 0, XX: random.IntN(3) == 0}
			stored, err := real.Set(background, key, value, o)
			got, want = fmt.Sprintln(stored, err), fmt.Sprintln(plain.set(key, value, o), error(nil))
		case 2:
			deleted, err := real.Delete(background, key)
			_, there := plain.alive(key)
			delete(plain, key)
			got, want = fmt.Sprintln(deleted, err), fmt.Sprintln(there, error(nil))
		case 3:
			answers, err := real.Extend(background, token, []Entry{e})
			got, want = fmt.Sprintln(answers, err), fmt.Sprintln([]Answer{{Outcome: plain.extend(token, e)}}, error(nil))
		case 4, 5:
			answers, err := real.Leave(background, token, []Entry{e})
			got, want = fmt.Sprintln(answers, err), fmt.Sprintln([]Answer{{Outcome: plain.leave(token, e)}}, error(nil))
		default:
			entered, err := real.Enter(background, token, []Entry{e}, 0)
			got, want = fmt.Sprintln(entered.Verdict, err), fmt.Sprintln(plain.enter(token, e), error(nil))
		}
		if got != want {
			t.Fatalf("step %d, key %s: got %s, want %s", step, key, got, want)
		}
		if random.IntN(rarely) == 0 {
			time.Sleep(time.Duration(random.Int64N(int64(longest))).Truncate(time.Millisecond))
			checkShards(t, real)
		}
	}
	checkShards(t, real)
}

// checkShards asks whether every shard's maps, lists and ends agree.
func checkShards(t *testing.T, m *Memory) {
	t.Helper()
	for i := range m.shards {
		s := &m.shards[i]
		size := 0
		for _, g := range []*generation{s.current, s.old} {
			if g == nil {
				continue
			}
			size += len(g.items)
			listed := 0
			for it := g.head; it != nil; it = it.next {
				listed++
				if it.home != g || g.items[it.key] != it || s.ends.at(it.rank) != it {
					t.Fatalf("shard %d: the places of an item disagree", i)
				}
				if it.next != nil && it.next.prev != it {
					t.Fatalf("shard %d: the list is broken", i)
				}
			}
			if listed != len(g.items) {
				t.Fatalf("shard %d: %d items in the list, %d in the map", i, listed, len(g.items))
			}
		}
		if s.ends.size != size {
			t.Fatalf("shard %d: %d ends, %d items", i, s.ends.size, size)
		}
		for rank := 1; rank < s.ends.size; rank++ {
			if s.ends.at((rank-1)/2).end > s.ends.at(rank).end {
				t.Fatalf("shard %d: the ends are out of order at %d", i, rank)
			}
		}
	}
}
