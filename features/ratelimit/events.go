package ratelimit

import (
	"maps"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/telemetry"
)

// tellLimited sends what the result's metadata will hold, and the limit. It
// is not built when nobody reads it.
func (l *limit) tellLimited(s run.Scope, metadata map[string]any) {
	if s.Wants(telemetry.EventRateLimited) {
		payload := maps.Clone(metadata)
		payload["limit"], payload["per"] = l.options.Limit, l.options.Per
		s.Emit(telemetry.EventRateLimited, payload)
	}
}
