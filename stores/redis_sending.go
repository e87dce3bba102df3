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

// markRepeated notes that a sending which may have arrived is followed by
// another of the same arguments.
func markRepeated(args []any, arrived bool) {
	if first, ok := firstSending(args); ok && arrived {
		first.asked.Add(-1)
	}
}

func firstSending(args []any) (*sending, bool) {
	if len(args) == 0 {
		return nil, false
	}
	first, ok := args[0].(*sending)
	return first, ok
}

// send runs a script by its digest, or whole when the server does not know it.
func (r *Redis) send(ctx context.Context, client redis.Scripter, s script, keys []string, args []any) (any, error) {
	first, counts := firstSending(args)
	if counts {
		first.asked.Add(1)
	}
	reply, err := s.EvalSha(ctx, client, keys, args...).Result()
	if errors.Is(err, redis.ErrNoScript) || redis.HasErrorPrefix(err, "NOSCRIPT") {
		if counts {
			first.asked.Add(1)
		}
		reply, err = s.Eval(ctx, client, keys, args...).Result()
	}
	return reply, err
}
