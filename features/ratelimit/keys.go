package ratelimit

import (
	"strconv"
	"strings"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

const (
	smooth = ":smooth:"
	window = ":window"
)

// suffixed makes the last part of a limit's key. All windows of a segment
// share one key, a smooth limit has a key of its own; a segment that already
// ends like one of the two is kept apart from both.
func (o *Options) suffixed(segment string) string {
	if o.Pace == stores.PaceSmooth {
		return segment + smooth + strconv.FormatInt(millis(o.Per), 10)
	}
	if strings.HasSuffix(segment, window) || endsSmooth(segment) {
		return segment + window
	}
	return segment
}

// endsSmooth tells whether a segment ends as the keys of smooth limits do.
func endsSmooth(segment string) bool {
	i := strings.LastIndex(segment, smooth)
	return i >= 0 && strings.Trim(segment[i+len(smooth):], "0123456789") == ""
}

// millis rounds up, as stores do.
func millis(d time.Duration) int64 {
	n := int64(d / time.Millisecond)
	if d%time.Millisecond > 0 {
		n++
	}
	return n
}
