package ratelimit

import (
	"context"
	"strconv"
	"time"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Step is the guard's name in the pipeline.
const Step = "rate limit"

const keyName = "rate_key"

// Guard counts a run by all limits of a task type. It is made once per type.
type Guard struct {
	limits []limit
	traits run.Traits
}

// limit is one of a guard's limits.
type limit struct {
	run.Keyed
	options Options
	rule    stores.RateRule
	ttl     time.Duration
}

// NewGuard makes the guard of effective settings; nil when there is nothing
// to guard.
func NewGuard(s Settings) run.Guard {
	if s.Resolver() == nil {
		return nil
	}
	list := s.Options()
	g := &Guard{
		limits: make([]limit, len(list)),
		traits: run.Traits{
			Step: Step, Holds: "rate limit", Asks: "whether the rate limit lets the run pass", KeyName: keyName,
			StoreFailed: telemetry.EventRateLimitStoreFailed, Most: len(list),
		},
	}
	for i, o := range list {
		l := &g.limits[i]
		l.KeyName, l.Namespace, l.Scope = keyName, o.Namespace, o.Scope
		l.Resolver, l.If, l.Unless = s.Resolver(), o.If, o.Unless
		l.options = o
		l.rule = stores.RateRule{Limit: int64(o.Limit), Per: o.Per, Pace: o.Pace}
		l.ttl = list.remembered(o)
	}
	return g
}

// remembered is how long the calls under a limit's key count: those of
// several windows lie in one log.
func (l List) remembered(o Options) time.Duration {
	longest := o.Per
	for _, other := range l {
		if o.Pace == stores.PaceWindow && other.Pace == o.Pace && other.Namespace == o.Namespace && other.Scope == o.Scope {
			longest = max(longest, other.Per)
		}
	}
	return longest
}

// Traits are the guard's words.
func (g *Guard) Traits() *run.Traits { return &g.traits }

// Prepare asks the gates of every limit, and the resolver once.
func (g *Guard) Prepare(ctx context.Context, s run.Scope, entries []stores.Entry) ([]stores.Entry, *run.Refusal, error) {
	segment, asked := "", false
	for i := range g.limits {
		l := &g.limits[i]
		if !run.Allowed(ctx, s.Subject(), l.If, l.Unless) {
			continue
		}
		key, known := l.Known()
		if !known && !asked {
			var err error
			if segment, err = run.Segment(ctx, s, l.Resolver); err != nil {
				return entries, nil, err
			}
			asked = true
		}
		if !known {
			if segment == "" {
				return entries, nil, nil
			}
			var err error
			if key, err = l.Compose(s, l.options.suffixed(segment)); err != nil {
				return entries, nil, err
			}
		}
		entries = append(entries, stores.Entry{
			Kind: stores.KindRate, Key: key, TTL: l.ttl, Rate: &l.rule,
			StepOver: l.options.OnStoreError == run.FailOpen,
		})
	}
	return entries, nil, nil
}

// of finds the limit that made an entry.
func (g *Guard) of(e *stores.Entry) *limit {
	for i := range g.limits {
		if e.Rate == &g.limits[i].rule {
			return &g.limits[i]
		}
	}
	return &g.limits[0]
}

// Entered has nothing to tell: a run that is let through is no news.
func (g *Guard) Entered(run.Scope, *stores.Entry) {}

// Refused makes the end of a run that is over the limit of e.
func (g *Guard) Refused(s run.Scope, e *stores.Entry, answer stores.Entered) run.Refusal {
	l := g.of(e)
	metadata := l.Keyed.Refused(run.CodeRateLimited, e.Key, answer.RetryAfter)
	l.tellLimited(s, metadata)
	return run.Refusal{
		Policy: l.options.OnLimit, Metadata: metadata,
		Reason: run.Say(s, messages.Of(messages.KeyRateLimited,
			messages.Given("limit", strconv.Itoa(l.options.Limit)), messages.Given("per", l.options.Per.String()))),
	}
}

// Part is none: what was counted stays counted.
func (g *Guard) Part(run.Scope, *stores.Entry, run.Ending) stores.Part { return stores.PartNone }

// Left has nothing to tell.
func (g *Guard) Left(run.Scope, *stores.Entry, stores.Answer) {}
