package spec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// These are plain tests, so that the test tool can repeat them as often as it
// likes.

// simultaneousCharge refuses whoever is not first.
type simultaneousCharge struct{ idemWorker }

func (*simultaneousCharge) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{OnDuplicate: cmdx.PolicyFail})
}

// simultaneousFirst is executed by nobody before many do at once.
type simultaneousFirst struct{ idemWorker }

func (*simultaneousFirst) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("id")) }

// historyCharge remembers a claim for two seconds and a completion for five.
type historyCharge struct{ idemWorker }

func (*historyCharge) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{ProcessingTTL: 2 * time.Second, TTL: 5 * time.Second})
	c.RetryOn(cmdx.ErrorIs(errIdemOutage), cmdx.Retry{Limit: 1, Delay: 300 * time.Millisecond})
}

// atOnce runs f n times, all from one start, and waits for all.
func atOnce(n int, f func(i int)) {
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	wg.Wait()
}

// countOutcomes counts results by their words.
func countOutcomes(results []*cmdx.Result) map[string]int {
	counts := map[string]int{}
	for _, res := range results {
		counts[idemOutcome(res)]++
	}
	return counts
}

const callers = 100

func TestSimultaneousCallersOfOneKeyWorkOnce(t *testing.T) {
	g := NewWithT(t)
	runtime := cmdx.New(cmdx.Configuration{})
	var works atomic.Int32
	template := &simultaneousCharge{idemDoing(func(context.Context, *idemWorker) error {
		works.Add(1)
		return nil
	})}
	results := make([]*cmdx.Result, callers)
	atOnce(callers, func(i int) {
		results[i] = runtime.Execute(context.Background(), template, cmdx.Args{"id": "k"})
	})
	g.Expect(works.Load()).To(BeEquivalentTo(1))
	counts := countOutcomes(results)
	g.Expect(counts).To(HaveKeyWithValue("success", 1))
	g.Expect(counts["failed duplicate processing"] + counts["failed duplicate completed"]).To(Equal(callers - 1))
}

func TestSimultaneousCallersMeetTheRunInProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		runtime := cmdx.New(cmdx.Configuration{})
		results := make([]*cmdx.Result, callers)
		atOnce(callers, func(i int) {
			results[i] = runtime.Execute(context.Background(), &simultaneousCharge{idemDoing(func(context.Context, *idemWorker) error {
				time.Sleep(time.Second) // all others come meanwhile
				return nil
			})}, cmdx.Args{"id": "k"})
		})
		g.Expect(countOutcomes(results)).To(Equal(map[string]int{"success": 1, "failed duplicate processing": callers - 1}))
	})
}

func TestSimultaneousFirstCallersOfATypeWorkOnce(t *testing.T) {
	g := NewWithT(t)
	runtime := cmdx.New(cmdx.Configuration{})
	var works atomic.Int32
	atOnce(callers, func(int) {
		runtime.Execute(context.Background(), &simultaneousFirst{idemDoing(func(context.Context, *idemWorker) error {
			works.Add(1)
			return nil
		})}, cmdx.Args{"id": "k"})
	})
	g.Expect(works.Load()).To(BeEquivalentTo(1))
}

func TestSimultaneousCallersOfManyKeysWorkOncePerKey(t *testing.T) {
	g := NewWithT(t)
	runtime := cmdx.New(cmdx.Configuration{})
	const keys = 10
	var works [keys]atomic.Int32
	atOnce(callers, func(i int) {
		runtime.Execute(context.Background(), &simultaneousCharge{idemDoing(func(context.Context, *idemWorker) error {
			works[i%keys].Add(1)
			return nil
		})}, cmdx.Args{"id": i % keys})
	})
	for i := range works {
		g.Expect(works[i].Load()).To(BeEquivalentTo(1))
	}
}

func TestSimultaneousCallersOfTwoRuntimesWithOneStoreWorkOnce(t *testing.T) {
	g := NewWithT(t)
	store := stores.NewMemory()
	runtimes := []*cmdx.Runtime{cmdx.New(cmdx.Configuration{Store: store}), cmdx.New(cmdx.Configuration{Store: store})}
	var works atomic.Int32
	atOnce(callers, func(i int) {
		runtimes[i%2].Execute(context.Background(), &simultaneousCharge{idemDoing(func(context.Context, *idemWorker) error {
			works.Add(1)
			return nil
		})}, cmdx.Args{"id": "k"})
	})
	g.Expect(works.Load()).To(BeEquivalentTo(1))
}

func TestSimultaneousCallersWhoseAnswersAreLostWorkOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		store := storetest.NewFaulty(nil)
		store.LoseAnswer(storetest.OpEnter, callers)
		store.LoseAnswer(storetest.OpLeave, 1)
		runtime := cmdx.New(cmdx.Configuration{Store: store})
		var works atomic.Int32
		atOnce(callers, func(int) {
			runtime.Execute(context.Background(), &simultaneousCharge{idemDoing(func(context.Context, *idemWorker) error {
				works.Add(1)
				return nil
			})}, cmdx.Args{"id": "k"})
		})
		// Whoever lost all answers was refused; at most one got through.
		g.Expect(works.Load()).To(BeNumerically("<=", 1))
		res := runtime.Execute(context.Background(), &simultaneousCharge{}, cmdx.Args{"id": "k"})
		if works.Load() == 1 {
			g.Expect(res).To(idemEnd("failed duplicate completed"))
		} else {
			g.Expect(res).To(idemEnd("success")) // nothing was left blocked
		}
	})
}

func TestSimultaneousFailuresNeverOverlap(t *testing.T) {
	g := NewWithT(t)
	runtime := cmdx.New(cmdx.Configuration{})
	var inside, most, works atomic.Int32
	atOnce(callers, func(int) {
		runtime.Execute(context.Background(), &simultaneousCharge{idemDoing(func(context.Context, *idemWorker) error {
			works.Add(1)
			if n := inside.Add(1); n > most.Load() {
				most.Store(n)
			}
			inside.Add(-1)
			return errIdemOutage
		})}, cmdx.Args{"id": "k"})
	})
	g.Expect(most.Load()).To(BeEquivalentTo(1))
	g.Expect(works.Load()).To(BeNumerically(">=", 1))
	g.Expect(runtime.Execute(context.Background(), &simultaneousCharge{}, cmdx.Args{"id": "k"})).To(idemEnd("success"))
}

func TestOneTemplateServesManyKeysAtOnce(t *testing.T) {
	g := NewWithT(t)
	runtime := cmdx.New(cmdx.Configuration{})
	template := &keyedByField{idemWorker: idemDoing(func(_ context.Context, w *idemWorker) error {
		return nil
	})}
	results := make([]*cmdx.Result, callers)
	atOnce(callers, func(i int) {
		results[i] = runtime.Execute(context.Background(), template, cmdx.Args{"order": i})
	})
	g.Expect(countOutcomes(results)).To(Equal(map[string]int{"success": callers}))
	for i := range callers {
		value, _, err := runtime.Store().Get(context.Background(), fmt.Sprintf("cmdx:idem:keyedByField:%d/%d", i, i))
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(value).To(Equal("completed"))
	}
}

// history is what happened to one key.
type history struct {
	mu    sync.Mutex
	works []historyWork
	done  []time.Duration // instants of completions
}

// historyWork is one attempt of a run whose claim began at claimed.
type historyWork struct{ run, claimed, from, to time.Duration }

func TestOverAnyHistoryAtMostOneWorks(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { oneHistory(t, seed) })
		})
	}
}

// oneHistory lets callers come and go over a minute: some succeed, some fail,
// some try twice, some outlive their claim, some die without any clean-up.
func oneHistory(t *testing.T, seed uint64) {
	g := NewWithT(t)
	memory := stores.NewMemory()
	dying := storetest.NewFaulty(memory)
	dying.Fail(storetest.OpLeave, storetest.Always, nil)
	dying.Fail(storetest.OpTakeBack, storetest.Always, nil)
	sound, doomed := cmdx.New(cmdx.Configuration{Store: memory}), cmdx.New(cmdx.Configuration{Store: dying})
	began := time.Now()
	var h history
	sound.Telemetry().Subscribe(cmdx.EventIdempotencyCompleted, func(cmdx.Event) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.done = append(h.done, time.Since(began))
	})
	draw := rand.New(rand.NewPCG(seed, 2026))
	var wg sync.WaitGroup
	for i := range 120 {
		comes := time.Duration(draw.Int64N(int64(time.Minute)))
		lasts := time.Duration(draw.Int64N(int64(2500 * time.Millisecond)))
		end := []error{nil, nil, errIdemOutage, fmt.Errorf("no")}[draw.IntN(4)]
		runtime := sound
		if draw.IntN(5) == 0 {
			runtime = doomed
		}
		wg.Go(func() {
			time.Sleep(comes)
			claimed := time.Since(began)
			runtime.Execute(context.Background(), &historyCharge{idemDoing(func(context.Context, *idemWorker) error {
				from := time.Since(began)
				time.Sleep(lasts)
				h.mu.Lock()
				defer h.mu.Unlock()
				h.works = append(h.works, historyWork{time.Duration(i), claimed, from, time.Since(began)})
				return end
			})}, cmdx.Args{"id": "k"})
		})
	}
	wg.Wait()

	const processing, completed = 2 * time.Second, 5 * time.Second
	slices.SortFunc(h.works, func(a, b historyWork) int { return int(a.from - b.from) })
	g.Expect(len(h.works)).To(BeNumerically(">", 5))
	g.Expect(h.done).NotTo(BeEmpty())
	for i, earlier := range h.works {
		for _, later := range h.works[i+1:] {
			if later.run != earlier.run && later.from < earlier.to {
				g.Expect(later.from-earlier.claimed).To(BeNumerically(">=", processing),
					"two at work although the first one's ttl lasted: %v, %v", earlier, later)
			}
		}
	}
	for _, done := range h.done {
		for _, work := range h.works {
			if work.from > done {
				g.Expect(work.from-done).To(BeNumerically(">=", completed), "work at %v after a completion at %v", work.from, done)
			}
		}
	}
}
