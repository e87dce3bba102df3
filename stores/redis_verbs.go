package stores

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Get reads from the master, never from a replica. See [Store].
func (r *Redis) Get(ctx context.Context, key string) (value string, found bool, err error) {
	if err := r.begin(ctx); err != nil {
		return "", false, err
	}
	reply, err := r.run(ctx, getScript, []string{key}, nil)
	if errors.Is(err, redis.Nil) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	value, ok := reply.(string)
	if !ok {
		return "", false, errUnreadable(reply)
	}
	return value, true, nil
}

// Set writes a value with its lifetime. See [Store].
func (r *Redis) Set(ctx context.Context, key, value string, o SetOptions) (stored bool, err error) {
	if err := r.begin(ctx); err != nil {
		return false, err
	}
	if err := checkTTL(o.TTL); err != nil {
		return false, err
	}
	condition := ""
	switch {
	case o.NX && o.XX:
		return false, nil
	case o.NX:
		condition = "NX"
	case o.XX:
		condition = "XX"
	}
	owner, _ := sideKeys(key, Token{})
	return r.runBool(ctx, setScript, []string{key, owner}, value, milliseconds(o.TTL), condition)
}

// Incr counts; a key that lies there without an end gets one. See [Store].
func (r *Redis) Incr(ctx context.Context, key string, ttl time.Duration) (int64, error) {
	if err := r.begin(ctx); err != nil {
		return 0, err
	}
	if err := checkTTL(ttl); err != nil {
		return 0, err
	}
	reply, err := r.run(ctx, incrScript, []string{key}, []any{milliseconds(ttl)})
	if err != nil {
		switch text := err.Error(); {
		case strings.Contains(text, "would overflow"):
			return 0, fmt.Errorf("%w (%w)", &NumberError{Overflow: true}, err)
		case strings.Contains(text, "not an integer"):
			return 0, fmt.Errorf("%w (%w)", &NumberError{}, err)
		}
		return 0, err
	}
	text, _ := reply.(string)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, errUnreadable(reply)
	}
	return n, nil
}

// Delete removes a key, whoever owns it. See [Store].
func (r *Redis) Delete(ctx context.Context, key string) (deleted bool, err error) {
	if err := r.begin(ctx); err != nil {
		return false, err
	}
	owner, _ := sideKeys(key, Token{})
	return r.runBool(ctx, deleteScript, []string{key, owner})
}

func (r *Redis) runBool(ctx context.Context, s script, keys []string, args ...any) (bool, error) {
	reply, err := r.run(ctx, s, keys, args)
	if err != nil {
		return false, err
	}
	n, ok := reply.(int64)
	if !ok {
		return false, errUnreadable(reply)
	}
	return n > 0, nil
}
