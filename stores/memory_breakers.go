package stores

import (
	"context"
	"time"
)

var _ Breakers = (*Memory)(nil)

// InspectBreaker reads a circuit and changes nothing. See [Breakers] for the
// contract.
//
// The error wraps ctx's cause when ctx has ended; it is a [*RuleError] for an
// entry that is no breaker's, and [ErrForeignValue] for a key under which
// something else lies.
func (m *Memory) InspectBreaker(ctx context.Context, e Entry) (BreakerReport, error) {
	if err := m.begin(ctx); err != nil {
		return BreakerReport{}, err
	}
	if err := e.checkBreaker(); err != nil {
		return BreakerReport{}, err
	}
	s, now := m.lock(e.Key)
	defer s.mu.Unlock()
	it, c := s.circuitOf(&e, now)
	switch {
	case it == nil:
		return BreakerReport{State: BreakerClosed}, nil
	case c == nil:
		return BreakerReport{}, ErrForeignValue
	}
	return c.report(e.Breaker, now), nil
}

// report tells what counts now, whether or not it has been tidied up.
func (c *circuit) report(rule *BreakerRule, now time.Duration) BreakerReport {
	report := BreakerReport{State: c.state}
	switch {
	case c.state == BreakerOpen && c.until > now:
		report.RetryAfter = roundedUp(c.until - now)
	case c.state == BreakerHalfOpen:
		for _, probe := range c.probes.heap {
			if probe.at > now {
				report.Probes++
			}
		}
	case c.state == BreakerClosed && rule.FailureRate == 0:
		report.Failures = int64(len(c.streak))
	case c.state == BreakerClosed && c.window != nil:
		report.Failures, report.Calls = c.window.since(now - rule.Window)
	}
	return report
}

// ResetBreaker closes a circuit and forgets all failures. See [Breakers] for
// the contract; the errors are those of InspectBreaker, and a [*TTLError].
func (m *Memory) ResetBreaker(ctx context.Context, e Entry) (closed bool, err error) {
	if err := m.begin(ctx); err != nil {
		return false, err
	}
	if err := e.checkBreaker(); err != nil {
		return false, err
	}
	if err := checkTTL(e.TTL); err != nil {
		return false, err
	}
	s, now := m.lock(e.Key)
	defer func() { m.unlockWritten(s, now) }()
	return s.resetBreaker(&e, now)
}

// resetBreaker writes the new period also where nothing lies: calls under way
// passed in period 0.
func (s *shard) resetBreaker(e *Entry, now time.Duration) (closed bool, err error) {
	it, c := s.circuitOf(e, now)
	switch {
	case it == nil:
		s.keep(e.Key, &circuit{state: BreakerClosed, period: 1}, endAfter(now, e.TTL))
		return false, nil
	case c == nil:
		return false, ErrForeignValue
	}
	closed = c.state != BreakerClosed
	c.change(BreakerClosed, Token{})
	s.prolong(it, endAfter(now, e.TTL))
	return closed, nil
}
