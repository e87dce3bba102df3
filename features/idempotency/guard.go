package idempotency

import (
	"context"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Step is the guard's name in the pipeline.
const Step = "idempotency claim"

const keyName = "idempotency_key"

var keyIsBlank = messages.Of(messages.KeyKeyBlank)

// Guard claims a key for a run. It is made once per task type.
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
			KeyName: keyName, Namespace: o.Namespace, Resolver: s.Resolver(), If: o.If, Unless: o.Unless,
		},
		options: o,
		traits: run.Traits{
			Step: Step, Holds: "claim", Asks: "whether the claim is free", KeyName: keyName,
			StoreFailed: telemetry.EventIdempotencyStoreFailed,
			Renew:       o.Renew == run.On, Settle: o.Settle, Most: 1,
		},
	}
}

// Traits are the guard's words.
func (g *Guard) Traits() *run.Traits { return &g.traits }

// Prepare asks the gates, then the resolver.
func (g *Guard) Prepare(ctx context.Context, s run.Scope, entries []stores.Entry) ([]stores.Entry, *run.Refusal, error) {
	key, asked, err := g.Key(ctx, s)
	switch {
	case err != nil || !asked:
		return entries, nil, err
	case key == "":
		return entries, g.blank(s), nil
	}
	return append(entries, stores.Entry{
		Kind: stores.KindClaim, Key: key,
		TTL: g.options.ProcessingTTL, Keep: g.options.TTL,
		StepOver: g.options.OnStoreError == run.FailOpen,
	}), nil, nil
}

// blank is nil when a run with a blank key may go on.
func (g *Guard) blank(s run.Scope) *run.Refusal {
	if g.options.OnBlank != run.PolicyFail {
		emitBlank(s, nil)
		return nil
	}
	metadata := map[string]any{"code": run.CodeKeyBlank}
	emitBlank(s, metadata)
	return &run.Refusal{Policy: run.PolicyFail, Reason: run.Say(s, keyIsBlank), Metadata: metadata}
}

// Entered tells that the claim was won.
func (g *Guard) Entered(s run.Scope, e *stores.Entry) {
	g.Tell(s, telemetry.EventIdempotencyClaimed, e.Key)
}

// Refused makes the duplicate of a key that is already held.
func (g *Guard) Refused(s run.Scope, e *stores.Entry, answer stores.Entered) run.Refusal {
	policy := g.options.OnDuplicate
	if answer.State == stores.ValueProcessing {
		policy = g.options.OnProcessing
	}
	metadata := map[string]any{"code": run.CodeDuplicate, keyName: e.Key, "state": answer.State}
	g.TellRefusal(s, telemetry.EventIdempotencyDuplicate, metadata)
	duplicate := messages.Of(messages.KeyDuplicate, messages.Given("state", answer.State))
	return run.Refusal{Policy: policy, Metadata: metadata, Reason: run.Say(s, duplicate)}
}

// Part completes the claim of a success and frees the key otherwise.
func (g *Guard) Part(_ run.Scope, _ *stores.Entry, end run.Ending) stores.Part {
	if end.Succeeded {
		return stores.PartComplete
	}
	return stores.PartRelease
}

// Left reports a completion, a loss, or a change that could not be made. The
// run's own result stays what Work gave.
func (g *Guard) Left(s run.Scope, e *stores.Entry, answer stores.Answer) {
	switch {
	case answer.Outcome == stores.OutcomeLost:
		g.Warn(s, "cmdx: a claim ended, or went to another run, before its run did", e.Key, nil)
		g.Tell(s, telemetry.EventIdempotencyLost, e.Key)
	case answer.Outcome == stores.OutcomeDone && e.Part == stores.PartComplete:
		g.Tell(s, telemetry.EventIdempotencyCompleted, e.Key)
	case answer.Outcome == stores.OutcomeDone && e.Part == stores.PartTakeBack:
		g.Tell(s, telemetry.EventIdempotencyTakenBack, e.Key)
	case answer.Outcome == stores.OutcomeError && e.Part == stores.PartComplete:
		g.Warn(s, "cmdx: a success could not be marked as completed", e.Key, answer.Err)
		g.TellError(s, telemetry.EventIdempotencyCompletionFailed, e.Key, answer.Err)
	case answer.Outcome == stores.OutcomeError:
		g.Warn(s, "cmdx: a claim could not be released and stays until its ttl ends", e.Key, answer.Err)
		g.TellError(s, telemetry.EventIdempotencyReleaseFailed, e.Key, answer.Err)
	}
}
