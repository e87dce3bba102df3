package concurrency

import (
	"maps"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/telemetry"
)

// tellLimited sends what the result's metadata will hold, and the limit. It
// is not built when nobody reads it.
func (g *Guard) tellLimited(s run.Scope, metadata map[string]any) {
	if s.Wants(telemetry.EventConcurrencyLimited) {
		payload := maps.Clone(metadata)
		payload["limit"] = g.options.Limit
		s.Emit(telemetry.EventConcurrencyLimited, payload)
	}
}
