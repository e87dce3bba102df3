package stores

// endsChunk is how many items a chunk of ends holds: 1 KiB of pointers.
const endsChunk = 128

// ends orders a shard's items by their end: a binary heap, the first to die
// on top. It grows and shrinks by chunks, so that no step copies all of it.
type ends struct {
	chunks []*[endsChunk]*item
	size   int
}

func (e *ends) at(i int) *item { return e.chunks[i/endsChunk][i%endsChunk] }

func (e *ends) place(i int, it *item) {
	e.chunks[i/endsChunk][i%endsChunk] = it
	it.rank = i
}

// first returns the item that ends first; nil when there is none.
func (e *ends) first() *item {
	if e.size == 0 {
		return nil
	}
	return e.at(0)
}

// push adds an item.
func (e *ends) push(it *item) {
	if e.size == len(e.chunks)*endsChunk {
		e.chunks = append(e.chunks, new([endsChunk]*item))
	}
	e.place(e.size, it)
	e.size++
	e.rise(it.rank)
}

// remove takes out the item of a rank.
func (e *ends) remove(rank int) {
	e.size--
	last := e.at(e.size)
	e.chunks[e.size/endsChunk][e.size%endsChunk] = nil
	if rank != e.size {
		e.place(rank, last)
		e.settle(rank)
	}
	// One empty chunk stays, so that a size around its edge allocates nothing.
	if spare := len(e.chunks) - 1; spare > 0 && e.size <= (spare-1)*endsChunk {
		e.chunks[spare] = nil
		e.chunks = e.chunks[:spare]
	}
	// The list of chunks is a 128th of the heap; a new one costs next to nothing.
	if cap(e.chunks) >= smallMap && len(e.chunks) <= cap(e.chunks)/4 {
		e.chunks = append(make([]*[endsChunk]*item, 0, len(e.chunks)*2), e.chunks...)
	}
}

// settle moves an item whose end has changed to its place.
func (e *ends) settle(rank int) {
	if !e.rise(rank) {
		e.sink(rank)
	}
}

// rise moves an item towards the top while it ends before what lies above.
func (e *ends) rise(rank int) (moved bool) {
	it := e.at(rank)
	for rank > 0 {
		above := (rank - 1) / 2
		other := e.at(above)
		if other.end <= it.end {
			break
		}
		e.place(rank, other)
		rank, moved = above, true
	}
	e.place(rank, it)
	return moved
}

// sink moves an item away from the top while it ends after what lies below.
func (e *ends) sink(rank int) {
	it := e.at(rank)
	for {
		below := 2*rank + 1
		if below >= e.size {
			break
		}
		if right := below + 1; right < e.size && e.at(right).end < e.at(below).end {
			below = right
		}
		other := e.at(below)
		if it.end <= other.end {
			break
		}
		e.place(rank, other)
		rank = below
	}
	e.place(rank, it)
}
