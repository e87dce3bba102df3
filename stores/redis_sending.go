package stores

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// sending is a script's first argument where it matters whether the client
// sent the script more often than it was asked to: go-redis tells nobody that
// it repeats a command whose answer was lost, but asks an argument of this
// kind for its bytes whenever it writes it.
type sending struct {
	text    string
	asked   atomic.Int32
	written atomic.Int32
}

// MarshalBinary gives the argument's bytes.
func (s *sending) MarshalBinary() ([]byte, error) {
	s.written.Add(1)
	return []byte(s.text), nil
}

// String is for hooks that print commands.
func (s *sending) String() string { return s.text }

// repeated tells whether an earlier sending may have been executed.
func (s *sending) repeated() bool { return s.written.Load() > s.asked.Load() }

// send runs a script by its digest, or whole when the server does not know it.
func (r *Redis) send(ctx context.Context, s script, keys []string, args []any) (any, error) {
	counted := func() {}
	if len(args) > 0 {
		if first, ok := args[0].(*sending); ok {
			counted = func() { first.asked.Add(1) }
		}
	}
	counted()
	reply, err := s.EvalSha(ctx, r.client, keys, args...).Result()
	if errors.Is(err, redis.ErrNoScript) || redis.HasErrorPrefix(err, "NOSCRIPT") {
		counted()
		reply, err = s.Eval(ctx, r.client, keys, args...).Result()
	}
	return reply, err
}
