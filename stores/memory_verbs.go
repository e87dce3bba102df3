package stores

import (
	"context"
	"math"
	"strconv"
	"time"
)

// Get returns the value under key, of a lock the token that holds it. See
// [Store] for the contract.
//
// The error wraps ctx's cause when ctx has ended, or [ErrForeignValue] for a
// key under which places, a rate or a breaker lie.
func (m *Memory) Get(ctx context.Context, key string) (value string, found bool, err error) {
	if err := m.begin(ctx); err != nil {
		return "", false, err
	}
	s, now := m.lock(key)
	defer s.mu.Unlock()
	it := s.alive(key, now)
	if it == nil {
		return "", false, nil
	}
	if it.more != nil {
		return "", false, ErrForeignValue
	}
	return it.text(), true, nil
}

// Set writes value under key and drops whoever owned the key before. See
// [Store] and [SetOptions] for the contract. Nothing was written when there
// is an error: a [*TTLError], or one that wraps ctx's cause.
func (m *Memory) Set(ctx context.Context, key, value string, o SetOptions) (stored bool, err error) {
	if err := m.begin(ctx); err != nil {
		return false, err
	}
	if err := checkTTL(o.TTL); err != nil {
		return false, err
	}
	s, now := m.lock(key)
	present := s.alive(key, now) != nil
	if o.NX && present || o.XX && !present {
		s.mu.Unlock()
		return false, nil
	}
	s.put(key, value, Token{}, endAfter(now, o.TTL))
	m.unlockWritten(s, now)
	return true, nil
}

// Incr adds one to the number under key and returns the sum. See [Store] for
// the contract. Nothing was written when there is an error: a [*TTLError], a
// [*NumberError], one that wraps ctx's cause, or [ErrForeignValue] for a key
// under which places, a rate or a breaker lie.
func (m *Memory) Incr(ctx context.Context, key string, ttl time.Duration) (int64, error) {
	if err := m.begin(ctx); err != nil {
		return 0, err
	}
	if err := checkTTL(ttl); err != nil {
		return 0, err
	}
	s, now := m.lock(key)
	defer func() { m.unlockWritten(s, now) }()
	it := s.alive(key, now)
	if it == nil {
		s.put(key, "1", Token{}, endAfter(now, ttl))
		return 1, nil
	}
	if it.more != nil {
		return 0, ErrForeignValue
	}
	n, err := strconv.ParseInt(it.value, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != it.value {
		return 0, &NumberError{}
	}
	if n == math.MaxInt64 {
		return 0, &NumberError{Overflow: true}
	}
	it.value = strconv.FormatInt(n+1, 10)
	return n + 1, nil
}

// Delete removes key, whoever owns it. See [Store] for the contract.
//
// The error wraps ctx's cause when ctx has ended.
func (m *Memory) Delete(ctx context.Context, key string) (deleted bool, err error) {
	if err := m.begin(ctx); err != nil {
		return false, err
	}
	s, now := m.lock(key)
	defer func() { m.unlockWritten(s, now) }()
	it := s.stored(key)
	if it == nil {
		return false, nil
	}
	deleted = it.end > now
	s.remove(it)
	return deleted, nil
}
