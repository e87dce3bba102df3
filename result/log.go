package result

import (
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/cmdx-go/cmdx/internal/safejson"
)

// keys are all that ToMap may hold.
var keys = []string{
	"xid", "cid", "index", "root", "type", "task", "tid", "context", "state", "status", "reason",
	"metadata", "strict", "deprecated", "retried", "retries", "duration", "tags",
	"cause", "origin", "threw_failure", "caused_failure", "rolled_back",
}

// IsKey tells whether ToMap may hold the key.
func IsKey(key string) bool { return slices.Contains(keys, key) }

// LogValue gives a logger the result as typed attributes, under the keys of
// ToMap, without the context's data.
func (r *Result) LogValue() slog.Value { return r.LogValueWithout("context") }

// LogValueWithout is LogValue with other keys of ToMap left out. The context's
// data are in it, as JSON, unless "context" is named. What says nothing (an
// empty reason, no retries, a flag that is not set) is left out anyway.
func (r *Result) LogValueWithout(exclude ...string) slog.Value {
	attrs := []slog.Attr{
		slog.String("task", r.TaskName()), slog.String("type", r.Type()),
		slog.String("tid", r.TID()), slog.String("cid", r.CID()), slog.Int("index", r.Index()),
		slog.String("state", string(r.State())), slog.String("status", string(r.outcome.Status)),
		slog.Duration("duration", r.duration),
	}
	if xid := r.XID(); xid != "" {
		attrs = append(attrs, slog.String("xid", xid))
	}
	if r.outcome.Reason != "" {
		attrs = append(attrs, slog.String("reason", r.outcome.Reason))
	}
	if len(r.outcome.Metadata) > 0 {
		attrs = append(attrs, logMap("metadata", r.shownMetadata()))
	}
	if r.retries > 0 {
		attrs = append(attrs, slog.Int("retries", r.Retries()))
	}
	attrs = append(attrs, r.logFailure()...)
	attrs = append(attrs, r.logFlags()...)
	if tags := r.Tags(); len(tags) > 0 {
		attrs = append(attrs, slog.Any("tags", tags))
	}
	if !slices.Contains(exclude, "context") {
		attrs = append(attrs, slog.String("context", string(safejson.Brief(r.Context().ToShow()))))
	}
	return slog.GroupValue(slices.DeleteFunc(attrs, func(a slog.Attr) bool { return slices.Contains(exclude, a.Key) })...)
}

func (r *Result) logFailure() (attrs []slog.Attr) {
	if r.outcome.Cause != nil {
		attrs = append(attrs, slog.String("cause", Text(r.shownCause())))
	}
	if r.outcome.Origin != nil {
		attrs = append(attrs, slog.String("origin", r.outcome.Origin.TaskName()))
	}
	return attrs
}

func (r *Result) logFlags() (attrs []slog.Attr) {
	for _, flag := range []struct {
		name string
		set  bool
	}{{"strict", r.strict}, {"deprecated", r.deprecated}, {"rolled_back", r.rolledBack}} {
		if flag.set {
			attrs = append(attrs, slog.Bool(flag.name, true))
		}
	}
	return attrs
}

// logMap is a group of what m holds: plain values with their type, all others
// as JSON, since a handler would write a value of another kind by methods that
// may fail or tell too much.
func logMap(name string, m map[string]any) slog.Attr {
	var attrs []any
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch v := m[key].(type) {
		case string, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, time.Duration, time.Time:
			attrs = append(attrs, slog.Any(key, v))
		default:
			attrs = append(attrs, slog.String(key, string(safejson.Brief(v))))
		}
	}
	return slog.Group(name, attrs...)
}
