package stores

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// quickTimeout is how long a caller's own goroutine waits for an answer, and
// with that the longest that it overstays its ctx.
const quickTimeout = 50 * time.Millisecond

// RedisOption changes how [NewRedis] uses its client.
type RedisOption func(*Redis)

// WithoutHooks tells the store that nobody adds hooks to the client, no
// tracing either. Commands are then sent from the caller's own goroutine for as
// long as the server answers within 50 ms, which takes about half of a call's
// time away; a command that is answered later is sent again, and from then on
// each has a goroutine that can be left behind when ctx ends, until answers
// come quickly again. It needs a client of a single node or a Sentinel one
// (*redis.Client) and changes nothing for others.
//
// go-redis loses the hooks of a client whose timeout is shortened, so a hook
// would not see such commands: one that changes keys must not be there.
func WithoutHooks() RedisOption {
	return func(r *Redis) {
		if single, ok := r.client.(*redis.Client); ok && single != nil {
			r.quick.client = withTimeout(single, quickTimeout)
		}
	}
}

// quick sends a command from the caller's goroutine.
type quick struct {
	// client is the store's with a short timeout, on the same connections; nil
	// where there is none.
	client *redis.Client
	// slow says that an answer took too long, until one comes quickly again.
	slow atomic.Bool
}

func withTimeout(client *redis.Client, timeout time.Duration) *redis.Client {
	if own := client.Options().ReadTimeout; own > 0 {
		timeout = min(timeout, own)
	}
	return client.WithTimeout(timeout)
}

func (q *quick) serves() bool { return q.client != nil && !q.slow.Load() }

// timing notes, of a slow server only, when an answer comes quickly again.
func (q *quick) timing() (noted func(error)) {
	if !q.slow.Load() {
		return func(error) {}
	}
	start := time.Now()
	return func(err error) {
		if err == nil && time.Since(start) < quickTimeout/2 {
			q.slow.Store(false)
		}
	}
}

// failed tells whether a quick sending has to be followed by another, since
// it ended without a server's word, and whether it may have arrived.
func (q *quick) failed(err error) (again, arrived bool) {
	var reply redis.Error
	if err == nil || errors.Is(err, redis.Nil) || errors.As(err, &reply) || errors.Is(err, redis.ErrClosed) {
		return false, false
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return true, false
	}
	q.slow.Store(true)
	return true, true
}

// once sends a script once: in the caller's goroutine as long as answers come
// at once, otherwise in one that can be left behind.
func (r *Redis) once(ctx context.Context, s script, keys []string, args []any) (any, error) {
	if ctx.Done() == nil {
		reply, err := r.send(ctx, r.client, s, keys, args)
		return reply, r.classify(err, false)
	}
	arrived := false
	if r.quick.serves() {
		reply, err := r.send(ctx, r.quick.client, s, keys, args)
		again := false
		if again, arrived = r.quick.failed(err); !again {
			return reply, r.classify(err, false)
		}
		if ctx.Err() != nil {
			return nil, leftBehind(ctx, arrived)
		}
		markRepeated(args, arrived)
	}
	reply, err := r.aside(ctx, s, keys, args)
	return reply, r.classify(err, arrived)
}

// leftBehind is the error of a command whose caller has gone.
func leftBehind(ctx context.Context, arrived bool) error {
	if !arrived {
		return fmt.Errorf("%w: %w", ErrNotSent, context.Cause(ctx))
	}
	return fmt.Errorf("%w: %w", ErrAnswerLost, context.Cause(ctx))
}
