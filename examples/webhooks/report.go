package main

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/telemetry"
)

// EventCounts counts events per kind.
type EventCounts map[cmdx.EventName]*atomic.Int64

// countEvents counts what the bus carries from now on.
func countEvents(bus *cmdx.Telemetry) EventCounts {
	counts := EventCounts{}
	for _, name := range telemetry.Names() {
		count := &atomic.Int64{}
		counts[name] = count
		bus.Subscribe(name, func(cmdx.Event) { count.Add(1) })
	}
	return counts
}

// Report is what the example prints at its end.
type Report struct {
	Deliveries, Distinct, Skipped int
	Tally                         *Tally
	Events                        EventCounts
	Wall                          time.Duration
	// Guards tells that the task has guards whose refusals are shown.
	Guards bool
}

// Print writes the table.
func (r *Report) Print(w io.Writer) {
	row := func(name string, value any) { fmt.Fprintf(w, "%-36s %8v\n", name, value) }
	row("deliveries read", r.Deliveries)
	row("distinct ids", r.Distinct)
	row("lines skipped", r.Skipped)
	row("handled", r.Tally.Handled.Load())
	row("duplicates skipped (completed)", r.Tally.Completed.Load())
	row("duplicates refused (processing)", r.Tally.InProgress.Load())
	if r.Guards {
		row("refused (rate_limited)", r.Tally.Refused.RateLimited.Load())
		row("refused (circuit_open)", r.Tally.Refused.CircuitOpen.Load())
		row("refused (concurrency_limited)", r.Tally.Refused.ConcurrencyLimited.Load())
		row("refused (locked)", r.Tally.Refused.Locked.Load())
	}
	row("retried", r.Events[cmdx.EventTaskRetried].Load())
	row("failed", r.Tally.Failed.Load())
	row("redelivered", r.Tally.Redelivered.Load())
	row("given up", r.Tally.GivenUp.Load())
	row("wall time", r.Wall.Round(time.Millisecond))
	fmt.Fprintln(w, "\nevents")
	for _, name := range telemetry.Names() {
		row("  "+string(name), r.Events[name].Load())
	}
}
