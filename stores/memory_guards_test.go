package stores

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestCallLogKeepsOrderAndFindsTokens compares a log with a plain list, over
// sizes with and without an index.
func TestCallLogKeepsOrderAndFindsTokens(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var log callLog
	var plain []record
	now := time.Duration(0)
	for step := range 60_000 {
		growing := step/10_000%2 == 0
		switch n := random.IntN(10); {
		case n < 5 && growing || n < 2:
			now += time.Duration(random.IntN(2))
			token := NewToken()
			log.add(token, now)
			plain = append(plain, record{token, now})
		case n < 6 && len(plain) > 0:
			i := random.IntN(len(plain))
			log.remove(plain[i].token)
			plain = slices.Delete(plain, i, i+1)
		case n < 9 && !growing && len(plain) > 0:
			instant := plain[min(len(plain)-1, 3)].at
			log.trim(instant)
			for range trimmedPerWrite {
				if len(plain) > 0 && plain[0].at <= instant {
					plain = plain[1:]
				}
			}
		}
		if log.size != len(plain) {
			t.Fatalf("step %d: %d calls, want %d", step, log.size, len(plain))
		}
		if len(plain) == 0 {
			continue
		}
		i := random.IntN(len(plain))
		if *log.at(i) != plain[i] || !log.has(plain[i].token, plain[i].at-1) || log.has(plain[i].token, plain[i].at) {
			t.Fatalf("step %d: call %d of %d is not found as it is", step, i, len(plain))
		}
		if log.has(NewToken(), -1) {
			t.Fatalf("step %d: a token is found that is not there", step)
		}
		if want := slices.IndexFunc(plain, func(r record) bool { return r.at > plain[i].at }); want >= 0 && log.until(plain[i].at) != want {
			t.Fatalf("step %d: %d calls until an instant, want %d", step, log.until(plain[i].at), want)
		}
		if indexed := log.index.slots != nil; indexed != (len(log.ring) >= indexedFrom) {
			t.Fatalf("step %d: indexed is %t with room for %d", step, indexed, len(log.ring))
		}
	}
}

// TestDeadlinesEndInOrder compares deadlines with a plain list, over sizes
// with and without an index.
func TestDeadlinesEndInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var real deadlines
	plain := map[Token]time.Duration{}
	tokens := []Token{}
	now := time.Duration(0)
	for step := range 40_000 {
		growing := step/10_000%2 == 0
		switch n := random.IntN(10); {
		case n < 6 && growing || n < 2:
			token, end := NewToken(), now+time.Duration(1+random.IntN(5_000))
			real.add(token, end)
			plain[token] = end
			tokens = append(tokens, token)
		case n < 8 && len(tokens) > 0:
			token, end := tokens[random.IntN(len(tokens))], now+time.Duration(1+random.IntN(5_000))
			if _, there := plain[token]; there {
				real.change(real.find(token), end)
				plain[token] = end
			}
		case n < 9 && len(tokens) > 0:
			token := tokens[random.IntN(len(tokens))]
			if _, there := plain[token]; there {
				real.remove(real.find(token))
				delete(plain, token)
			}
		default:
			now++
			real.expire(now)
			for token, end := range plain {
				if end <= now {
					delete(plain, token)
				}
			}
		}
		if len(real.heap) != len(plain) {
			t.Fatalf("step %d: %d tokens, want %d", step, len(real.heap), len(plain))
		}
		if len(tokens) > 0 {
			token := tokens[random.IntN(len(tokens))]
			end, there := plain[token]
			if i := real.find(token); (i >= 0) != there || there && real.heap[i] != (record{token, end}) {
				t.Fatalf("step %d: place %d, want it there: %t", step, i, there)
			}
		}
		if step%500 == 0 && len(plain) > 0 {
			var ends []time.Duration
			for _, end := range plain {
				ends = append(ends, end)
			}
			slices.Sort(ends)
			limit := 1 + random.IntN(len(ends))
			if got, want := real.below(int64(limit)), ends[len(ends)-limit]; got != want {
				t.Fatalf("step %d: below %d of %d at %d, want %d", step, limit, len(ends), got, want)
			}
			if got := real.latest(); got != ends[len(ends)-1] {
				t.Fatalf("step %d: the latest is %d, want %d", step, got, ends[len(ends)-1])
			}
		}
	}
	if cap(real.heap) > 4*len(real.heap)+keptLog {
		t.Errorf("room for %d tokens is kept for %d", cap(real.heap), len(real.heap))
	}
}

// TestASmoothPaceDoesNotDrift lets calls come as soon as they may.
func TestASmoothPaceDoesNotDrift(t *testing.T) {
	for _, c := range []struct {
		limit int64
		per   time.Duration
	}{{3, time.Second}, {7, time.Second}, {1, time.Hour}, {999_983, time.Second}, {1_000_000_007, time.Second}, {3_000_000_000, time.Second}} {
		t.Run(fmt.Sprint(c.limit, " per ", c.per), func(t *testing.T) {
			rule := &RateRule{Limit: c.limit, Per: c.per, Pace: PaceSmooth}
			var p pace
			now, steps := time.Duration(0), min(c.limit*3, 3_000_000)
			for i := range steps {
				if found := p.ask(Token{1}, now); found.refused {
					now = p.next
				}
				var token Token
				token[0], token[1], token[2], token[3] = 1, byte(i), byte(i>>8), byte(i>>16)
				if !p.count(token, rule, now) {
					t.Fatalf("call %d was not counted", i)
				}
			}
			// Call number i passes at i*Per/limit to the unit.
			want := time.Duration(float64(steps) * float64(c.per) / float64(c.limit))
			if off := p.next - want; off < -1 || off > 1 {
				t.Errorf("after %d calls the next passes at %d, want %d", steps, p.next, want)
			}
		})
	}
}

// TestGuardsInMemoryDoTheirWork is one run through all kinds, and a second one.
func TestGuardsInMemoryDoTheirWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, one, other := NewMemory(), NewToken(), NewToken()
		entries := everyKind("a")
		if got, err := m.Enter(background, one, entries, 0); err != nil || got.Verdict != VerdictEntered {
			t.Fatal(got, err)
		}
		theirs := everyKind("a")
		if got, _ := m.Enter(background, other, theirs, 0); got.Verdict != VerdictRefused || got.At != 3 || got.RetryAfter != 30*time.Second {
			t.Errorf("got %+v, want refused by the place", got)
		}
		entries[0].Part, entries[1].Part, entries[2].Part = PartRelease, PartRelease, PartSuccess
		entries[3].Part, entries[4].Part, entries[5].Part = PartRelease, PartRelease, PartComplete
		answers, err := m.Leave(background, one, entries)
		if err != nil || slices.ContainsFunc(answers, func(a Answer) bool { return a.Outcome != OutcomeDone }) {
			t.Errorf("got %v, %v", answers, err)
		}
		checkShards(t, m)
	})
}

// everyKind is what a task with all guards enters.
func everyKind(segment string) []Entry {
	return []Entry{
		{Kind: KindRate, Key: "cmdx:rate:T:" + segment, TTL: time.Hour, Rate: &RateRule{Limit: 1000, Per: time.Second, Pace: PaceWindow}},
		{Kind: KindRate, Key: "cmdx:rate:T:" + segment, TTL: time.Hour, Rate: &RateRule{Limit: 50_000, Per: time.Hour, Pace: PaceWindow}},
		{Kind: KindBreaker, Key: "cmdx:breaker:T:" + segment, TTL: time.Hour, Breaker: &BreakerRule{Threshold: 5, CoolOff: 30 * time.Second, Probes: 1}},
		{Kind: KindPlace, Key: "cmdx:slots:T:" + segment, TTL: 30 * time.Second, Limit: 1},
		{Kind: KindLock, Key: "cmdx:lock:T:" + segment, TTL: 30 * time.Second},
		{Kind: KindClaim, Key: "cmdx:idem:T:" + segment, TTL: time.Minute, Keep: time.Hour},
	}
}

// BenchmarkMemoryEveryKind is one run's cost in the store with all guards.
func BenchmarkMemoryEveryKind(b *testing.B) {
	m := NewMemory()
	entries := everyKind("a")
	for i := range entries {
		entries[i].Part = PartRelease
	}
	entries[0].Rate = &RateRule{Limit: 1 << 40, Per: time.Second, Pace: PaceWindow}
	entries[0].TTL = time.Second
	entries = slices.Delete(entries, 1, 2)
	entries[1].Part = PartSuccess
	b.ReportAllocs()
	for b.Loop() {
		token := NewToken()
		if got, err := m.Enter(background, token, entries, 0); err != nil || got.Verdict != VerdictEntered {
			b.Fatal(got, err)
		}
		if _, err := m.Leave(background, token, entries); err != nil {
			b.Fatal(err)
		}
	}
}
