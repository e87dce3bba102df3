package lock

import (
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Left reports a release, a loss, or a release that could not be made. The
// run's own result stays what Work gave.
func (g *Guard) Left(s run.Scope, e *stores.Entry, answer stores.Answer) {
	switch answer.Outcome {
	case stores.OutcomeDone:
		g.Tell(s, telemetry.EventLockReleased, e.Key)
	case stores.OutcomeLost:
		g.Warn(s, "cmdx: a lock ended, or went to another run, before its run did", e.Key, nil)
		g.Tell(s, telemetry.EventLockLost, e.Key)
	case stores.OutcomeError:
		g.Warn(s, "cmdx: a lock could not be given back and stays until its ttl ends", e.Key, answer.Err)
		g.TellError(s, telemetry.EventLockReleaseFailed, e.Key, answer.Err)
	}
}
