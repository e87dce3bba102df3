package redistest

import (
	"errors"
	"testing"

	"github.com/redis/go-redis/v9"
)

// newClient makes a client of addr that goes with the test.
func newClient(t testing.TB, addr string, options *redis.Options) *redis.Client {
	var own redis.Options
	if options != nil {
		own = *options
	}
	own.Network, own.Addr = "tcp", addr
	client := redis.NewClient(&own)
	t.Cleanup(func() { closed(t, client.Close()) })
	return client
}

// closed reports what closing a client gave, unless it had been closed before.
func closed(t testing.TB, err error) {
	if err != nil && !errors.Is(err, redis.ErrClosed) {
		t.Errorf("redistest: a client was not closed: %v", err)
	}
}
