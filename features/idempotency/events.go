package idempotency

import (
	"maps"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/telemetry"
)

// emitBlank tells of a blank key, about which there is nothing to say but the
// code of a refusal. It is not built when nobody reads it.
func emitBlank(s run.Scope, payload map[string]any) {
	if s.Wants(telemetry.EventIdempotencyBlank) {
		s.Emit(telemetry.EventIdempotencyBlank, maps.Clone(payload))
	}
}
