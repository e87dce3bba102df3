package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Ledger counts what Work has really done, apart from the framework, so that
// the example does not have to believe it. The zero Ledger is ready to use,
// from any number of goroutines.
type Ledger struct {
	// Joint is the file that this process shares with others; nil when it is
	// alone.
	Joint *Joint

	mu    sync.Mutex
	times map[string]int
}

// Record writes down that a delivery was handled. The error is that of the
// joint file.
func (l *Ledger) Record(delivery string) error {
	if l.Joint != nil {
		return l.Joint.record(delivery)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.times == nil {
		l.times = map[string]int{}
	}
	l.times[delivery]++
	return nil
}

// Wrong is a delivery that was not handled exactly once.
type Wrong struct {
	Delivery string
	Times    int
	Sent     bool
}

// String is the line that the example prints.
func (w Wrong) String() string {
	switch {
	case !w.Sent:
		return fmt.Sprintf("%s was never sent and was handled %d times", w.Delivery, w.Times)
	case w.Times == 0:
		return w.Delivery + " was never handled"
	}
	return fmt.Sprintf("%s was handled %d times", w.Delivery, w.Times)
}

// Check returns every delivery that was not handled exactly once, and every
// one that was handled without having been sent, in the order of their ids.
// In a joint ledger others may have been sent by other processes. The error
// is that of the joint file.
func (l *Ledger) Check(sent []string) ([]Wrong, error) {
	if l.Joint != nil {
		times, err := l.Joint.times()
		if err != nil {
			return nil, err
		}
		return judge(times, slices.AppendSeq(slices.Clone(sent), maps.Keys(times))), nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return judge(l.times, sent), nil
}

func judge(times map[string]int, sent []string) []Wrong {
	ids := map[string]bool{}
	for id := range times {
		ids[id] = false
	}
	for _, id := range sent {
		ids[id] = true
	}
	var wrong []Wrong
	for id, wasSent := range ids {
		if n := times[id]; n != 1 || !wasSent {
			wrong = append(wrong, Wrong{Delivery: id, Times: n, Sent: wasSent})
		}
	}
	slices.SortFunc(wrong, func(a, b Wrong) int { return strings.Compare(a.Delivery, b.Delivery) })
	return wrong
}

// twice returns those that were handled though they should not have been any
// more: wrong also when the others had no time to be handled.
func twice(wrong []Wrong) []Wrong {
	return slices.DeleteFunc(slices.Clone(wrong), func(w Wrong) bool { return w.Times == 0 })
}

// distinct returns the ids of deliveries, each once.
func distinct(deliveries []Delivery) []string {
	ids := map[string]bool{}
	for _, d := range deliveries {
		ids[d.ID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}
