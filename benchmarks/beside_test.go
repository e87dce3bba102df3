package benchmarks

import (
	"context"
	"sync"
	"testing"
	"time"
)

// inARow is how often each caller calls before the other side has its turn.
const inARow = 50

// beside measures two ways by turns, so that whatever else the machine does
// meets both, and reports each call's time and their ratio. Either side tells
// whether it did what it should.
func beside(b *testing.B, callers int, floor, subject func(context.Context) bool) {
	ctx := b.Context()
	turn := func(do func(context.Context) bool) time.Duration {
		var all sync.WaitGroup
		start := time.Now()
		for range callers {
			all.Go(func() {
				for range inARow {
					if !do(ctx) {
						b.Error("a call did not do what it should")
						return
					}
				}
			})
		}
		all.Wait()
		return time.Since(start)
	}
	turn(floor) // warm: connections, scripts
	turn(subject)
	var floorTime, subjectTime time.Duration
	turns := 0
	for b.Loop() {
		if turns++; turns%2 == 0 {
			floorTime += turn(floor)
			subjectTime += turn(subject)
		} else {
			subjectTime += turn(subject)
			floorTime += turn(floor)
		}
	}
	calls := float64(turns * callers * inARow)
	b.ReportMetric(0, "ns/op") // of both together: says nothing
	b.ReportMetric(float64(floorTime.Nanoseconds())/calls, "floor-ns/call")
	b.ReportMetric(float64(subjectTime.Nanoseconds())/calls, "execute-ns/call")
	b.ReportMetric(float64(subjectTime)/float64(floorTime), "ratio")
}
