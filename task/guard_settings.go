package task

import (
	"reflect"

	"github.com/cmdx-go/cmdx/features/breaker"
	"github.com/cmdx-go/cmdx/features/concurrency"
	"github.com/cmdx-go/cmdx/features/lock"
	"github.com/cmdx-go/cmdx/features/ratelimit"
	"github.com/cmdx-go/cmdx/features/retry"
	"github.com/cmdx-go/cmdx/internal/run"
)

// LockWith lets one run at a time work under a key. A resolver replaces the
// inherited one, nil keeps it, Disabled turns the lock off; options merge over
// the inherited ones. A run whose key is blank (missing, nil, "") goes on
// without a lock.
func (c *Config) LockWith(key run.KeyResolver, options ...lock.Options) {
	site, ok := c.declaring("LockWith")
	if !ok || !c.guardKey("LockWith", site, key) {
		return
	}
	for _, o := range options {
		c.problems("LockWith", site, o.Validate())
		c.gates("LockWith", site, o.If, o.Unless)
	}
	c.lock = c.lock.With(key, options...)
	c.withSite("LockWith", site)
}

// RateLimit bounds how many runs of a key begin in a time; each rate is a
// limit of its own, and a run must pass all of them. A resolver replaces the
// inherited one, nil keeps it or counts for the whole type where nothing is
// inherited, Disabled turns the limits off. Rates replace the inherited ones
// as a whole. A run whose key is blank is not counted.
func (c *Config) RateLimit(key run.KeyResolver, rates ...ratelimit.Options) {
	site, ok := c.declaring("RateLimit")
	if !ok || !c.guardKey("RateLimit", site, key) {
		return
	}
	list := ratelimit.List(rates)
	c.problems("RateLimit", site, list.Validate())
	for _, o := range rates {
		c.gates("RateLimit", site, o.If, o.Unless)
	}
	c.rates = c.rates.OrPerTask(key, list)
	c.withSite("RateLimit", site)
}

// CircuitBreaker keeps runs away from something that fails. A resolver
// replaces the inherited one, nil keeps it or lets the circuit be that of the
// whole type where nothing is inherited, Disabled turns it off; options merge
// over the inherited ones. A run whose key is blank does not ask.
func (c *Config) CircuitBreaker(key run.KeyResolver, options ...breaker.Options) {
	site, ok := c.declaring("CircuitBreaker")
	if !ok || !c.guardKey("CircuitBreaker", site, key) {
		return
	}
	for _, o := range options {
		c.problems("CircuitBreaker", site, o.Validate())
		c.gates("CircuitBreaker", site, o.If, o.Unless)
		if problem := retry.CheckMatcher(o.CountIf); problem != nil {
			c.problems("CircuitBreaker", site, []run.Problem{*problem})
		}
	}
	c.breaker = c.breaker.OrPerTask(key, options...)
	c.withSite("CircuitBreaker", site)
}

// LimitConcurrency bounds how many runs of a key are at work at once. A
// resolver replaces the inherited one, nil keeps it, Disabled turns the bound
// off; options merge over the inherited ones. A run whose key is blank takes
// no place.
func (c *Config) LimitConcurrency(key run.KeyResolver, options ...concurrency.Options) {
	site, ok := c.declaring("LimitConcurrency")
	if !ok || !c.guardKey("LimitConcurrency", site, key) {
		return
	}
	for _, o := range options {
		c.problems("LimitConcurrency", site, o.Validate())
		c.gates("LimitConcurrency", site, o.If, o.Unless)
	}
	c.concurrency = c.concurrency.With(key, options...)
	c.withSite("LimitConcurrency", site)
}

// guardKey holds a resolver to what it must be, and tells whether to go on.
func (c *Config) guardKey(what, site string, key run.KeyResolver) bool {
	if problem := run.CheckResolver(key); problem != nil {
		c.problems(what, site, []run.Problem{*problem})
		return false
	}
	c.fits(what, site, key)
	return true
}

// Lock gives the effective options, defaults filled in, also while there is
// no lock.
func (s *settings) Lock() lock.Options { return s.lock.Options() }

// LockKey gives the effective key resolver; nil when there is no lock.
func (s *settings) LockKey() run.KeyResolver { return s.lock.Resolver() }

// Rates gives the effective limits, defaults filled in, also while they are
// off; in a slice of the caller's own.
func (s *settings) Rates() []ratelimit.Options { return s.rates.Options() }

// RateKey gives the effective key resolver; nil when there is no rate limit.
func (s *settings) RateKey() run.KeyResolver { return s.rates.Resolver() }

// Breaker gives the effective options, defaults filled in, also while there
// is no circuit breaker.
func (s *settings) Breaker() breaker.Options { return s.breaker.Options() }

// BreakerKey gives the effective key resolver; nil when there is no circuit
// breaker.
func (s *settings) BreakerKey() run.KeyResolver { return s.breaker.Resolver() }

// Concurrency gives the effective options, defaults filled in, also while
// nothing bounds the runs.
func (s *settings) Concurrency() concurrency.Options { return s.concurrency.Options() }

// ConcurrencyKey gives the effective key resolver; nil when nothing bounds
// the runs.
func (s *settings) ConcurrencyKey() run.KeyResolver { return s.concurrency.Resolver() }

// guarded tells whether anything stands before Work.
func (s *settings) guarded() bool {
	for _, key := range []run.KeyResolver{s.RateKey(), s.BreakerKey(), s.ConcurrencyKey(), s.LockKey(), s.IdempotencyKey()} {
		if key != nil {
			return true
		}
	}
	return false
}

// checkGuards finds what can only be known once all layers have spoken.
func (d *Definition) checkGuards(t reflect.Type) {
	incomplete := func(what string, yes bool) {
		if yes {
			d.mistakes = append(d.mistakes, mistakeNoResolver(t, what, d.sites[what]))
		}
	}
	incomplete("LimitConcurrency", d.concurrency.Incomplete())
	incomplete("LockWith", d.lock.Incomplete())
	incomplete("IdempotentBy", d.idempotency.Incomplete())
	missing := func(what string, key run.KeyResolver, problems []run.Problem) {
		if key == nil {
			return
		}
		for _, p := range problems {
			d.mistakes = append(d.mistakes, mistakeOption(t, what, d.sites[what], p))
		}
	}
	missing("RateLimit", d.RateKey(), d.rates.Options().Missing())
	missing("LimitConcurrency", d.ConcurrencyKey(), d.Concurrency().Missing())
	d.mistakes = append(d.mistakes, d.ownClashes()...)
}
