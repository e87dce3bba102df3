package stores

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

type script = *redis.Script

// ErrNotSent says that a command was surely not executed, so there is nothing
// to take back.
var ErrNotSent = errors.New("stores: nothing was sent")

// ErrBacklog says that too many commands wait for a server that does not
// answer. Nothing was sent.
var ErrBacklog = errors.New("stores: too many commands wait for an answer of redis")

// maxBacklog bounds the commands left behind, and the runs to be taken back.
const maxBacklog = 4096

// The bounds for sending again what a server refused for a moment.
const (
	refusedWindow = time.Second
	refusedPause  = 25 * time.Millisecond
)

// begin refuses a call before anything is sent.
func (r *Redis) begin(ctx context.Context) error {
	if err := ended(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	if r.closed.Load() {
		return fmt.Errorf("%w: %w", ErrNotSent, ErrClosed)
	}
	if r.backlog.full() || r.takeBack.full() {
		return fmt.Errorf("%w: %w", ErrNotSent, ErrBacklog)
	}
	return nil
}

func (r *Redis) beginFor(ctx context.Context, token Token) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	if token.IsZero() {
		return ErrNoToken
	}
	return nil
}

// run runs a script within ctx and tells by its error what is known of it.
// What a server surely did not execute is sent again for a moment.
func (r *Redis) run(ctx context.Context, s script, keys []string, args []any) (any, error) {
	giveUp := time.Now().Add(refusedWindow)
	for {
		reply, err := r.once(ctx, s, keys, args)
		if err == nil || !isRefusedForNow(err) || !time.Now().Before(giveUp) {
			return reply, err
		}
		timer := time.NewTimer(refusedPause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, fmt.Errorf("%w: %w", context.Cause(ctx), err)
		}
	}
}

// aside sends a script in a goroutine of its own: go-redis does not interrupt
// a command whose answer it waits for, so the waiting is left behind when ctx
// ends.
func (r *Redis) aside(ctx context.Context, s script, keys []string, args []any) (any, error) {
	type answer struct {
		reply any
		err   error
	}
	answered := make(chan answer, 1)
	noted := r.quick.timing()
	r.backlog.add()
	go func() {
		defer r.backlog.done()
		reply, err := r.send(ctx, r.client, s, keys, args)
		noted(err)
		answered <- answer{reply, err}
	}()
	select {
	case a := <-answered:
		return a.reply, a.err
	case <-ctx.Done():
		select {
		case a := <-answered: // both at once: the answer counts
			return a.reply, a.err
		default:
			return nil, fmt.Errorf("%w: %w", ErrAnswerLost, context.Cause(ctx))
		}
	}
}

// classify says of an error whether the command may have been executed. A
// dial that failed tells that only of a client which does not send again by
// itself: otherwise an earlier sending may have arrived, as one of ours may
// have when arrived says so.
func (r *Redis) classify(err error, arrived bool) error {
	var reply redis.Error
	var dial *net.OpError
	switch {
	case err == nil || errors.Is(err, redis.Nil) || errors.Is(err, ErrAnswerLost):
		return err
	case errors.As(err, &reply): // a server's word: it did not run, or ended there
		return fmt.Errorf("stores: redis: %w", err)
	case !arrived && (r.sendsOnce() && errors.As(err, &dial) && dial.Op == "dial" || errors.Is(err, redis.ErrClosed)):
		return fmt.Errorf("%w to redis: %w", ErrNotSent, err)
	}
	return fmt.Errorf("%w (redis: %w)", ErrAnswerLost, err)
}

func (r *Redis) sendsOnce() bool {
	single, ok := r.client.(*redis.Client)
	return ok && single.Options().MaxRetries == 0
}

// refusals are the beginnings of replies by which a server tells that it did
// not execute a command now, but may a moment later.
var refusals = []string{"LOADING", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "BUSY"}

func isRefusedForNow(err error) bool {
	var reply redis.Error
	if !errors.As(err, &reply) {
		return false
	}
	for _, beginning := range refusals {
		if strings.HasPrefix(reply.Error(), beginning) {
			return true
		}
	}
	return false
}

func isCrossSlot(err error) bool {
	return err != nil && strings.Contains(err.Error(), "CROSSSLOT")
}

// backlog counts the commands that wait for an answer.
type backlog struct {
	mu    sync.Mutex
	count int
	idle  chan struct{} // closed when count falls to zero; nil while nobody waits
}

func (b *backlog) add() {
	b.mu.Lock()
	b.count++
	b.mu.Unlock()
}

func (b *backlog) done() {
	b.mu.Lock()
	b.count--
	if b.count == 0 && b.idle != nil {
		close(b.idle)
		b.idle = nil
	}
	b.mu.Unlock()
}

func (b *backlog) full() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count >= maxBacklog
}

// wait waits until no command waits any more, or until ctx ends.
func (b *backlog) wait(ctx context.Context) error {
	b.mu.Lock()
	if b.count == 0 {
		b.mu.Unlock()
		return nil
	}
	if b.idle == nil {
		b.idle = make(chan struct{})
	}
	idle := b.idle
	b.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stores: redis still owes answers: %w", context.Cause(ctx))
	}
}
