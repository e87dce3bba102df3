package cmdxtest

import (
	"time"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

// Runtime is a *cmdx.Runtime of a test's own: an empty memory store whose time
// the test can move, a bus that nobody else hears, and a recorder.
type Runtime struct {
	*cmdx.Runtime
	// Memory is the store; nil when an option has put another in its place.
	Memory *stores.Memory
	// Events has recorded every event since the runtime was made.
	Events *Recorder

	t TB
}

// NewRuntime makes a runtime for a test; the options change its configuration
// first. Its recorder stops when the test ends.
//
// In a bubble of testing/synctest time.Sleep moves the store too, with every
// timer and deadline; make the runtime inside of the bubble. Outside of one,
// [Runtime.Advance] moves the store alone.
//
// It is not the default runtime: tasks are run by its Execute, and what they
// run from their Work follows it.
func NewRuntime(t TB, options ...func(*cmdx.Configuration)) *Runtime {
	t.Helper()
	memory := stores.NewMemory()
	c := cmdx.Configuration{Store: memory, Telemetry: &cmdx.Telemetry{}}
	for _, change := range options {
		if change != nil {
			change(&c)
		}
	}
	rt := &Runtime{Runtime: cmdx.New(c), t: t}
	rt.Memory, _ = rt.Store().(*stores.Memory)
	rt.Events = NewRecorder(rt.Runtime)
	t.Cleanup(rt.Events.Stop)
	return rt
}

// Advance lets the store believe that d has passed: claims and whatever else
// it holds run out. Nothing else moves: pauses of retries, timeouts and the
// lease of a run under way are measured by the process's clock. It ends the
// test when the runtime has a store of another kind.
func (r *Runtime) Advance(d time.Duration) {
	r.t.Helper()
	if r.Memory == nil {
		r.t.Fatalf("cmdxtest: Advance moves a *stores.Memory only, and this runtime has a %T", r.Store())
		return
	}
	r.Memory.Advance(d)
}
