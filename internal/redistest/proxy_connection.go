package redistest

import (
	"errors"
	"net"
	"sync"
	"time"
)

// connection joins one client to the target. One goroutine carries requests,
// another one answers.
type connection struct {
	proxy  *Proxy
	client net.Conn
	server net.Conn
	closed chan struct{}
	once   sync.Once

	mu         sync.Mutex
	waiting    []*request // sent, not fully answered, oldest first
	clientLeft bool
}

// end closes both sides; a second end does nothing.
func (c *connection) end() {
	c.once.Do(func() {
		close(c.closed)
		_ = c.client.Close()
		_ = c.server.Close()
		c.proxy.forget(c)
	})
}

// forwardRequests carries requests to the server until the client leaves or
// the connection ends.
func (c *connection) forwardRequests() {
	in := newRespReader(c.client)
	for {
		r, err := in.request()
		if err != nil {
			c.broken("a client", err)
			c.leave()
			return
		}
		r.rule = c.proxy.meet(r)
		if !c.forward(r) {
			c.end()
			return
		}
	}
}

// forward hands one request to the server as its rule says; false when the
// connection is over.
func (c *connection) forward(r *request) bool {
	if r.rule != nil {
		switch r.rule.action {
		case cutBefore:
			c.end()
			r.rule.cut <- r.names
			return false
		case holdRequest:
			if !r.rule.hold.keep(r.names, c.closed) {
				return false
			}
		}
	}
	if r.outstanding > 0 {
		c.mu.Lock()
		c.waiting = append(c.waiting, r)
		c.mu.Unlock()
	}
	_, err := c.server.Write(r.raw)
	return err == nil
}

// leave notes that no request comes any more. Those under way are still to
// reach the server, and to be answered before it sees the client leave.
func (c *connection) leave() {
	c.mu.Lock()
	c.clientLeft = true
	idle := len(c.waiting) == 0
	c.mu.Unlock()
	if idle {
		c.end()
	}
}

// returnAnswers carries answers to the client until the server leaves or the
// connection ends.
func (c *connection) returnAnswers() {
	defer c.end()
	in := newRespReader(c.server)
	for {
		raw, push, err := in.reply()
		if err != nil {
			c.broken("the server", err)
			return
		}
		r := c.oldest()
		if push || r == nil {
			c.send(raw)
			continue
		}
		if r.outstanding--; r.rule == nil {
			c.send(raw)
		} else {
			r.answer = append(r.answer, raw...)
		}
		if r.outstanding == 0 && (!c.deliver(r) || c.answered()) {
			return
		}
	}
}

// deliver does to a whole answer what the request's rule says; false when the
// connection is over.
func (c *connection) deliver(r *request) bool {
	if r.rule == nil {
		return true
	}
	switch r.rule.action {
	case cutAfter:
		c.end()
		r.rule.cut <- r.names
		return false
	case delayAnswer:
		if !c.pause(r.rule.late) {
			return false
		}
		c.send(r.answer)
	case holdRequest:
		c.send(r.answer)
		r.rule.hold.flowed <- r.names
	case holdAnswer:
		if !r.rule.hold.keep(r.names, c.closed) {
			return false
		}
		c.send(r.answer)
		r.rule.hold.flowed <- r.names
	}
	return true
}

// send hands bytes to the client. One that has left gets none, and the server
// is to notice nothing of that.
func (c *connection) send(raw []byte) { _, _ = c.client.Write(raw) }

// pause waits; false when the connection ended meanwhile.
func (c *connection) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.closed:
		return false
	}
}

// oldest is the request that the next answer belongs to, nil when none waits.
func (c *connection) oldest() *request {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		return nil
	}
	return c.waiting[0]
}

// answered takes the oldest request off and tells whether nothing is left to
// do: the client has gone and nobody waits.
func (c *connection) answered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = c.waiting[1:]
	return c.clientLeft && len(c.waiting) == 0
}

// broken marks the test as failed when a side does not speak RESP; that it
// left is no fault.
func (c *connection) broken(who string, err error) {
	if errors.Is(err, errProtocol) {
		c.proxy.t.Errorf("redistest: the proxy cannot follow what %s sends: %v", who, err)
	}
}
