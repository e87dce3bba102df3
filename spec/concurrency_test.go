package spec

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

const placeTTL = 3 * time.Second

// The tasks of this page render for the customer with the id that they are
// given, two at once.
type (
	placeRender  struct{ idemWorker }
	placeRenewed struct{ placeRender }
	placeSkipped struct{ placeRender }
	placeOff     struct{ placeRender }
	placeWider   struct{ placeRender }
	placeRetried struct{ placeRender }
	placeShared1 struct{ placeShared }
	placeShared2 struct{ placeShared }
	placeShared  struct{ idemWorker }
)

func (*placeRender) Configure(c *cmdx.Config) {
	c.LimitConcurrency(cmdx.FromContext("id"), cmdx.Concurrency{Limit: 2, TTL: placeTTL})
}

func (*placeRenewed) Configure(c *cmdx.Config) {
	c.LimitConcurrency(nil, cmdx.Concurrency{Renew: cmdx.On})
}

func (*placeSkipped) Configure(c *cmdx.Config) {
	c.LimitConcurrency(nil, cmdx.Concurrency{OnFull: cmdx.PolicySkip})
}

func (*placeOff) Configure(c *cmdx.Config) { c.LimitConcurrency(cmdx.Disabled) }

func (*placeWider) Configure(c *cmdx.Config) { c.LimitConcurrency(nil, cmdx.Concurrency{Limit: 5}) }

func (*placeRetried) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 3, Delay: 2 * time.Second, Jitter: cmdx.NoJitter})
}

func (*placeShared) Configure(c *cmdx.Config) {
	c.LimitConcurrency(cmdx.PerTask, cmdx.Concurrency{Scope: "spec.renderer", Limit: 1})
}

const (
	placeKey        = "cmdx:slots:placeRender:acc"
	placeRenewedKey = "cmdx:slots:placeRenewed:acc"
)

var placeEvents = []cmdx.EventName{
	cmdx.EventConcurrencyAcquired, cmdx.EventConcurrencyLimited, cmdx.EventConcurrencyReleased,
	cmdx.EventConcurrencyLost, cmdx.EventConcurrencyReleaseFailed, cmdx.EventConcurrencyStoreFailed,
}

func placeRendering(w idemWorker) cmdx.Task { return &placeRender{w} }

var _ = Describe("Concurrency", func() {
	Describe("A run", func() {
		It("takes a place and gives it back", func() {
			rig := newIdemRig(placeEvents...)
			rig.run(&placeRender{idemReturning(rig, nil)}, "acc")
			Expect(rig.order()).To(Equal([]string{"concurrency_acquired", "work", "concurrency_released"}))
			Expect(rig.payloads(cmdx.EventConcurrencyAcquired)).To(Equal([]map[string]any{{"concurrency_key": placeKey}}))
			Expect(rig.store.Trace()).To(Equal([]string{"enter " + placeKey, "leave " + placeKey + "=release"}))
		})

		It("is never one of more than the limit, whoever comes", bubble(), func() {
			rig := newIdemRig()
			var mu sync.Mutex
			at, most, worked := 0, 0, 0
			var all sync.WaitGroup
			for i := range 10 {
				all.Go(func() {
					for range 20 {
						rig.run(&placeRender{idemDoing(func(context.Context, *idemWorker) error {
							mu.Lock()
							at, worked = at+1, worked+1
							most = max(most, at)
							mu.Unlock()
							time.Sleep(time.Duration(10+i) * time.Millisecond)
							mu.Lock()
							at--
							mu.Unlock()
							return nil
						})}, "acc")
						time.Sleep(7 * time.Millisecond)
					}
				})
			}
			all.Wait()
			Expect(most).To(Equal(2))
			Expect(worked).To(BeNumerically(">", 20))
		})

		DescribeTable("gives its place back on every way out",
			func(work func(w *idemWorker) error) {
				rig := newIdemRig()
				idemApart(func() {
					rig.run(&placeRender{idemDoing(func(_ context.Context, w *idemWorker) error { return work(w) })}, "acc")
				})
				first, second := rig.occupy(placeRendering, "acc"), rig.occupy(placeRendering, "acc")
				Expect(first()).To(idemEnd("success"))
				Expect(second()).To(idemEnd("success"))
			},
			Entry("a raised error", func(*idemWorker) error { return errIdemOutage }),
			Entry("Skip", func(w *idemWorker) error { return w.Skip("closed") }),
			Entry("an added error", func(w *idemWorker) error { w.Errors().Add("id", "is wrong"); return nil }),
			Entry("a panic", func(*idemWorker) error { panic("broken") }),
			Entry("Goexit", func(*idemWorker) error { runtime.Goexit(); return nil }),
		)
	})

	Describe("A refusal", func() {
		It("tells code, key and when a place frees at the latest, and takes nothing", func() {
			rig := newIdemRig(placeEvents...)
			first, second := rig.occupy(placeRendering, "acc"), rig.occupy(placeRendering, "acc")
			res := rig.run(&placeRender{idemReturning(rig, nil)}, "acc")
			Expect(res).To(idemEnd("failed concurrency_limited"))
			Expect(res.Reason()).To(Equal("concurrency limited: no place is free (limit=2)"))
			Expect(res.Metadata()).To(HaveKeyWithValue("concurrency_key", placeKey))
			Expect(res.Metadata()["retry_after"]).To(BeNumerically("~", placeTTL, time.Second))
			payload := rig.payloads(cmdx.EventConcurrencyLimited)[0]
			Expect(payload).To(HaveKeyWithValue("limit", 2))
			Expect(payload).To(HaveLen(len(res.Metadata()) + 1))
			Expect(rig.works()).To(BeZero())
			Expect(rig.run(&placeRender{}, "other")).To(idemEnd("success"))
			first()
			Expect(rig.run(&placeRender{}, "acc")).To(idemEnd("success"))
			second()
		})

		It("can be a skip", func() {
			rig := newIdemRig()
			skipped := func(w idemWorker) cmdx.Task { return &placeSkipped{placeRender{w}} }
			first, second := rig.occupy(skipped, "acc"), rig.occupy(skipped, "acc")
			Expect(rig.run(&placeSkipped{}, "acc")).To(idemEnd("skipped concurrency_limited"))
			first()
			second()
		})
	})

	Describe("A place", func() {
		It("of a dead process frees after its ttl", bubble(), func() {
			rig := newIdemRig()
			for range 2 {
				rig.enterByHand(stores.Entry{Kind: stores.KindPlace, Key: placeKey, TTL: placeTTL, Limit: 2})
			}
			time.Sleep(placeTTL - time.Millisecond)
			Expect(rig.run(&placeRender{}, "acc")).To(idemEnd("failed concurrency_limited"))
			time.Sleep(time.Millisecond)
			Expect(rig.run(&placeRender{}, "acc")).To(idemEnd("success"))
		})

		It("that ended while Work ran is told as lost, and nobody else's is given back", bubble(), func() {
			rig := newIdemRig(placeEvents...)
			other := stores.Entry{Kind: stores.KindPlace, Key: placeKey, TTL: time.Minute, Limit: 2}
			res := rig.run(&placeRender{idemDoing(func(context.Context, *idemWorker) error {
				time.Sleep(2 * placeTTL)
				rig.enterByHand(other)
				rig.enterByHand(other)
				return nil
			})}, "acc")
			Expect(res).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"concurrency_acquired", "concurrency_lost"}))
			_, answer := rig.enterByHand(other)
			Expect(answer.Verdict).To(Equal(stores.VerdictRefused))
		})

		It("that ended lets no further attempt begin", bubble(), func() {
			rig := newIdemRig()
			res := rig.run(&placeRetried{placeRender{idemReturning(rig, errIdemOutage)}}, "acc")
			var lost *cmdx.LeaseLostError
			Expect(errors.As(res.Cause(), &lost)).To(BeTrue())
			Expect(lost.Feature).To(Equal("place"))
			Expect(rig.works()).To(Equal(2))
		})

		It("is renewed while Work runs, and its loss ends Work's ctx", bubble(), func() {
			rig := newIdemRig(placeEvents...)
			var cause error
			rig.run(&placeRenewed{placeRender{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				time.Sleep(5 * placeTTL)
				Expect(ctx.Err()).NotTo(HaveOccurred())
				_, err := rig.memory.Delete(context.Background(), placeRenewedKey)
				Expect(err).NotTo(HaveOccurred())
				<-ctx.Done()
				cause = context.Cause(ctx)
				return nil
			})}}, "acc")
			Expect(cause).To(MatchError(&cmdx.LeaseLostError{Feature: "place", Key: placeRenewedKey}))
			Expect(rig.order()).To(Equal([]string{"concurrency_acquired", "concurrency_lost"}))
		})
	})

	Describe("Keys and layers", func() {
		It("merges options, and is off in a child that says Disabled", func() {
			definition, err := cmdx.DefinitionOf(&placeWider{})
			Expect(err).NotTo(HaveOccurred())
			Expect(definition.Concurrency()).To(Equal(cmdx.Concurrency{
				Limit: 5, TTL: placeTTL, Renew: cmdx.Off, Namespace: "cmdx:slots", OnFull: cmdx.PolicyFail,
				If: cmdx.Always, Unless: cmdx.Never, OnStoreError: cmdx.FailClosed,
			}))
			rig := newIdemRig()
			rig.run(&placeOff{}, "acc")
			Expect(rig.store.Trace()).To(BeEmpty())
		})

		It("is shared by all who name its scope", func() {
			rig := newIdemRig()
			end := rig.occupy(func(w idemWorker) cmdx.Task { return &placeShared1{placeShared{w}} }, nil)
			res := rig.run(&placeShared2{}, nil)
			Expect(res).To(idemEnd("failed concurrency_limited"))
			Expect(res.Metadata()).To(HaveKeyWithValue("concurrency_key", "cmdx:slots:spec.renderer:all"))
			end()
		})
	})

	Describe("A store that fails", func() {
		It("fails the run before Work, and tells of a place that it could not give back", bubble(), func() {
			rig := newIdemRig(placeEvents...)
			rig.store.Fail(storetest.OpEnter, 1, errStoreAway)
			res := rig.run(&placeRender{}, "acc")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(res.Reason()).To(HavePrefix("the store cannot tell whether a place is free: "))
			rig.store.Fail(storetest.OpLeave, storetest.Always, errStoreAway)
			Expect(rig.run(&placeRender{}, "acc")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"concurrency_store_failed", "concurrency_acquired", "concurrency_release_failed"}))
		})
	})
})
