package breaker

import (
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Left reports a circuit that this run opened or closed, and a call that the
// store could not be told of. A call that no longer counts is no news: the
// circuit has changed since it was let through.
func (g *Guard) Left(s run.Scope, e *stores.Entry, answer stores.Answer) {
	switch {
	case answer.Outcome == stores.OutcomeError:
		g.Warn(s, "cmdx: a circuit could not be told how a call went", e.Key, answer.Err)
		g.TellError(s, telemetry.EventCircuitReportFailed, e.Key, answer.Err)
	case answer.Breaker == stores.BreakerOpen:
		g.Warn(s, "cmdx: a circuit has opened", e.Key, nil)
		g.Tell(s, telemetry.EventCircuitOpened, e.Key)
	case answer.Breaker == stores.BreakerClosed:
		g.Tell(s, telemetry.EventCircuitClosed, e.Key)
	}
}
