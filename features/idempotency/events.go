package idempotency

import (
	"maps"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Nothing is built for an event that nobody reads.

func emitKey(s run.Scope, name telemetry.EventName, key string) {
	if s.Wants(name) {
		s.Emit(name, map[string]any{keyName: key})
	}
}

func emitError(s run.Scope, name telemetry.EventName, key string, err error) {
	if s.Wants(name) {
		s.Emit(name, map[string]any{keyName: key, "error": err})
	}
}

func emitBlank(s run.Scope, payload map[string]any) {
	if s.Wants(telemetry.EventIdempotencyBlank) {
		s.Emit(telemetry.EventIdempotencyBlank, maps.Clone(payload))
	}
}

// emitDuplicate sends what the result's metadata will hold.
func emitDuplicate(s run.Scope, metadata map[string]any) {
	if s.Wants(telemetry.EventIdempotencyDuplicate) {
		s.Emit(telemetry.EventIdempotencyDuplicate, maps.Clone(metadata))
	}
}

func warn(s run.Scope, message, key string, err error) {
	logger := s.Log()
	switch {
	case logger == nil:
	case err != nil:
		logger.Warn(message, "task", s.TaskName(), keyName, key, "error", err)
	default:
		logger.Warn(message, "task", s.TaskName(), keyName, key)
	}
}
