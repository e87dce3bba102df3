package stores

import (
	"slices"
	"time"
)

// The rules of a circuit. All methods ask for the shard's lock to be held and
// for an entry that has been checked. A key that is absent is a closed circuit
// in period 0.

// outcomesKept is how many outcomes a circuit knows again by their tokens,
// beside the failures that count.
const outcomesKept = 16

// circuit is what is known of one circuit.
type circuit struct {
	state   BreakerState
	period  int64
	until   time.Duration // while it is open
	probes  deadlines     // while it is half open
	streak  []Token       // the failures in a row
	recent  []Token       // the latest outcomes, in a ring
	oldest  int           // of the ring
	window  *outcomes     // of a circuit that opens by rate
	changer Token         // whose outcome changed the state last; zero for nobody's
	prober  Token         // who made it half open, while it holds its probe
}

// outcomes are those of the last window.
type outcomes struct{ failures, successes callLog }

// circuitOf returns the circuit under a key; nil when something else lies
// there. it is nil when nothing does.
func (s *shard) circuitOf(e *Entry, now time.Duration) (it *item, c *circuit) {
	it = s.alive(e.Key, now)
	if it == nil {
		return nil, nil
	}
	c, _ = it.more.(*circuit)
	return it, c
}

// change changes the state. Of what came before nothing counts any more.
func (c *circuit) change(to BreakerState, by Token) {
	*c = circuit{state: to, period: c.period + 1, changer: by}
}

// askBreaker lets a call pass or not, and writes by which state. Of a closed
// circuit it writes nothing into the store.
func (s *shard) askBreaker(token Token, e *Entry, now time.Duration) obstacle {
	e.Admission = Admission{}
	it, c := s.circuitOf(e, now)
	switch {
	case it == nil:
		e.Admission = Admission{State: BreakerClosed}
		return obstacle{}
	case c == nil:
		return obstacle{err: ErrForeignValue}
	case c.state == BreakerClosed:
		e.Admission = Admission{Period: c.period, State: BreakerClosed}
		return obstacle{}
	case c.state == BreakerOpen && now < c.until:
		return obstacle{refused: true, state: string(BreakerOpen), left: roundedUp(c.until - now)}
	case c.state == BreakerOpen:
		c.change(BreakerHalfOpen, Token{})
		obstacle := s.probe(token, e, it, c, now)
		c.prober, e.Admission.Changed = token, true
		return obstacle
	}
	return s.probe(token, e, it, c, now)
}

// probe gives token a probe of a half-open circuit.
func (s *shard) probe(token Token, e *Entry, it *item, c *circuit, now time.Duration) obstacle {
	c.probes.expire(now)
	if c.probes.find(token) < 0 {
		if c.prober == token { // it has lost the probe that it took first
			c.prober = Token{}
		}
		if int64(len(c.probes.heap)) >= e.Breaker.Probes {
			return obstacle{refused: true, state: string(BreakerHalfOpen), left: roundedUp(c.probes.heap[0].at - now)}
		}
		end := endAfter(now, e.Breaker.CoolOff)
		c.probes.add(token, end)
		s.prolong(it, max(it.end, endAfter(end, e.TTL)))
	}
	e.Admission = Admission{Period: c.period, State: BreakerHalfOpen, Changed: c.prober == token}
	return obstacle{}
}

// freeProbe gives up the probe that token holds, if it does.
func (s *shard) freeProbe(token Token, e *Entry, now time.Duration) {
	_, c := s.circuitOf(e, now)
	if c == nil {
		return
	}
	if i := c.probes.find(token); i >= 0 {
		c.probes.remove(i)
	}
	if c.prober == token {
		c.prober = Token{}
	}
}

// knows tells whether the outcome of a token's call has been counted.
func (c *circuit) knows(token Token) bool {
	return slices.Contains(c.recent, token) || slices.Contains(c.streak, token)
}

// remember makes a token's outcome known, and forgets the oldest one.
func (c *circuit) remember(token Token) {
	if len(c.recent) < outcomesKept {
		c.recent = append(c.recent, token)
		return
	}
	c.recent[c.oldest] = token
	c.oldest = (c.oldest + 1) % outcomesKept
}
