package lock

import (
	"context"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Step is the guard's name in the pipeline.
const Step = "lock"

var locked = messages.Of(messages.KeyLocked)

const keyName = "lock_key"

// Guard locks a key for a run. It is made once per task type.
type Guard struct {
	run.Keyed
	options Options
	traits  run.Traits
}

// NewGuard makes the guard of effective settings; nil when there is nothing
// to guard.
func NewGuard(s Settings) run.Guard {
	if s.Resolver() == nil {
		return nil
	}
	o := s.Options()
	return &Guard{
		Keyed: run.Keyed{
			KeyName: keyName, Namespace: o.Namespace, Scope: o.Scope,
			Resolver: s.Resolver(), If: o.If, Unless: o.Unless,
		},
		options: o,
		traits: run.Traits{
			Step: Step, Holds: "lock", Asks: "whether the lock is free", KeyName: keyName,
			StoreFailed: telemetry.EventLockStoreFailed,
			Renew:       o.Renew == run.On, Settle: o.Settle, Wait: max(o.Wait, 0), Most: 1,
		},
	}
}

// Traits are the guard's words.
func (g *Guard) Traits() *run.Traits { return &g.traits }

// Prepare asks the gates, then the resolver. A lock that an enclosing run
// holds is not waited for: that run waits for this one.
func (g *Guard) Prepare(ctx context.Context, s run.Scope, entries []stores.Entry) ([]stores.Entry, *run.Refusal, error) {
	key, asked, err := g.Key(ctx, s)
	if err != nil || !asked || key == "" {
		return entries, nil, err
	}
	wait := g.traits.Wait > 0
	if wait {
		_, above := s.LockedAbove(key)
		wait = !above
	}
	return append(entries, stores.Entry{
		Kind: stores.KindLock, Key: key, TTL: g.options.TTL, Wait: wait,
		StepOver: g.options.OnStoreError == run.FailOpen,
	}), nil, nil
}

// Entered tells that the lock was won.
func (g *Guard) Entered(s run.Scope, e *stores.Entry) {
	g.Tell(s, telemetry.EventLockAcquired, e.Key)
}

// Refused makes the conflict of a key that is held, by whomever.
func (g *Guard) Refused(s run.Scope, e *stores.Entry, answer stores.Entered) run.Refusal {
	reason := locked
	retryAfter := answer.RetryAfter
	if task, above := s.LockedAbove(e.Key); above {
		reason = messages.Of(messages.KeyLockedAbove, messages.Given("task", task))
		retryAfter = 0 // it does not end before the outer run has heard of this one
	}
	metadata := g.Keyed.Refused(run.CodeLocked, e.Key, retryAfter)
	g.TellRefusal(s, telemetry.EventLockConflict, metadata)
	return run.Refusal{Policy: g.options.OnConflict, Reason: run.Say(s, reason), Metadata: metadata}
}

// Part gives the lock back, however the run ended.
func (g *Guard) Part(run.Scope, *stores.Entry, run.Ending) stores.Part { return stores.PartRelease }
