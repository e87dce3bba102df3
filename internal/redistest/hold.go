package redistest

import "sync"

// Hold is what keeps requests or answers back, see [Proxy.Stall] and
// [Proxy.StallReplies]. Its methods may be called from any goroutine.
type Hold struct {
	proxy    *Proxy
	held     chan []string
	flowed   chan []string
	released chan struct{}
	once     sync.Once
}

// Held gets the names of a request's commands when it is held back: a stalled
// request has not reached the server, a stalled answer has left it. The
// channel is never closed, and nobody needs to read it.
func (h *Hold) Held() <-chan []string { return h.held }

// Flowed gets the names of a request's commands when what was held has moved
// on: the server has answered a stalled request, a stalled answer has been
// handed to the client if that was still there. Nothing comes for a request
// whose server has gone meanwhile. The channel is never closed, and nobody
// needs to read it.
func (h *Hold) Flowed() <-chan []string { return h.flowed }

// Release lets flow what is held, and ends the rule if it is still in force.
// A second Release changes nothing.
func (h *Hold) Release() {
	h.proxy.mu.Lock()
	if r := h.proxy.rule; r != nil && r.hold == h {
		h.proxy.rule = nil
	}
	h.proxy.mu.Unlock()
	h.once.Do(func() { close(h.released) })
}

// keep tells that a request is held and waits for the release; false when the
// connection has gone before.
func (h *Hold) keep(names []string, gone <-chan struct{}) bool {
	h.held <- names
	select {
	case <-h.released:
		return true
	case <-gone:
		return false
	}
}
