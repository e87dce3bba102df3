// Package slogevents writes the events of executions through log/slog: a line
// for each, with typed attributes.
//
//	stop := slogevents.Subscribe(runtime.Telemetry(), logger,
//		slogevents.Only(cmdx.EventTaskRetried, cmdx.EventIdempotencyDuplicate))
//
// It is for watching what happens inside of executions. The one line per
// execution that tells what became of it needs a logger in the configuration
// and no package.
package slogevents

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/cmdx-go/cmdx/telemetry"
)

// Subscribe lets logger write the events of bus from now on, all of them
// unless options say otherwise, until the returned function is called, which
// may be done more than once. A nil bus and a nil logger write nothing.
//
// A line's message is the event's name and its time the event's. It has task,
// type, tid, cid, root, xid where there is one, and the payload by name: texts,
// numbers, durations, errors, and results as a group without their context's
// data. A payload's value of any other kind is left out, since a handler would
// write whatever it holds.
//
// Lines are written on the goroutine of the execution: a slow handler slows it
// down. One that panics harms nobody.
func Subscribe(bus *telemetry.Bus, logger *slog.Logger, options ...Option) (unsubscribe func()) {
	if bus == nil || logger == nil {
		return func() {}
	}
	s := subscription{handler: logger.Handler(), levels: map[telemetry.EventName]slog.Leveler{}}
	s.names = telemetry.Names()
	for _, set := range options {
		if set != nil {
			set(&s)
		}
	}
	var ends []func()
	for _, name := range s.names {
		ends = append(ends, bus.Subscribe(name, s.write))
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// subscription never changes once its options are read.
type subscription struct {
	handler slog.Handler
	names   []telemetry.EventName
	levels  map[telemetry.EventName]slog.Leveler
}

func (s subscription) write(e telemetry.Event) {
	level := DefaultLevel(e.Name)
	if own, ok := s.levels[e.Name]; ok {
		level = own.Level()
	}
	ctx := context.Background()
	if !s.handler.Enabled(ctx, level) {
		return
	}
	record := slog.NewRecord(e.Time, level, string(e.Name), 0)
	record.AddAttrs(attributes(e)...)
	// Nobody could be told of the handler's error but the handler.
	_ = s.handler.Handle(ctx, record)
}

func attributes(e telemetry.Event) []slog.Attr {
	list := []slog.Attr{
		slog.String("task", e.Task), slog.String("type", e.Type),
		slog.String("tid", e.TID), slog.String("cid", e.CID), slog.Bool("root", e.Root),
	}
	if e.XID != "" {
		list = append(list, slog.String("xid", e.XID))
	}
	for _, name := range slices.Sorted(maps.Keys(e.Payload)) {
		switch value := e.Payload[name].(type) {
		case string, bool, int, int64, uint64, float64, time.Duration, time.Time, error, slog.LogValuer:
			list = append(list, slog.Any(name, value))
		}
	}
	return list
}
