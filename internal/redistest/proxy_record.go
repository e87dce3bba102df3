package redistest

import "slices"

// handshake are the commands that go-redis sends by itself when it makes or
// keeps a connection or looks around in a cluster.
var handshake = []string{"HELLO", "AUTH", "CLIENT", "PING", "SELECT", "READONLY", "CLUSTER", "COMMAND"}

// IsHandshake tells whether a command of that name, in capitals, belongs to a
// client's own dealings with the server: HELLO, AUTH, CLIENT, PING, SELECT,
// READONLY, CLUSTER, COMMAND.
func IsHandshake(name string) bool { return slices.Contains(handshake, name) }

// Commands returns the names of the commands that reached the proxy, in
// capitals and in their order, without those of [IsHandshake]; also of
// requests that were cut or are held.
func (p *Proxy) Commands() []string { return withoutHandshake(p.AllCommands()) }

// AllCommands is as Commands with the handshakes.
func (p *Proxy) AllCommands() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.names)
}

// RoundTrips returns how many requests reached the proxy, without those that
// were handshakes only. A pipeline is one; one of more than 64 kB may count as
// several.
func (p *Proxy) RoundTrips() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.roundTrips
}

// Forget lets Commands, AllCommands and RoundTrips start anew.
func (p *Proxy) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names, p.roundTrips = nil, 0
}

func withoutHandshake(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), IsHandshake)
}
