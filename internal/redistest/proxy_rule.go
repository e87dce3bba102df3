package redistest

import "time"

// action is what a rule does to a request.
type action int

const (
	delayAnswer action = iota + 1
	cutBefore
	cutAfter
	holdRequest
	holdAnswer
)

// rule is what happens to the requests that are still to come. The fields
// that are set once need no lock; left is guarded by the proxy's.
type rule struct {
	action action
	late   time.Duration   // delayAnswer
	left   int             // requests it still takes; delayAnswer takes all
	cut    chan<- []string // cutBefore, cutAfter
	hold   *Hold           // holdRequest, holdAnswer
}

// Every is a number of requests that no test reaches: with it a rule holds
// until another one is set.
const Every = 1 << 12

// Pass ends the rule in force: from now on requests and answers pass. What a
// [Hold] has caught stays there until its Release.
func (p *Proxy) Pass() { p.set(nil) }

// Delay makes the answers of all requests to come late by d at the least,
// until another rule is set. With a d that is not positive they pass.
func (p *Proxy) Delay(d time.Duration) {
	if d <= 0 {
		p.Pass()
		return
	}
	p.set(&rule{action: delayAnswer, late: d})
}

// CutBefore closes the connections of the next n requests before anything of
// them has reached the server; later ones pass. The channel gets the names of
// a request's commands when its connection is closed; it is never closed
// itself, and nobody needs to read it. n must be 1 to [Every].
func (p *Proxy) CutBefore(n int) <-chan []string { p.t.Helper(); return p.cut(cutBefore, n) }

// CutAfter lets the next n requests through and closes their connections
// instead of handing back the answer: the deed is done, its answer is lost.
// Later requests pass. The channel is as for CutBefore; the server has
// answered when it gets the names.
func (p *Proxy) CutAfter(n int) <-chan []string { p.t.Helper(); return p.cut(cutAfter, n) }

// Stall holds back the next n requests; later ones pass, but for those behind
// one on the same connection. A held request outlives its client: released, it
// reaches the server although nobody waits for the answer any more. n must be
// 1 to [Every].
func (p *Proxy) Stall(n int) *Hold { p.t.Helper(); return p.hold(holdRequest, n) }

// StallReplies lets the next n requests through and holds back their answers;
// later ones pass, but for those behind one on the same connection. n must be
// 1 to [Every].
func (p *Proxy) StallReplies(n int) *Hold { p.t.Helper(); return p.hold(holdAnswer, n) }

func (p *Proxy) cut(a action, n int) <-chan []string {
	p.t.Helper()
	n = p.checked(n)
	cut := make(chan []string, n)
	p.set(&rule{action: a, left: n, cut: cut})
	return cut
}

func (p *Proxy) hold(a action, n int) *Hold {
	p.t.Helper()
	n = p.checked(n)
	h := &Hold{
		proxy:    p,
		held:     make(chan []string, n),
		flowed:   make(chan []string, n),
		released: make(chan struct{}),
	}
	p.set(&rule{action: a, left: n, hold: h})
	return h
}

// checked brings a number of requests into its range, and marks the test as
// failed when it was outside.
func (p *Proxy) checked(n int) int {
	p.t.Helper()
	if n < 1 || n > Every {
		p.t.Errorf("redistest: a rule takes 1 to %d requests, not %d", Every, n)
	}
	return min(max(n, 0), Every)
}

// set replaces the rule in force.
func (p *Proxy) set(r *rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rule = r
	if r != nil && r.action != delayAnswer && r.left == 0 {
		p.rule = nil
	}
}

// meet notes a request and returns the rule that it falls under, nil when it
// passes.
func (p *Proxy) meet(r *request) *rule {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names = append(p.names, r.names...)
	if len(withoutHandshake(r.names)) == 0 {
		return nil
	}
	p.roundTrips++
	met := p.rule
	if met == nil || met.action == delayAnswer {
		return met
	}
	if met.left--; met.left == 0 {
		p.rule = nil
	}
	return met
}
