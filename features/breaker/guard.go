package breaker

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Step is the guard's name in the pipeline.
const Step = "circuit breaker"

const keyName = "breaker_key"

// Guard asks a circuit before a run and tells it how the run went. It is made
// once per task type.
type Guard struct {
	run.Keyed
	options Options
	rule    stores.BreakerRule
	traits  run.Traits
}

// NewGuard makes the guard of effective settings; nil when there is nothing
// to guard.
func NewGuard(s Settings) run.Guard {
	if s.Resolver() == nil {
		return nil
	}
	o := s.Options()
	g := &Guard{
		Keyed: run.Keyed{
			KeyName: keyName, Namespace: o.Namespace, Scope: o.Scope,
			Resolver: s.Resolver(), If: o.If, Unless: o.Unless,
		},
		options: o,
		rule:    stores.BreakerRule{Threshold: int64(o.Threshold), CoolOff: o.CoolOff, Probes: int64(o.Probes)},
		traits: run.Traits{
			Step: Step, Holds: "circuit", Asks: "whether the circuit is closed", KeyName: keyName,
			StoreFailed: telemetry.EventCircuitStoreFailed, Most: 1,
		},
	}
	if o.FailureRate > 0 {
		g.rule.FailureRate, g.rule.Window, g.rule.MinCalls = o.FailureRate, o.Window, int64(o.MinCalls)
	}
	return g
}

// Traits are the guard's words.
func (g *Guard) Traits() *run.Traits { return &g.traits }

// Prepare asks the gates, then the resolver.
func (g *Guard) Prepare(ctx context.Context, s run.Scope, entries []stores.Entry) ([]stores.Entry, *run.Refusal, error) {
	key, asked, err := g.Key(ctx, s)
	if err != nil || !asked || key == "" {
		return entries, nil, err
	}
	return append(entries, g.entry(key)), nil, nil
}

func (g *Guard) entry(key string) stores.Entry {
	return stores.Entry{
		Kind: stores.KindBreaker, Key: key, TTL: g.options.kept(), Breaker: &g.rule,
		StepOver: g.options.OnStoreError == run.FailOpen,
	}
}

// Entry is the entry of a run by which a circuit is looked at or reset; the
// gates are not asked. ok is false when the key is blank.
func (g *Guard) Entry(ctx context.Context, s run.Scope) (e stores.Entry, ok bool, err error) {
	segment, err := run.Segment(ctx, s, g.Resolver)
	if err != nil || segment == "" {
		return stores.Entry{}, false, err
	}
	key, err := g.Compose(s, segment)
	return g.entry(key), err == nil, err
}

// Answered tells of a circuit that this run made half open, also when a guard
// further in refuses the run.
func (g *Guard) Answered(s run.Scope, e *stores.Entry) {
	if e.Admission.Changed {
		g.Tell(s, telemetry.EventCircuitHalfOpened, e.Key)
	}
}

// Entered has nothing to tell: a run that is let through is no news.
func (g *Guard) Entered(run.Scope, *stores.Entry) {}

// Refused makes the end of a run that the circuit keeps away. It tells
// nothing of the errors that opened it.
func (g *Guard) Refused(s run.Scope, e *stores.Entry, answer stores.Entered) run.Refusal {
	metadata := g.Keyed.Refused(run.CodeCircuitOpen, e.Key, answer.RetryAfter)
	metadata["state"] = answer.State
	g.TellRefusal(s, telemetry.EventCircuitRejected, metadata)
	return run.Refusal{
		Policy: g.options.OnOpen, Metadata: metadata,
		Reason: run.Say(s, messages.Of(messages.KeyCircuitOpen, messages.Given("state", answer.State))),
	}
}

// Part tells the circuit how the call went. A neutral one frees a probe's
// place and leaves a closed circuit alone.
func (g *Guard) Part(s run.Scope, e *stores.Entry, end run.Ending) stores.Part {
	switch {
	case e.Admission.State == "": // stepped over: at most a probe that nobody heard of
		return stores.PartRelease
	case end.Call == run.CallSuccess:
		return stores.PartSuccess
	case end.Call == run.CallFailure && g.counts(s, e, end.Err):
		return stores.PartFailure
	case e.Admission.State == stores.BreakerHalfOpen:
		return stores.PartRelease
	}
	return stores.PartNone
}

// counts asks CountIf. One that panics cannot say that an error is harmless:
// it counts.
func (g *Guard) counts(s run.Scope, e *stores.Entry, err error) (counts bool) {
	defer func() {
		if p := recover(); p != nil {
			counts = true
			g.Warn(s, "cmdx: CountIf panicked; the error counts as a failure of the circuit", e.Key,
				&countError{value: p, stack: debug.Stack()})
		}
	}()
	return g.options.CountIf.Match(err)
}

// countError says that CountIf panicked, and where.
type countError struct {
	value any
	stack []byte
}

// Error names the type of the panic's value, not the value.
func (e *countError) Error() string {
	return fmt.Sprintf("CountIf panicked with a %T:\n%s", e.value, e.stack)
}
