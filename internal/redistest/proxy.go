package redistest

import (
	"context"
	"net"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Proxy stands between clients and one server and does to requests and
// answers what networks do. Its methods may be called from any goroutine as
// long as the test runs.
//
// A request is what a client sends in one write: a command or a pipeline.
// Requests that consist of a client's handshake only (see [IsHandshake])
// always pass, so that rules hit what a test sends, on new connections too.
// Commands that get no answer or several (SUBSCRIBE, MONITOR, CLIENT REPLY)
// are not supported.
type Proxy struct {
	t        testing.TB
	target   string
	listener net.Listener
	ctx      context.Context // ends with the proxy
	cancel   context.CancelFunc
	ended    sync.WaitGroup // all goroutines of the proxy

	mu         sync.Mutex
	over       bool
	open       map[*connection]struct{}
	rule       *rule // nil: pass
	names      []string
	roundTrips int
}

// StartProxy starts a proxy before the server at target, an address such as
// [Server.Addr]; everything passes at first. It ends at the test's clean-up,
// with all connections. While the target cannot be reached, new connections
// are closed. A proxy that cannot listen fails the test at once: call
// StartProxy from the test's goroutine.
func StartProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatalf("redistest: the proxy cannot listen: %v", err)
	}
	p := &Proxy{t: t, target: target, listener: listener, open: map[*connection]struct{}{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.ended.Go(p.accept)
	t.Cleanup(p.end)
	return p
}

// Addr is the address that clients dial, host and port.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Client returns a client that goes through the proxy and is closed at the
// test's clean-up; closing it earlier is fine. The options are copied, their
// address is replaced; nil means go-redis's defaults, with which a command
// whose connection broke is sent again up to three times.
func (p *Proxy) Client(options *redis.Options) *redis.Client {
	return newClient(p.t, p.Addr(), options)
}

// accept takes connections until the listener is closed.
func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.ended.Go(func() { p.serve(client) })
	}
}

// serve joins a client to the target until either of them leaves.
func (p *Proxy) serve(client net.Conn) {
	server, err := new(net.Dialer).DialContext(p.ctx, "tcp", p.target)
	if err != nil {
		_ = client.Close()
		return
	}
	c := &connection{proxy: p, client: client, server: server, closed: make(chan struct{})}
	if !p.keep(c) {
		c.end()
		return
	}
	p.ended.Go(c.returnAnswers)
	c.forwardRequests()
}

// keep notes an open connection; false when the proxy has ended.
func (p *Proxy) keep(c *connection) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		p.open[c] = struct{}{}
	}
	return !p.over
}

func (p *Proxy) forget(c *connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
}

// end closes everything and waits for all goroutines.
func (p *Proxy) end() {
	p.mu.Lock()
	p.over = true
	open := make([]*connection, 0, len(p.open))
	for c := range p.open {
		open = append(open, c)
	}
	p.mu.Unlock()

	p.cancel()
	_ = p.listener.Close()
	for _, c := range open {
		c.end()
	}
	p.ended.Wait()
}
