package stores

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// Redis is a store that all processes share which reach the same server. It
// serves single nodes, Sentinel and Cluster, Redis 6.2 or newer and Valkey.
//
// A claim lies under its own key with the plain value "processing" or
// "completed", so that other programs can read and write it; who holds it
// lies beside it, under a key of its own with the same lifetime. Every change
// of a claim is one script that asks for the run's token.
//
// A call ends within moments of its ctx, whatever the client's options, and
// leaves the command that the server has not answered yet behind; what such a
// command may have taken is taken back once the server answers. [Redis.Close]
// waits for that.
type Redis struct {
	client redis.UniversalClient
	// apart lets every entry have a call of its own, since keys of several
	// entries may lie on several nodes.
	apart    atomic.Bool
	closed   atomic.Bool
	quick    quick
	backlog  backlog
	takeBack takeBack
}

// ErrClosed says that a store was used after its Close. Nothing was sent.
var ErrClosed = errors.New("stores: the store is closed")

// NewRedis makes a store of a go-redis client, which stays the caller's: the
// store never closes it.
func NewRedis(client redis.UniversalClient, options ...RedisOption) *Redis {
	r := &Redis{client: client}
	switch client.(type) {
	case *redis.ClusterClient, *redis.Ring:
		r.apart.Store(true)
	}
	for _, option := range options {
		option(r)
	}
	r.takeBack.start(r)
	return r
}

// Close refuses further calls and waits until every command that was left
// behind has been answered and what it may have taken is given back, or until
// ctx ends; then its error wraps ctx's cause. It may be called twice. Close
// the client afterwards.
func (r *Redis) Close(ctx context.Context) error {
	r.closed.Store(true)
	return r.Wait(ctx)
}

// Wait waits until every command that was left behind has been answered and
// what it may have taken is given back, or until ctx ends; then its error
// wraps ctx's cause.
func (r *Redis) Wait(ctx context.Context) error {
	if err := r.takeBack.wait(ctx); err != nil {
		return err
	}
	return r.backlog.wait(ctx)
}

var _ Breakers = (*Redis)(nil)
