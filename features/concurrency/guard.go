package concurrency

import (
	"context"
	"strconv"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Step is the guard's name in the pipeline.
const Step = "concurrency"

const keyName = "concurrency_key"

// Guard takes a place for a run. It is made once per task type.
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
			Step: Step, Holds: "place", Asks: "whether a place is free", KeyName: keyName,
			StoreFailed: telemetry.EventConcurrencyStoreFailed,
			Renew:       o.Renew == run.On, Most: 1,
		},
	}
}

// Traits are the guard's words.
func (g *Guard) Traits() *run.Traits { return &g.traits }

// Prepare asks the gates, then the resolver.
func (g *Guard) Prepare(ctx context.Context, s run.Scope, entries []stores.Entry) ([]stores.Entry, *run.Refusal, error) {
	key, asked, err := g.Key(ctx, s)
	if err != nil || !asked || key == "" {
		return entries, nil, err
	}
	return append(entries, stores.Entry{
		Kind: stores.KindPlace, Key: key, TTL: g.options.TTL, Limit: int64(g.options.Limit),
		StepOver: g.options.OnStoreError == run.FailOpen,
	}), nil, nil
}

// Entered tells that a place was taken.
func (g *Guard) Entered(s run.Scope, e *stores.Entry) {
	g.Tell(s, telemetry.EventConcurrencyAcquired, e.Key)
}

// Refused makes the end of a run that found no place.
func (g *Guard) Refused(s run.Scope, e *stores.Entry, answer stores.Entered) run.Refusal {
	metadata := g.Keyed.Refused(run.CodeConcurrencyLimited, e.Key, answer.RetryAfter)
	g.tellLimited(s, metadata)
	return run.Refusal{
		Policy: g.options.OnFull, Metadata: metadata,
		Reason: run.Say(s, messages.Of(messages.KeyNoPlace, messages.Given("limit", strconv.Itoa(g.options.Limit)))),
	}
}

// Part gives the place back, however the run ended.
func (g *Guard) Part(run.Scope, *stores.Entry, run.Ending) stores.Part { return stores.PartRelease }
