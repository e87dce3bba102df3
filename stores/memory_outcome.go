package stores

import "time"

// leaveBreaker tells a circuit how a call went. A neutral outcome frees its
// probe and does no more.
func (s *shard) leaveBreaker(token Token, e *Entry, part Part, now time.Duration) Answer {
	if part != PartSuccess && part != PartFailure {
		s.freeProbe(token, e, now)
		return Answer{Outcome: OutcomeDone}
	}
	passed, failed := e.Admission, part == PartFailure
	it, c := s.circuitOf(e, now)
	switch {
	case it == nil:
		if passed.Period != 0 || passed.State != BreakerClosed {
			return Answer{Outcome: OutcomeLost}
		}
		c = &circuit{state: BreakerClosed}
		it = s.keep(e.Key, c, endAfter(now, e.TTL))
	case c == nil:
		return Answer{Outcome: OutcomeLost}
	case c.changer == token && passed.Period == c.period-1:
		return Answer{Outcome: OutcomeDone, Breaker: c.state} // sent again
	case passed.Period != c.period || passed.State != c.state:
		return Answer{Outcome: OutcomeLost}
	}
	if c.state == BreakerHalfOpen {
		if i := c.probes.find(token); i < 0 || c.probes.heap[i].at <= now {
			return Answer{Outcome: OutcomeLost}
		}
		if !failed {
			c.change(BreakerClosed, token)
			s.prolong(it, endAfter(now, e.TTL))
			return Answer{Outcome: OutcomeDone, Breaker: BreakerClosed}
		}
		return s.open(token, e, it, c, now)
	}
	counted, opens := c.count(token, e.Breaker, failed, now)
	if opens {
		return s.open(token, e, it, c, now)
	}
	if counted {
		s.prolong(it, endAfter(now, e.TTL))
	}
	return Answer{Outcome: OutcomeDone}
}

// open opens a circuit. It is remembered for as long behind the cool-off as
// one that nobody uses.
func (s *shard) open(token Token, e *Entry, it *item, c *circuit, now time.Duration) Answer {
	c.change(BreakerOpen, token)
	c.until = endAfter(now, e.Breaker.CoolOff)
	s.prolong(it, endAfter(c.until, e.TTL))
	return Answer{Outcome: OutcomeDone, Breaker: BreakerOpen}
}

// count counts an outcome of a closed circuit, once per token, and tells
// whether it opens.
func (c *circuit) count(token Token, rule *BreakerRule, failed bool, now time.Duration) (counted, opens bool) {
	if rule.FailureRate > 0 {
		return c.countInWindow(token, rule, failed, now)
	}
	if c.knows(token) {
		return false, false
	}
	c.remember(token)
	if !failed {
		c.streak = nil
		return true, false
	}
	c.streak = append(c.streak, token)
	return true, int64(len(c.streak)) >= rule.Threshold
}

// countInWindow counts an outcome among those of the last window.
func (c *circuit) countInWindow(token Token, rule *BreakerRule, failed bool, now time.Duration) (counted, opens bool) {
	if c.window == nil {
		c.window = new(outcomes)
	}
	w, forgotten := c.window, now-max(rule.Window, toldFor)
	w.failures.trim(forgotten)
	w.successes.trim(forgotten)
	if w.failures.has(token, forgotten) || w.successes.has(token, forgotten) {
		return false, false
	}
	log := &w.successes
	if failed {
		log = &w.failures
	}
	log.count(token, forgotten, now)
	failures, calls := w.since(now - rule.Window)
	return true, calls >= rule.MinCalls && float64(failures)/float64(calls) >= rule.FailureRate
}

// since counts the outcomes that came after an instant.
func (w *outcomes) since(instant time.Duration) (failures, calls int64) {
	failures = int64(w.failures.since(instant))
	return failures, failures + int64(w.successes.since(instant))
}
