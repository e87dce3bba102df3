package stores

// A Go map keeps the room of its largest hour for ever. So a shard whose map
// has become far too large retires it as the old generation and moves what
// lives to a new one, a few items per write; when the last one has left, the
// old map goes as a whole. Keys are looked for in both meanwhile.

// smallMap is the size from which on a map is worth being replaced.
const smallMap = 512

// generation is a map with a list of its items: the list finds the next one
// in one step, where a map that is almost empty would have to be searched.
type generation struct {
	items map[string]*item
	head  *item
	most  int // the largest size that the map has had
}

func newGeneration() *generation { return &generation{items: make(map[string]*item)} }

// find returns the item of a key; nil when there is none, or no generation.
func (g *generation) find(key string) *item {
	if g == nil {
		return nil
	}
	return g.items[key]
}

// add takes an item into the generation.
func (g *generation) add(it *item) {
	g.items[it.key] = it
	g.most = max(g.most, len(g.items))
	it.home, it.prev, it.next = g, nil, g.head
	if g.head != nil {
		g.head.prev = it
	}
	g.head = it
}

// drop takes an item out of the generation that it stands in.
func (g *generation) drop(it *item) {
	delete(g.items, it.key)
	if it.prev != nil {
		it.prev.next = it.next
	} else {
		g.head = it.next
	}
	if it.next != nil {
		it.next.prev = it.prev
	}
	it.home, it.prev, it.next = nil, nil, nil
}

// oversized tells whether three quarters of a map's room are empty.
func (g *generation) oversized() bool {
	return g.most >= smallMap && len(g.items) <= g.most/4
}

// shrink does one bounded step of replacing an oversized map.
func (s *shard) shrink() {
	if s.old == nil {
		if s.current == nil || !s.current.oversized() {
			return
		}
		s.old, s.current = s.current, newGeneration()
	}
	for range movesPerWrite {
		it := s.old.head
		if it == nil {
			s.old = nil
			return
		}
		s.old.drop(it)
		s.current.add(it)
	}
}
