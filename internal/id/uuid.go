// Package id makes the identifiers of executions and chains.
package id

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// At returns a UUIDv7 (RFC 9562) of the time at, whenever it is called. The
// twelve bits behind the millisecond hold its fraction, so that ids of one
// millisecond sort by time too.
func At(at time.Time) string {
	id := uuid.New()
	ms := at.UnixMilli()
	fraction := (at.UnixMicro() - ms*1000) * 4096 / 1000
	var stamp [8]byte
	binary.BigEndian.PutUint64(stamp[:], uint64(ms)<<16|0x7000|uint64(fraction&0xfff))
	copy(id[:8], stamp[:])
	return id.String()
}
