package spec

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// guardPay has all guards, each with the id that it is given as its key.
type (
	guardPay     struct{ idemWorker }
	guardWaiting struct{ guardPay }
	guardRenewed struct{ guardWaiting }
	guardOpen    struct{ guardPay }
	guardHalfway struct{ guardPay }
	guardOff     struct{ guardPay }
	guardKeyless struct{ guardPay }
	guardBlank   struct{ guardPay }
	guardRetried struct{ guardPay }
)

func (*guardPay) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"))
	c.LockWith(cmdx.FromContext("id"), cmdx.Lock{TTL: 20 * time.Second})
	c.LimitConcurrency(cmdx.FromContext("id"), cmdx.Concurrency{Limit: 2, TTL: 3 * time.Second})
	c.CircuitBreaker(cmdx.FromContext("id"), cmdx.Breaker{Threshold: 1})
	c.RateLimit(cmdx.FromContext("id"), cmdx.Rate{Limit: 3, Per: time.Minute})
}

func (*guardWaiting) Configure(c *cmdx.Config) {
	c.LockWith(nil, cmdx.Lock{Wait: 10 * time.Second})
}

func (*guardRenewed) Configure(c *cmdx.Config) {
	c.LimitConcurrency(nil, cmdx.Concurrency{Renew: cmdx.On})
}

func (*guardOpen) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{OnStoreError: cmdx.FailOpen})
	c.LockWith(nil, cmdx.Lock{OnStoreError: cmdx.FailOpen})
	c.LimitConcurrency(nil, cmdx.Concurrency{OnStoreError: cmdx.FailOpen})
	c.CircuitBreaker(nil, cmdx.Breaker{OnStoreError: cmdx.FailOpen})
	c.RateLimit(nil, cmdx.Rate{Limit: 3, Per: time.Minute, OnStoreError: cmdx.FailOpen})
}

func (*guardHalfway) Configure(c *cmdx.Config) {
	c.LockWith(nil, cmdx.Lock{OnStoreError: cmdx.FailOpen})
}

func (*guardOff) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Disabled)
	c.LockWith(cmdx.Disabled)
	c.LimitConcurrency(cmdx.Disabled)
	c.CircuitBreaker(cmdx.Disabled)
	c.RateLimit(cmdx.Disabled)
}

func (*guardKeyless) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("parts")) }

func (*guardBlank) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("nothing"), cmdx.Idempotency{OnBlank: cmdx.PolicyFail})
}

func (*guardRetried) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

// guardPrefixes are the namespaces of a task's keys in the order in which they are
// entered.
var guardPrefixes = []string{"cmdx:rate", "cmdx:breaker", "cmdx:slots", "cmdx:lock", "cmdx:idem"}

// guardKeys are the keys of a task with the id k, with what Leave does.
func guardKeys(task string, parts ...string) string {
	var keys []string
	for i, prefix := range guardPrefixes {
		key := prefix + ":" + task + ":k"
		if parts != nil {
			key += "=" + parts[i]
		}
		keys = append(keys, key)
	}
	return strings.Join(keys, " ")
}

var guardEvents = append(append(append(append([]cmdx.EventName{
	cmdx.EventIdempotencyClaimed, cmdx.EventIdempotencyCompleted, cmdx.EventIdempotencyDuplicate,
	cmdx.EventIdempotencyLost, cmdx.EventIdempotencyStoreFailed,
}, lockEvents...), placeEvents...), circuitEvents...), rateEvents...)

// guardFree finds what is held for the task and the id k.
func guardFree(rig *idemRig, task string) (held []string) {
	GinkgoHelper()
	for _, e := range []stores.Entry{
		{Kind: stores.KindPlace, Key: "cmdx:slots:" + task + ":k", TTL: time.Minute, Limit: 1},
		{Kind: stores.KindLock, Key: "cmdx:lock:" + task + ":k", TTL: time.Minute},
	} {
		token, answer := rig.enterByHand(e)
		if answer.Verdict != stores.VerdictEntered {
			held = append(held, e.Key)
			continue
		}
		rig.leaveByHand(token, e)
	}
	if value := rig.value("cmdx:idem:" + task + ":k"); value == stores.ValueProcessing {
		held = append(held, "cmdx:idem:"+task+":k")
	}
	return held
}

// guardBlocked makes each guard of guardPay refuse the id k.
var guardBlocked = map[string]func(*idemRig){
	"rate limit": func(rig *idemRig) {
		for range 3 {
			rig.enterByHand(stores.Entry{Kind: stores.KindRate, Key: "cmdx:rate:guardPay:k", TTL: time.Minute,
				Rate: &stores.RateRule{Limit: 3, Per: time.Minute, Pace: stores.PaceWindow}})
		}
	},
	"circuit breaker": func(rig *idemRig) {
		rig.run(&guardPay{circuitWorking(errIdemOutage)}, "k")
		rig.store.Forget()
	},
	"concurrency": func(rig *idemRig) {
		for range 2 {
			rig.enterByHand(stores.Entry{Kind: stores.KindPlace, Key: "cmdx:slots:guardPay:k", TTL: time.Minute, Limit: 2})
		}
	},
	"lock": func(rig *idemRig) { rig.enterByHand(guardLock("cmdx:lock:guardPay:k", time.Minute)) },
	"idempotency claim": func(rig *idemRig) {
		rig.enterByHand(stores.Entry{Kind: stores.KindClaim, Key: "cmdx:idem:guardPay:k", TTL: time.Minute})
	},
}

var _ = Describe("Guards", func() {
	Describe("Together", func() {
		It("stand before Work in one order, however they were declared", func() {
			definition, err := cmdx.DefinitionOf(&guardPay{})
			Expect(err).NotTo(HaveOccurred())
			Expect(definition.Steps()).To(Equal([]string{
				"rate limit", "circuit breaker", "concurrency", "lock", "idempotency claim", "retry loop { Work }", "completed",
			}))
		})

		It("are entered by one call and left by one, with the parts of a success", func() {
			rig := newIdemRig()
			Expect(rig.run(&guardPay{}, "k")).To(idemEnd("success"))
			Expect(rig.store.Trace()).To(Equal([]string{
				"enter " + guardKeys("guardPay"),
				"leave " + guardKeys("guardPay", "none", "success", "release", "release", "complete"),
			}))
			calls := rig.store.Calls()
			Expect(calls[1].Token).To(Equal(calls[0].Token))
		})

		It("are left with the parts of a failure", func() {
			rig := newIdemRig()
			rig.run(&guardPay{circuitWorking(errIdemOutage)}, "k")
			Expect(rig.store.Trace()[1]).To(Equal("leave " + guardKeys("guardPay", "none", "failure", "release", "release", "release")))
		})

		It("are told of in order, and left in reverse", func() {
			rig := newIdemRig(guardEvents...)
			rig.run(&guardPay{idemReturning(rig, nil)}, "k")
			Expect(rig.order()).To(Equal([]string{
				"concurrency_acquired", "lock_acquired", "idempotency_claimed", "work",
				"idempotency_completed", "lock_released", "concurrency_released",
			}))
		})

		It("are entered once for all attempts", func() {
			rig := newIdemRig()
			rig.run(&guardRetried{guardPay{idemReturning(rig, errIdemOutage)}}, "k")
			Expect(rig.works()).To(Equal(3))
			Expect(rig.store.Trace()).To(HaveLen(2))
		})

		It("have a token of their own in every run", func() {
			rig := newIdemRig()
			rig.run(&guardPay{}, "k")
			rig.run(&guardPay{}, "other")
			enters := rig.store.CallsOf(storetest.OpEnter)
			Expect(enters[0].Token).NotTo(Equal(enters[1].Token))
		})

		It("cost nothing when all are off", func() {
			rig := newIdemRig()
			for range 5 {
				rig.run(&guardOff{guardPay{circuitWorking(errIdemOutage)}}, "k")
			}
			Expect(rig.store.Trace()).To(BeEmpty())
			definition, err := cmdx.DefinitionOf(&guardOff{})
			Expect(err).NotTo(HaveOccurred())
			Expect(definition.Steps()).To(Equal([]string{"retry loop { Work }"}))
		})
	})

	Describe("A refusal", func() {
		DescribeTable("by one of them takes one call, runs no Work, and gives back what came before",
			func(step, words, keyName, key string) {
				rig := newIdemRig()
				guardBlocked[step](rig)
				res := rig.run(&guardPay{idemReturning(rig, nil)}, "k")
				Expect(res).To(idemEnd(words))
				Expect(res.Metadata()).To(HaveKeyWithValue(keyName, key))
				Expect(rig.works()).To(BeZero())
				Expect(rig.store.Trace()).To(Equal([]string{"enter " + guardKeys("guardPay")}))
				held := map[string][]string{
					"concurrency": {"cmdx:slots:guardPay:k"}, "lock": {"cmdx:lock:guardPay:k"}, "idempotency claim": {"cmdx:idem:guardPay:k"},
				}
				Expect(guardFree(rig, "guardPay")).To(Equal(held[step]), "only what refused is held, by somebody else")
			},
			Entry("the rate limit", "rate limit", "failed rate_limited", "rate_key", "cmdx:rate:guardPay:k"),
			Entry("the circuit breaker", "circuit breaker", "failed circuit_open open", "breaker_key", "cmdx:breaker:guardPay:k"),
			Entry("concurrency", "concurrency", "failed concurrency_limited", "concurrency_key", "cmdx:slots:guardPay:k"),
			Entry("the lock", "lock", "failed locked", "lock_key", "cmdx:lock:guardPay:k"),
			Entry("the claim", "idempotency claim", "skipped duplicate processing", "idempotency_key", "cmdx:idem:guardPay:k"),
		)

		It("further in stays counted by the rate limit", func() {
			rig := newIdemRig()
			guardBlocked["lock"](rig)
			for range 3 {
				Expect(rig.run(&guardPay{}, "k")).To(idemEnd("failed locked"))
			}
			Expect(rig.run(&guardPay{}, "k")).To(idemEnd("failed rate_limited"))
		})

		It("of the lock comes before the claim: a duplicate of a run under way is locked, not skipped", func() {
			rig := newIdemRig()
			end := rig.occupy(func(w idemWorker) cmdx.Task { return &guardPay{w} }, "k")
			Expect(rig.run(&guardPay{}, "k")).To(idemEnd("failed locked"))
			end()
			Expect(rig.run(&guardPay{}, "k")).To(idemEnd("skipped duplicate completed"))
		})

		It("leaves no event of what was only taken and given back", func() {
			rig := newIdemRig(guardEvents...)
			guardBlocked["idempotency claim"](rig)
			rig.run(&guardPay{}, "k")
			Expect(rig.order()).To(Equal([]string{"idempotency_duplicate"}))
		})
	})

	Describe("What is held", func() {
		DescribeTable("is given back on every way out",
			func(work func(ctx context.Context, w *idemWorker) error) {
				rig := newIdemRig()
				idemApart(func() { rig.run(&guardPay{idemDoing(work)}, "k") })
				Expect(guardFree(rig, "guardPay")).To(BeEmpty())
				Expect(rig.store.CallsOf(storetest.OpLeave)).To(HaveLen(1))
			},
			Entry("success", func(context.Context, *idemWorker) error { return nil }),
			Entry("Success", func(_ context.Context, w *idemWorker) error { return w.Success("done") }),
			Entry("a raised error", func(context.Context, *idemWorker) error { return errIdemOutage }),
			Entry("Skip", func(_ context.Context, w *idemWorker) error { return w.Skip("closed") }),
			Entry("Fail", func(_ context.Context, w *idemWorker) error { return w.Fail("no") }),
			Entry("added errors", func(_ context.Context, w *idemWorker) error { w.Errors().Add("id", "is wrong"); return nil }),
			Entry("a panic", func(context.Context, *idemWorker) error { panic("broken") }),
			Entry("a panic with nil", func(context.Context, *idemWorker) error { panic(nil) }),
			Entry("Goexit", func(context.Context, *idemWorker) error { runtime.Goexit(); return nil }),
			Entry("the echo of a nested failure", func(ctx context.Context, _ *idemWorker) error {
				return cmdx.Execute(ctx, doReturn(errIdemOutage), nil).Err()
			}),
		)

		It("is given back when a subscriber ends the goroutine as soon as it is taken", func() {
			rig := newIdemRig()
			rig.Telemetry().Subscribe(cmdx.EventConcurrencyAcquired, func(cmdx.Event) { runtime.Goexit() })
			idemApart(func() { rig.run(&guardPay{}, "k") })
			Expect(guardFree(rig, "guardPay")).To(BeEmpty())
		})

		It("is not told of to nested runs, which have a token and entries of their own", func() {
			rig := newIdemRig()
			rig.run(&guardPay{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				return rig.Execute(ctx, &guardPay{}, cmdx.Args{"id": "other"}).Err()
			})}, "k")
			Expect(rig.store.CallsOf(storetest.OpEnter)).To(HaveLen(2))
			Expect(guardFree(rig, "guardPay")).To(BeEmpty())
		})

		It("is refused alike by every way to start a task", func() {
			rig := newIdemRig()
			guardBlocked["lock"](rig)
			ctx := context.Background()
			args := cmdx.Args{"id": "k"}
			_, err := rig.ExecuteBang(ctx, &guardPay{}, args)
			Expect(err).To(HaveOccurred())
			var fault *cmdx.Fault
			Expect(errors.As(err, &fault)).To(BeTrue())
			Expect(fault.Metadata()).To(HaveKeyWithValue("code", "locked"))
			outer := rig.Execute(ctx, do(func(ctx context.Context, _ *doing) error {
				return cmdx.Execute(ctx, &guardPay{}, args).Err()
			}), nil)
			Expect(outer).To(idemEnd("failed locked"))
			Expect(outer.Metadata()).To(HaveKeyWithValue("lock_key", "cmdx:lock:guardPay:k"))
		})
	})

	Describe("Gates and keys", func() {
		It("are all worked out before the first is entered", func() {
			rig := newIdemRig()
			res := rig.Execute(context.Background(), &guardKeyless{}, cmdx.Args{"id": "k", "parts": []string{"a"}})
			Expect(res).To(endFailed())
			Expect(res.Reason()).To(ContainSubstring("cannot be a key"))
			Expect(rig.run(&guardBlank{}, "k")).To(idemEnd("failed key_blank"))
			Expect(rig.store.Trace()).To(BeEmpty())
		})

		It("are not asked for a caller who has left", func() {
			rig := newIdemRig()
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			res := rig.Execute(ctx, &guardPay{}, cmdx.Args{"id": "k"})
			Expect(res.Cause()).To(MatchError(context.Canceled))
			Expect(res.Metadata()).NotTo(HaveKey("code"))
			Expect(rig.store.Trace()).To(BeEmpty())
		})
	})

	Describe("While a lock is waited for", func() {
		wait := func(rig *idemRig, task cmdx.Task, free time.Duration) *cmdx.Result {
			key := strings.Replace(fmt.Sprintf("cmdx:lock:%T:k", task), "*spec.", "", 1)
			rig.enterByHand(guardLock(key, free))
			return rig.run(task, "k")
		}

		It("what lies before it stays taken, and the next call goes on at the lock", bubble(), func() {
			rig := newIdemRig(guardEvents...)
			Expect(wait(rig, &guardWaiting{guardPay{idemReturning(rig, nil)}}, time.Second)).To(idemEnd("success"))
			enters := rig.store.CallsOf(storetest.OpEnter)
			Expect(len(enters)).To(BeNumerically(">", 2))
			Expect(enters[0].From).To(BeZero())
			for _, call := range enters[1:] {
				Expect(call.From).To(Equal(3))
				Expect(call.Token).To(Equal(enters[0].Token))
			}
			Expect(rig.store.CallsOf(storetest.OpLeave)).To(HaveLen(1))
			Expect(rig.order()).To(Equal([]string{
				"concurrency_acquired", "lock_acquired", "idempotency_claimed", "work",
				"idempotency_completed", "lock_released", "concurrency_released",
			}))
		})

		It("the rate limit counts once", bubble(), func() {
			rig := newIdemRig()
			Expect(wait(rig, &guardWaiting{guardPay{circuitWorking(nil)}}, time.Second)).To(idemEnd("success"))
			for range 2 {
				rig.run(&guardWaiting{}, "k")
			}
			Expect(rig.run(&guardWaiting{}, "k")).To(idemEnd("failed rate_limited"))
		})

		It("a place is renewed", bubble(), func() {
			rig := newIdemRig(guardEvents...)
			Expect(wait(rig, &guardRenewed{guardWaiting{guardPay{idemReturning(rig, nil)}}}, 8*time.Second)).To(idemEnd("success"))
			Expect(rig.payloads(cmdx.EventConcurrencyLost)).To(BeEmpty())
			Expect(rig.works()).To(Equal(1))
		})

		It("a place that is not renewed and ends lets no Work begin", bubble(), func() {
			rig := newIdemRig(guardEvents...)
			res := wait(rig, &guardWaiting{guardPay{idemReturning(rig, nil)}}, 8*time.Second)
			var lost *cmdx.LeaseLostError
			Expect(errors.As(res.Cause(), &lost)).To(BeTrue())
			Expect(lost.Feature).To(Equal("place"))
			Expect(rig.works()).To(BeZero())
			Expect(guardFree(rig, "guardWaiting")).To(BeEmpty())
		})

		It("a renewed place that is lost ends the wait", bubble(), func() {
			rig := newIdemRig(guardEvents...)
			time.AfterFunc(500*time.Millisecond, func() {
				_, _ = rig.memory.Delete(context.Background(), "cmdx:slots:guardRenewed:k")
			})
			began := time.Now()
			res := wait(rig, &guardRenewed{guardWaiting{guardPay{idemReturning(rig, nil)}}}, time.Hour)
			var lost *cmdx.LeaseLostError
			Expect(errors.As(res.Cause(), &lost)).To(BeTrue())
			Expect(time.Since(began)).To(Equal(time.Second), "the first renewal finds it")
			Expect(rig.order()).To(Equal([]string{"concurrency_acquired", "concurrency_lost"}))
		})

		It("a wait in vain gives back what lies before, and tells so", bubble(), func() {
			rig := newIdemRig(guardEvents...)
			res := wait(rig, &guardRenewed{guardWaiting{guardPay{idemReturning(rig, nil)}}}, time.Hour)
			Expect(res).To(idemEnd("failed locked"))
			Expect(rig.order()).To(Equal([]string{"concurrency_acquired", "lock_conflict", "concurrency_released"}))
			Expect(rig.store.CallsOf(storetest.OpLeave)).To(BeEmpty(), "the refusal itself undoes it")
			Expect(guardFree(rig, "guardRenewed")).To(Equal([]string{"cmdx:lock:guardRenewed:k"}))
		})

		It("a caller who leaves gives back what is held; what was counted stays", bubble(), func() {
			rig := newIdemRig(guardEvents...)
			rig.enterByHand(guardLock("cmdx:lock:guardWaiting:k", time.Hour))
			for range 3 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				res := rig.Execute(ctx, &guardWaiting{}, cmdx.Args{"id": "k"})
				Expect(res.Cause()).To(MatchError(context.DeadlineExceeded))
				Expect(res.Metadata()).NotTo(HaveKey("code"))
				Expect(guardFree(rig, "guardWaiting")).To(Equal([]string{"cmdx:lock:guardWaiting:k"}))
				cancel()
			}
			Expect(rig.run(&guardWaiting{}, "k")).To(idemEnd("failed rate_limited"))
			Expect(rig.payloads(cmdx.EventConcurrencyReleased)).To(HaveLen(3))
		})

		It("a store that fails gives back what is held, by token", bubble(), func() {
			rig := newIdemRig(guardEvents...)
			time.AfterFunc(time.Second, func() { rig.store.Fail(storetest.OpEnter, storetest.Always, errStoreAway) })
			res := wait(rig, &guardWaiting{guardPay{idemReturning(rig, nil)}}, time.Hour)
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(res.Metadata()).To(HaveKeyWithValue("lock_key", "cmdx:lock:guardWaiting:k"))
			takeBacks := rig.store.CallsOf(storetest.OpTakeBack)
			Expect(takeBacks).To(HaveLen(1))
			Expect(takeBacks[0].Entries).To(HaveLen(2), "the lock and the claim; the others are left")
			Expect(guardFree(rig, "guardWaiting")).To(Equal([]string{"cmdx:lock:guardWaiting:k"}))
			Expect(rig.order()).To(Equal([]string{"concurrency_acquired", "lock_store_failed", "concurrency_released"}))
		})
	})

	Describe("A store that fails", func() {
		It("fails a run of which any guard fails closed, and everything is taken back", func() {
			rig := newIdemRig(guardEvents...)
			rig.store.Fail(storetest.OpEnter, 1, errStoreAway)
			res := rig.run(&guardHalfway{guardPay{idemReturning(rig, nil)}}, "k")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(rig.store.Trace()).To(Equal([]string{"enter " + guardKeys("guardHalfway"), "take back " + guardKeys("guardHalfway")}))
			Expect(rig.works()).To(BeZero())
		})

		It("lets a run go on whose guards all fail open, each of which says so each time", func() {
			rig := newIdemRig(guardEvents...)
			rig.store.Fail(storetest.OpEnter, storetest.Always, errStoreAway)
			for range 2 {
				Expect(rig.run(&guardOpen{guardPay{idemReturning(rig, nil)}}, "k")).To(idemEnd("success"))
			}
			once := []string{
				"rate_limit_store_failed", "circuit_store_failed", "concurrency_store_failed",
				"lock_store_failed", "idempotency_store_failed", "work",
			}
			Expect(rig.order()).To(Equal(append(append([]string{}, once...), once...)))
			Expect(rig.logged("fail_open")).To(HaveLen(10))
		})

		It("leaves by token what it may have taken all the same", func() {
			rig := newIdemRig(guardEvents...)
			rig.store.LoseAnswer(storetest.OpEnter, storetest.Always)
			Expect(rig.run(&guardOpen{}, "k")).To(idemEnd("success"))
			Expect(guardFree(rig, "guardOpen")).To(BeEmpty())
			Expect(rig.value("cmdx:idem:guardOpen:k")).To(Equal("completed"))
		})

		It("steps over the one guard whose entry fails and that fails open", func() {
			rig := newIdemRig(guardEvents...)
			rig.store.FailEntry(storetest.OpEnter, "cmdx:lock:guardHalfway:k", 1, errStoreAway)
			Expect(rig.run(&guardHalfway{guardPay{idemReturning(rig, nil)}}, "k")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{
				"lock_store_failed", "concurrency_acquired", "idempotency_claimed", "work",
				"idempotency_completed", "concurrency_released",
			}))
		})

		It("refuses by the one guard whose entry fails and that fails closed", func() {
			rig := newIdemRig(guardEvents...)
			rig.store.FailEntry(storetest.OpEnter, "cmdx:slots:guardHalfway:k", 1, errStoreAway)
			res := rig.run(&guardHalfway{guardPay{idemReturning(rig, nil)}}, "k")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(res.Metadata()).To(HaveKeyWithValue("concurrency_key", "cmdx:slots:guardHalfway:k"))
			Expect(rig.order()).To(Equal([]string{"concurrency_store_failed"}))
			Expect(guardFree(rig, "guardHalfway")).To(BeEmpty())
		})

		It("that has only the four verbs gives a clear error", func() {
			res := cmdx.New(cmdx.Configuration{Store: storetest.Plain(nil)}).Execute(context.Background(), &guardPay{}, cmdx.Args{"id": "k"})
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(res.Cause()).To(MatchError(stores.ErrUnsupported))
		})

		It("that answers nonsense is taken for one that does not answer", func() {
			for _, nonsense := range []stores.Entered{
				{}, {Verdict: 99}, {Verdict: stores.VerdictRefused, At: 9}, {Verdict: stores.VerdictRefused, At: -1},
				{Verdict: stores.VerdictWaiting, At: 3}, {Verdict: stores.VerdictWaiting},
			} {
				rig := idemRigOver(func(f *storetest.Faulty) stores.Store {
					return &storeHooked{Guards: f, enter: func(context.Context, stores.Token, []stores.Entry) (stores.Entered, error) {
						return nonsense, nil
					}}
				})
				Expect(rig.run(&guardPay{}, "k")).To(idemEnd("failed store_unavailable"), "%+v", nonsense)
				Expect(rig.store.CallsOf(storetest.OpTakeBack)).To(HaveLen(1))
			}
		})
	})
})
