package concurrency

import (
	"maps"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
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

// Left reports a place given back, a loss, or a place that could not be given
// back. The run's own result stays what Work gave.
func (g *Guard) Left(s run.Scope, e *stores.Entry, answer stores.Answer) {
	switch answer.Outcome {
	case stores.OutcomeDone:
		g.Tell(s, telemetry.EventConcurrencyReleased, e.Key)
	case stores.OutcomeLost:
		g.Warn(s, "cmdx: a place ended before its run did", e.Key, nil)
		g.Tell(s, telemetry.EventConcurrencyLost, e.Key)
	case stores.OutcomeError:
		g.Warn(s, "cmdx: a place could not be given back and stays until its ttl ends", e.Key, answer.Err)
		g.TellError(s, telemetry.EventConcurrencyReleaseFailed, e.Key, answer.Err)
	}
}
