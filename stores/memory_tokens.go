package stores

import (
	"encoding/binary"
	"time"
)

// record is a token with an instant on the store's clock: when it came, or
// until when it holds.
type record struct {
	token Token
	at    time.Duration
}

// indexedFrom is the number of records from which on they are found by an
// index; fewer are looked through, which costs less and needs no memory.
const indexedFrom = 64

// tokenIndex finds tokens among many records by their position: a hash table
// with open addressing. The zero value is no index.
type tokenIndex struct {
	slots []uint32 // position + 1; 0 for none. The length is a power of two.
}

// makeRoom empties the index and makes it fit for so many records.
func (x *tokenIndex) makeRoom(records int) {
	room := 1
	for room < 2*records {
		room *= 2
	}
	x.slots = make([]uint32, room)
}

// home is the slot at which the search for a token begins. Tokens are random;
// the factor spreads those that a caller has made up.
func (x *tokenIndex) home(t Token) int {
	h := binary.LittleEndian.Uint64(t[:8]) ^ binary.LittleEndian.Uint64(t[8:])
	return int(h*0x9e3779b97f4a7c15>>32) & (len(x.slots) - 1)
}

// slot returns the slot in which a token stands, or the empty one in which it
// would.
func (x *tokenIndex) slot(records []record, t Token) int {
	i := x.home(t)
	for x.slots[i] != 0 && records[x.slots[i]-1].token != t {
		i = (i + 1) & (len(x.slots) - 1)
	}
	return i
}

// find returns the position of a token; -1 for none.
func (x *tokenIndex) find(records []record, t Token) int {
	return int(x.slots[x.slot(records, t)]) - 1
}

// set notes the position of a token, which stands among records there.
func (x *tokenIndex) set(records []record, t Token, position int) {
	x.slots[x.slot(records, t)] = uint32(position + 1)
}

// remove forgets a token and closes the gap, so that no search ends early.
// All records are still in their places.
func (x *tokenIndex) remove(records []record, t Token) {
	gap, mask := x.slot(records, t), len(x.slots)-1
	for i := gap; ; {
		i = (i + 1) & mask
		if x.slots[i] == 0 {
			break
		}
		home := x.home(records[x.slots[i]-1].token)
		if (i-home)&mask >= (i-gap)&mask { // its search passes the gap
			x.slots[gap] = x.slots[i]
			gap = i
		}
	}
	x.slots[gap] = 0
}
