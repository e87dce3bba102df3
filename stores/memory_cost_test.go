package stores

import (
	"strconv"
	"testing"
	"time"
)

func TestMemoryAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	m, token := NewMemory(), NewToken()
	// Room beforehand: the map and the ends grow now and then.
	for i := range 20_000 {
		_, _ = m.Set(background, "room:"+strconv.Itoa(i), "1", SetOptions{TTL: time.Hour})
	}
	entries := []Entry{{Kind: KindClaim, Key: "a", TTL: time.Hour, Keep: time.Hour}}
	cycle := func(part Part) func() {
		return func() {
			_, _ = m.Enter(background, token, entries, 0)
			entries[0].Part = part
			_, _ = m.Leave(background, token, entries)
		}
	}
	for _, c := range []struct {
		name string
		most float64
		f    func()
	}{
		{"Enter of a new key and Leave: the item and the answers", 2, cycle(PartRelease)},
		{"Enter of an own key and Leave: the answers", 1, cycle(PartNone)},
		{"refused Enter", 0, func() { _, _ = m.Enter(background, Token{1}, entries, 0) }},
		{"Extend: the answers", 1, func() { _, _ = m.Extend(background, token, entries) }},
		{"TakeBack", 0, func() { m.TakeBack(Token{1}, entries) }},
		{"Get", 0, func() { _, _, _ = m.Get(background, "a") }},
		{"Set of a present key", 0, func() { _, _ = m.Set(background, "room:1", "1", SetOptions{TTL: time.Hour}) }},
	} {
		if got := testing.AllocsPerRun(200, c.f); got > c.most {
			t.Errorf("%s: %.0f allocations, want %.0f at most", c.name, got, c.most)
		}
	}
}

// BenchmarkMemoryNewKey is one run's cost in the store: a claim is entered
// and completed, each time under a new key.
func BenchmarkMemoryNewKey(b *testing.B) {
	m, token := NewMemory(), NewToken()
	keys := make([]string, b.N)
	for i := range keys {
		keys[i] = "cmdx:idem:Benchmark:" + strconv.Itoa(i)
	}
	entries := []Entry{{Kind: KindClaim, TTL: time.Minute, Keep: time.Minute, Part: PartComplete}}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		entries[0].Key = keys[i]
		if got, err := m.Enter(background, token, entries, 0); err != nil || got.Verdict != VerdictEntered {
			b.Fatal(got, err)
		}
		if _, err := m.Leave(background, token, entries); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMemoryReleasedKey is the same with a key that is free each time.
func BenchmarkMemoryReleasedKey(b *testing.B) {
	m, token := NewMemory(), NewToken()
	entries := []Entry{{Kind: KindClaim, Key: "cmdx:idem:Benchmark:1", TTL: time.Minute, Part: PartRelease}}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = m.Enter(background, token, entries, 0)
		_, _ = m.Leave(background, token, entries)
	}
}

// BenchmarkMemoryDuplicate is a refused Enter.
func BenchmarkMemoryDuplicate(b *testing.B) {
	m := NewMemory()
	entries := []Entry{{Kind: KindClaim, Key: "cmdx:idem:Benchmark:1", TTL: time.Hour}}
	_, _ = m.Enter(background, NewToken(), entries, 0)
	token := NewToken()
	b.ReportAllocs()
	for b.Loop() {
		if got, err := m.Enter(background, token, entries, 0); err != nil || got.Verdict != VerdictRefused {
			b.Fatal(got, err)
		}
	}
}

// BenchmarkMemoryParallel is runs of different keys from all processors.
func BenchmarkMemoryParallel(b *testing.B) {
	m := NewMemory()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		token := NewToken()
		entries := []Entry{{Kind: KindClaim, Key: "cmdx:idem:Benchmark:" + token.String(), TTL: time.Minute, Part: PartRelease}}
		for pb.Next() {
			_, _ = m.Enter(background, token, entries, 0)
			_, _ = m.Leave(background, token, entries)
		}
	})
}
