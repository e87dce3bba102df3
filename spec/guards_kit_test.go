package spec

import (
	"context"
	"time"

	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

// guardHolding is a worker that announces its Work and is at it until let go.
func guardHolding(entered chan<- struct{}, release <-chan struct{}) idemWorker {
	return idemDoing(func(context.Context, *idemWorker) error {
		entered <- struct{}{}
		<-release
		return nil
	})
}

// occupy runs a task whose Work is under way until the returned function is
// called, which waits for its result.
func (r *idemRig) occupy(task func(idemWorker) cmdx.Task, id any) (end func() *cmdx.Result) {
	entered, release, done := make(chan struct{}), make(chan struct{}), make(chan *cmdx.Result)
	go func() { done <- r.run(task(guardHolding(entered, release)), id) }()
	<-entered
	return func() *cmdx.Result {
		close(release)
		return <-done
	}
}

// enterByHand asks the memory store for one entry under a token of its own.
func (r *idemRig) enterByHand(e stores.Entry) (stores.Token, stores.Entered) {
	token := stores.NewToken()
	answer, err := r.memory.Enter(context.Background(), token, []stores.Entry{e}, 0)
	Expect(err).NotTo(HaveOccurred())
	return token, answer
}

func (r *idemRig) leaveByHand(token stores.Token, e stores.Entry) {
	e.Part = stores.PartRelease
	_, err := r.memory.Leave(context.Background(), token, []stores.Entry{e})
	Expect(err).NotTo(HaveOccurred())
}

func guardLock(key string, ttl time.Duration) stores.Entry {
	return stores.Entry{Kind: stores.KindLock, Key: key, TTL: ttl}
}

// BreakerState asks the memory store itself: what stands before it fails
// where a spec plans it, and cannot tell of circuits.
func (r *idemRig) BreakerState(ctx context.Context, task cmdx.Task, args ...any) (cmdx.BreakerReport, error) {
	return cmdx.New(cmdx.Configuration{Store: r.memory}).BreakerState(ctx, task, args...)
}

// ResetBreaker does so too.
func (r *idemRig) ResetBreaker(ctx context.Context, task cmdx.Task, args ...any) (bool, error) {
	return cmdx.New(cmdx.Configuration{Store: r.memory}).ResetBreaker(ctx, task, args...)
}
