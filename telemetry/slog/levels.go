package slogevents

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/cmdx-go/cmdx/telemetry"
)

// Option changes what [Subscribe] writes. Later ones win over earlier ones.
type Option func(*subscription)

// Only writes the events of these names and no others.
func Only(names ...telemetry.EventName) Option {
	return func(s *subscription) { s.names = slices.Compact(slices.Sorted(slices.Values(names))) }
}

// Except leaves the events of these names out.
func Except(names ...telemetry.EventName) Option {
	return func(s *subscription) {
		s.names = slices.DeleteFunc(slices.Clone(s.names), func(n telemetry.EventName) bool { return slices.Contains(names, n) })
	}
}

// Level writes the events of these names, or all when none is given, at
// another level than [DefaultLevel]. A slog.LevelVar is asked for every event.
// nil changes nothing.
func Level(level slog.Leveler, names ...telemetry.EventName) Option {
	return func(s *subscription) {
		if level == nil {
			return
		}
		if len(names) == 0 {
			names = telemetry.Names()
		}
		for _, name := range names {
			s.levels[name] = level
		}
	}
}

// DefaultLevel is the level of an event that no [Level] names: debug for what
// every execution does (started, claimed, acquired, completed, released),
// error for what has failed and may need somebody (…_failed), warn for what
// was lost or tried again, and info for the rest.
func DefaultLevel(name telemetry.EventName) slog.Level {
	_, last, _ := cutLast(string(name), "_")
	switch last {
	case "started", "claimed", "acquired", "completed", "released":
		return slog.LevelDebug
	case "failed":
		return slog.LevelError
	case "lost", "retried", "deprecated", "opened":
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// cutLast cuts around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}
