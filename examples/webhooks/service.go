package main

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"
)

// ErrUnavailable is what the service answers now and then. It has done
// nothing then, and may be asked again.
var ErrUnavailable = errors.New("the service is unavailable")

// Service stands for what a real handler would change: something elsewhere
// that takes its time and does not always answer.
type Service struct {
	// Takes is how long a call takes.
	Takes time.Duration
	// Fails decides which calls fail, by the delivery and the number of the
	// call for it, from 1. nil lets none fail.
	Fails func(delivery string, call int) bool

	mu    sync.Mutex
	calls map[string]int
}

// Apply returns nil, ErrUnavailable, or ctx's cause when ctx ends first.
func (s *Service) Apply(ctx context.Context, delivery, _ string, _ json.RawMessage) error {
	call := s.count(delivery)
	if err := wait(ctx, s.Takes); err != nil {
		return err
	}
	if s.Fails != nil && s.Fails(delivery, call) {
		return ErrUnavailable
	}
	return nil
}

func (s *Service) count(delivery string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls == nil {
		s.calls = map[string]int{}
	}
	s.calls[delivery]++
	return s.calls[delivery]
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// failing draws the share rate of all calls. What it draws depends on the
// seed, the delivery and the call only, so that a seed tells the same story
// however the workers are scheduled.
func failing(rate float64, seed uint64) func(delivery string, call int) bool {
	return func(delivery string, call int) bool {
		h := fnv.New64a()
		_, _ = h.Write([]byte(delivery + " " + strconv.Itoa(call)))
		return rand.New(rand.NewPCG(seed, h.Sum64())).Float64() < rate
	}
}
