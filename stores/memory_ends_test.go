package stores

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestEndsComeInOrderAndGiveTheirRoomBack(t *testing.T) {
	const n = 100_000 // enough for the list of chunks to shrink too
	random := rand.New(rand.NewPCG(1, 2))
	var e ends
	items := make([]*item, n)
	for i := range items {
		items[i] = &item{end: time.Duration(random.IntN(n))}
		e.push(items[i])
	}
	for _, it := range items[:n/2] {
		it.end = time.Duration(random.IntN(n))
		e.settle(it.rank)
	}
	for _, it := range items[:n/4] {
		e.remove(it.rank)
	}
	if e.size != n-n/4 {
		t.Fatalf("%d are left, want %d", e.size, n-n/4)
	}
	full := cap(e.chunks)
	last := time.Duration(0)
	for e.size > 0 {
		first := e.first()
		if first.end < last {
			t.Fatalf("%d comes after %d", first.end, last)
		}
		last = first.end
		e.remove(first.rank)
		if len(e.chunks) > e.size/endsChunk+2 {
			t.Fatalf("%d chunks for %d items", len(e.chunks), e.size)
		}
	}
	if e.first() != nil {
		t.Error("something is first of none")
	}
	if cap(e.chunks) > full/2 {
		t.Errorf("the list of chunks keeps room for %d of %d", cap(e.chunks), full)
	}
}
