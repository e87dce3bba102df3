package redistest

import (
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"
)

// MasterName is the name under which a [Sentinel] knows its master.
const MasterName = "payments"

// Sentinel is a single Redis Sentinel that watches one server and tells
// clients where it is.
type Sentinel struct{ server *Server }

// StartSentinel starts a Sentinel that monitors master. It needs what [Start]
// needs and ends when the test does.
func StartSentinel(t testing.TB, master *Server) *Sentinel {
	t.Helper()
	monitors := func(s *settings) {
		s.monitored = fmt.Sprintf("sentinel monitor %s %s %d 1", MasterName, host, master.port)
	}
	return &Sentinel{server: start(t, freePort, false, []Option{monitors})}
}

// Client returns a client that asks the Sentinel for the master; it is closed at
// the test's clean-up. The options are copied, the addresses and the master's
// name are replaced; nil means go-redis's defaults.
func (s *Sentinel) Client(options *redis.FailoverOptions) *redis.Client {
	var own redis.FailoverOptions
	if options != nil {
		own = *options
	}
	own.MasterName, own.SentinelAddrs = MasterName, []string{s.server.Addr()}
	client := redis.NewFailoverClient(&own)
	s.server.t.Cleanup(func() { closed(s.server.t, client.Close()) })
	return client
}
