package cmdxtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Recorder keeps the events of a runtime in the order in which they came. All
// methods may be called from any number of goroutines, also while executions
// go on; what they return is the caller's own.
type Recorder struct {
	mu     sync.Mutex
	events []cmdx.Event
	stop   []func()
}

// NewRecorder records the events of these names, or all that there are when
// none is given, from now on until [Recorder.Stop].
func NewRecorder(rt *cmdx.Runtime, names ...cmdx.EventName) *Recorder {
	if len(names) == 0 {
		names = telemetry.Names()
	}
	r := &Recorder{}
	for _, name := range names {
		r.stop = append(r.stop, rt.Telemetry().Subscribe(name, r.record))
	}
	return r
}

func (r *Recorder) record(e cmdx.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// Filter returns the events for which keep is true, in order. A nil keep
// keeps all.
func (r *Recorder) Filter(keep func(cmdx.Event) bool) []cmdx.Event {
	r.mu.Lock()
	events := slices.Clone(r.events)
	r.mu.Unlock()
	if keep != nil { // not under the lock: keep may ask the recorder
		events = slices.DeleteFunc(events, func(e cmdx.Event) bool { return !keep(e) })
	}
	for i := range events {
		events[i].Payload = maps.Clone(events[i].Payload)
	}
	return events
}

// Events returns the events of these names, or all when none is given, in
// order.
func (r *Recorder) Events(names ...cmdx.EventName) []cmdx.Event {
	return r.Filter(func(e cmdx.Event) bool { return len(names) == 0 || slices.Contains(names, e.Name) })
}

// Of returns the events of one execution, in order.
func (r *Recorder) Of(result *cmdx.Result) []cmdx.Event {
	tid := result.TID()
	return r.Filter(func(e cmdx.Event) bool { return e.TID == tid })
}

// Names returns the names of all events, in order: what happened, as one list
// to compare.
func (r *Recorder) Names() []cmdx.EventName {
	var names []cmdx.EventName
	for _, e := range r.Filter(nil) {
		names = append(names, e.Name)
	}
	return names
}

// Payloads returns the payloads of all events of a name, in order.
func (r *Recorder) Payloads(name cmdx.EventName) []map[string]any {
	var payloads []map[string]any
	for _, e := range r.Events(name) {
		payloads = append(payloads, e.Payload)
	}
	return payloads
}

// Reset forgets what was recorded and goes on recording.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = nil
}

// Stop ends the recording; what was recorded stays. It may be called more than
// once.
func (r *Recorder) Stop() {
	for _, stop := range r.stop {
		stop()
	}
}

// String lists the events, a line each.
func (r *Recorder) String() string {
	var lines []string
	for _, e := range r.Filter(nil) {
		lines = append(lines, fmt.Sprintf("%s %s", e.Name, e.Task))
	}
	return strings.Join(lines, "\n")
}
