package redistest

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// host is where all servers listen.
const host = "127.0.0.1"

// busOffset is how far above its port a cluster node's bus listens.
const busOffset = 10_000

// Ports are drawn below those that systems give to outgoing connections, from
// 32,768 on: otherwise a client that dials a killed server could be given the
// server's own port and talk to itself. The bus ports stay below that, too.
const (
	lowestPort  = 11_000
	highestPort = 22_767
)

// portTries is how many ports are tried before a server counts as one that
// cannot be started.
const portTries = 50

var errNoPort = errors.New("no free port was found on " + host)

// freePort returns a port that nobody listens on, and for a cluster node one
// whose bus port is free as well. Another process may take it before the
// server does: try another one then.
func freePort(withBus bool) (int, error) {
	for range portTries {
		port := lowestPort + rand.IntN(highestPort-lowestPort+1)
		if isFree(port) && (!withBus || isFree(port+busOffset)) {
			return port, nil
		}
	}
	return 0, errNoPort
}

func isFree(port int) bool {
	listener, err := net.Listen("tcp", address(port))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

func address(port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }
