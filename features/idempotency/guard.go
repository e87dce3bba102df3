package idempotency

import (
	"context"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Step is the guard's name in the pipeline.
const Step = "idempotency claim"

const keyName = "idempotency_key"

// Guard claims a key for a run. It is made once per task type.
type Guard struct {
	resolver run.KeyResolver
	options  Options
}

// NewGuard makes the guard of effective settings; nil when there is nothing
// to guard.
func NewGuard(s Settings) run.Guard {
	if s.resolver == nil {
		return nil
	}
	return &Guard{resolver: s.resolver, options: s.Options()}
}

// Traits are the guard's words.
func (g *Guard) Traits() run.Traits {
	return run.Traits{
		Step: Step, Holds: "claim", KeyName: keyName,
		StoreFailed: telemetry.EventIdempotencyStoreFailed, OnStoreError: g.options.OnStoreError,
		Renew: g.options.Renew == run.On,
	}
}

// Prepare asks the gates, then the resolver.
func (g *Guard) Prepare(ctx context.Context, s run.Scope) (run.Preparation, error) {
	if !run.Allowed(ctx, s.Subject(), g.options.If, g.options.Unless) {
		return run.Preparation{}, nil
	}
	value, err := g.resolver.Key(ctx, s.Subject())
	if err != nil {
		return run.Preparation{}, err
	}
	segment, err := stores.Segment(value)
	if err != nil {
		return run.Preparation{}, err
	}
	if segment == "" {
		return g.blank(s), nil
	}
	key, err := stores.Compose(g.options.Namespace, s.TaskName(), segment)
	if err != nil {
		return run.Preparation{}, err
	}
	return run.Preparation{Active: true, Entry: stores.Entry{
		Kind: stores.KindClaim, Key: key,
		TTL: g.options.ProcessingTTL, Keep: g.options.TTL,
		StepOver: g.options.OnStoreError == run.FailOpen,
	}}, nil
}

func (g *Guard) blank(s run.Scope) run.Preparation {
	if g.options.OnBlank != run.PolicyFail {
		emitBlank(s, nil)
		return run.Preparation{}
	}
	metadata := map[string]any{"code": run.CodeKeyBlank}
	emitBlank(s, metadata)
	return run.Preparation{Refusal: &run.Refusal{
		Policy: run.PolicyFail, Reason: "the idempotency key is blank", Metadata: metadata,
	}}
}

// Entered tells that the claim was won.
func (g *Guard) Entered(s run.Scope, e stores.Entry) {
	emitKey(s, telemetry.EventIdempotencyClaimed, e.Key)
}

// Refused makes the duplicate of a key that is already held.
func (g *Guard) Refused(s run.Scope, e stores.Entry, answer stores.Entered) run.Refusal {
	policy := g.options.OnDuplicate
	if answer.State == stores.ValueProcessing {
		policy = g.options.OnProcessing
	}
	metadata := map[string]any{"code": run.CodeDuplicate, keyName: e.Key, "state": answer.State}
	emitDuplicate(s, metadata)
	return run.Refusal{
		Policy: policy, Metadata: metadata,
		Reason: "duplicate: the idempotency key is already held (state=" + answer.State + ")",
	}
}

// Part completes the claim of a success and frees the key otherwise.
func (g *Guard) Part(end run.Ending) stores.Part {
	if end.Succeeded {
		return stores.PartComplete
	}
	return stores.PartRelease
}

// Left reports a completion, a loss, or a change that could not be made. The
// run's own result stays what Work gave.
func (g *Guard) Left(s run.Scope, e stores.Entry, answer stores.Answer) {
	switch {
	case answer.Outcome == stores.OutcomeLost:
		warn(s, "cmdx: a claim ended, or went to another run, before its run did", e.Key, nil)
		emitKey(s, telemetry.EventIdempotencyLost, e.Key)
	case answer.Outcome == stores.OutcomeDone && e.Part == stores.PartComplete:
		emitKey(s, telemetry.EventIdempotencyCompleted, e.Key)
	case answer.Outcome == stores.OutcomeError && e.Part == stores.PartComplete:
		warn(s, "cmdx: a success could not be marked as completed", e.Key, answer.Err)
		emitError(s, telemetry.EventIdempotencyCompletionFailed, e.Key, answer.Err)
	case answer.Outcome == stores.OutcomeError:
		warn(s, "cmdx: a claim could not be released and stays until its ttl ends", e.Key, answer.Err)
		emitError(s, telemetry.EventIdempotencyReleaseFailed, e.Key, answer.Err)
	}
}
