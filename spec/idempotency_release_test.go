package spec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// releaseStock reserves stock once per id. Every way out of a run leads
// through it: retries with a gate, a matcher and a jitter of its own, an
// output, a resolver and a gate.
type releaseStock struct {
	idemWorker
	Refuse  bool   // no retry
	Matcher func() // called by the matcher
	Pause   func() // called by the jitter
	Key     func()
	Gate    func()
	ID      string `cmdx:"id"`
}

var errReleaseOutage = errors.New("the warehouse is away")

// releaseMatcher matches the outage and first does what its error says.
type releaseMatcher struct{}

func (releaseMatcher) Match(err error) bool {
	var bursting *releaseBursting
	if errors.As(err, &bursting) {
		bursting.do()
	}
	return errors.Is(err, errReleaseOutage)
}

type releaseBursting struct{ do func() }

func (*releaseBursting) Error() string { return "bursting" }
func (*releaseBursting) Unwrap() error { return errReleaseOutage }

func (t *releaseStock) worthIt(error, int) bool {
	if t.Pause != nil {
		t.Pause()
	}
	return !t.Refuse
}

func (t *releaseStock) key() string {
	if t.Key != nil {
		t.Key()
	}
	return t.ID
}

func (t *releaseStock) live() bool {
	if t.Gate != nil {
		t.Gate()
	}
	return true
}

func (*releaseStock) Configure(c *cmdx.Config) {
	c.Required("id", inputs.Presence())
	c.IdempotentBy(cmdx.KeyFunc((*releaseStock).key), cmdx.Idempotency{If: cmdx.When((*releaseStock).live)})
	c.RetryOn(releaseMatcher{}, cmdx.Retry{Limit: 2, Delay: time.Minute, If: cmdx.WhenError((*releaseStock).worthIt)})
	c.Output("reservation")
}

const releaseKey = "cmdx:idem:releaseStock:s_1"

// releaseSlow has a claim that ends while it waits for a retry.
type releaseSlow struct{ idemWorker }

func (*releaseSlow) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{TTL: 10 * time.Second})
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 3, Delay: 4 * time.Second})
}

const releaseSlowKey = "cmdx:idem:releaseSlow:k"

// releaseWay is a way out of a run that is not success.
type releaseWay struct {
	name string
	// task is the first run's task; works is how often its Work begins.
	task  func(rig *idemRig, cancel context.CancelFunc) *releaseStock
	works int
	// words are how the run ends; "" when its goroutine does not come back.
	words string
	// unclaimed tells that the store is not asked at all.
	unclaimed bool
}

// releaseDoing notes each Work and does f.
func releaseDoing(rig *idemRig, f func(ctx context.Context, w *idemWorker) error) *releaseStock {
	return &releaseStock{idemWorker: idemDoing(func(ctx context.Context, w *idemWorker) error {
		rig.note("work")
		return f(ctx, w)
	})}
}

// releaseWorking leaves the reservation and so succeeds.
func releaseWorking(rig *idemRig) *releaseStock {
	return releaseDoing(rig, func(_ context.Context, w *idemWorker) error {
		w.Context().Set("reservation", "r_1")
		return nil
	})
}

func releaseReturning(err func(ctx context.Context, w *idemWorker) error) func(*idemRig, context.CancelFunc) *releaseStock {
	return func(rig *idemRig, _ context.CancelFunc) *releaseStock { return releaseDoing(rig, err) }
}

func releaseFailing(ctx context.Context, reason error) *cmdx.Result {
	return cmdx.Execute(ctx, &idemOuter{idemDoing(func(_ context.Context, w *idemWorker) error {
		if reason != nil {
			return reason
		}
		return w.Fail("sold out", cmdx.Metadata{"code": "sold_out"})
	})}, nil)
}

var releaseWays = []releaseWay{
	{name: "a raised error", works: 1, words: "failed",
		task: releaseReturning(func(context.Context, *idemWorker) error { return io.ErrUnexpectedEOF })},
	{name: "retries used up", works: 3, words: "failed",
		task: releaseReturning(func(context.Context, *idemWorker) error { return errReleaseOutage })},
	{name: "a retry gate that refuses", works: 1, words: "failed",
		task: func(rig *idemRig, _ context.CancelFunc) *releaseStock {
			t := releaseDoing(rig, func(context.Context, *idemWorker) error { return errReleaseOutage })
			t.Refuse = true
			return t
		}},
	{name: "a retry gate that panics", works: 1, words: "failed",
		task: func(rig *idemRig, _ context.CancelFunc) *releaseStock {
			t := releaseDoing(rig, func(context.Context, *idemWorker) error { return errReleaseOutage })
			t.Pause = func() { panic("gate") }
			return t
		}},
	{name: "a retry gate that exits", works: 1,
		task: func(rig *idemRig, _ context.CancelFunc) *releaseStock {
			t := releaseDoing(rig, func(context.Context, *idemWorker) error { return errReleaseOutage })
			t.Pause = runtime.Goexit
			return t
		}},
	{name: "a matcher that panics", works: 1, words: "failed",
		task: releaseReturning(func(context.Context, *idemWorker) error { return &releaseBursting{func() { panic("matcher") }} })},
	{name: "a matcher that exits", works: 1,
		task: releaseReturning(func(context.Context, *idemWorker) error { return &releaseBursting{runtime.Goexit} })},
	{name: "an error after a retry that does not match", works: 2, words: "failed",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error {
			if w.Attempt() == 0 {
				return errReleaseOutage
			}
			return io.EOF
		})},
	{name: "Skip", works: 1, words: "skipped",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error { return w.Skip("none left") })},
	{name: "Skip in a wrapper", works: 1, words: "skipped",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error { return fmt.Errorf("stock: %w", w.Skip("none left")) })},
	{name: "Skip made and not returned", works: 1, words: "skipped",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error { _ = w.Skip("none left"); return nil })},
	{name: "Fail", works: 1, words: "failed sold_out",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error {
			return w.Fail("none left", cmdx.Metadata{"code": "sold_out"})
		})},
	{name: "Fail made and not returned", works: 1, words: "failed",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error { _ = w.Fail("none left"); return nil })},
	{name: "Fail after a retry", works: 2, words: "failed",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error {
			if w.Attempt() == 0 {
				return errReleaseOutage
			}
			return w.Fail("none left")
		})},
	{name: "a Fail that was dropped beside a Success", works: 1, words: "failed",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error { _ = w.Fail("none left"); return w.Success("done") })},
	{name: "Throw of a nested failure", works: 1, words: "failed sold_out",
		task: releaseReturning(func(ctx context.Context, w *idemWorker) error { return w.Throw(releaseFailing(ctx, nil)) })},
	{name: "the echo of a nested failure", works: 1, words: "failed sold_out",
		task: releaseReturning(func(ctx context.Context, _ *idemWorker) error { return releaseFailing(ctx, nil).Err() })},
	{name: "the echo of a nested raised error, tried again", works: 3, words: "failed",
		task: releaseReturning(func(ctx context.Context, _ *idemWorker) error { return releaseFailing(ctx, errReleaseOutage).Err() })},
	{name: "a signal of another run", works: 1, words: "failed",
		task: releaseReturning(func(context.Context, *idemWorker) error { return (&idemOuter{}).Success("not mine") })},
	{name: "a missing output", works: 1, words: "failed",
		task: releaseReturning(func(context.Context, *idemWorker) error { return nil })},
	{name: "added errors", works: 1, words: "failed",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error {
			w.Context().Set("reservation", "r_1")
			w.Errors().Add("id", "is sold out")
			return nil
		})},
	{name: "added errors beside a Success", works: 1, words: "failed",
		task: releaseReturning(func(_ context.Context, w *idemWorker) error {
			w.Errors().Add("id", "is sold out")
			return w.Success("done")
		})},
	{name: "a panic", works: 1, words: "failed",
		task: releaseReturning(func(context.Context, *idemWorker) error { panic("broken") })},
	{name: "a panic with an error", works: 1, words: "failed",
		task: releaseReturning(func(context.Context, *idemWorker) error { panic(io.EOF) })},
	{name: "panic(nil)", works: 1, words: "failed",
		task: releaseReturning(func(context.Context, *idemWorker) error { panic(nil) })},
	{name: "a panic of the runtime", works: 1, words: "failed",
		task: releaseReturning(func(context.Context, *idemWorker) error { var none []int; none[len(none)]++; return nil })},
	{name: "Goexit in Work", works: 1,
		task: releaseReturning(func(context.Context, *idemWorker) error { runtime.Goexit(); return nil })},
	{name: "Goexit in a nested run's Work", works: 1,
		task: releaseReturning(func(ctx context.Context, _ *idemWorker) error {
			cmdx.Execute(ctx, &idemOuter{idemDoing(func(context.Context, *idemWorker) error { runtime.Goexit(); return nil })}, nil)
			return nil
		})},
	{name: "Goexit in Work's second attempt", works: 2,
		task: releaseReturning(func(_ context.Context, w *idemWorker) error {
			if w.Attempt() == 1 {
				runtime.Goexit()
			}
			return errReleaseOutage
		})},
	{name: "Goexit in a subscriber of the claim", works: 0,
		task: func(rig *idemRig, _ context.CancelFunc) *releaseStock {
			var stop func()
			stop = rig.Telemetry().Subscribe(cmdx.EventIdempotencyClaimed, func(cmdx.Event) { stop(); runtime.Goexit() })
			return releaseWorking(rig)
		}},
	{name: "Goexit in a subscriber of a retry", works: 1,
		task: func(rig *idemRig, _ context.CancelFunc) *releaseStock {
			var stop func()
			stop = rig.Telemetry().Subscribe(cmdx.EventTaskRetried, func(cmdx.Event) { stop(); runtime.Goexit() })
			return releaseDoing(rig, func(context.Context, *idemWorker) error { return errReleaseOutage })
		}},
	{name: "the ctx that ended between the claim and Work", works: 0, words: "failed",
		task: func(rig *idemRig, cancel context.CancelFunc) *releaseStock {
			rig.Telemetry().Subscribe(cmdx.EventIdempotencyClaimed, func(cmdx.Event) { cancel() })
			return releaseWorking(rig)
		}},
	{name: "the ctx that ended during Work", works: 1, words: "failed",
		task: func(rig *idemRig, cancel context.CancelFunc) *releaseStock {
			return releaseDoing(rig, func(ctx context.Context, _ *idemWorker) error { cancel(); <-ctx.Done(); return ctx.Err() })
		}},
	{name: "the ctx that ended with a retry's error", works: 1, words: "failed",
		task: func(rig *idemRig, cancel context.CancelFunc) *releaseStock {
			return releaseDoing(rig, func(context.Context, *idemWorker) error { cancel(); return errReleaseOutage })
		}},
	{name: "the ctx that ended during a retry's wait", works: 1, words: "failed",
		task: func(rig *idemRig, cancel context.CancelFunc) *releaseStock {
			return releaseDoing(rig, func(context.Context, *idemWorker) error {
				time.AfterFunc(time.Second, cancel)
				return errReleaseOutage
			})
		}},
	{name: "the ctx that ended before the first guard", works: 0, words: "failed", unclaimed: true,
		task: func(rig *idemRig, cancel context.CancelFunc) *releaseStock { cancel(); return releaseWorking(rig) }},
	{name: "a resolver that panics", works: 0, words: "failed", unclaimed: true,
		task: func(rig *idemRig, _ context.CancelFunc) *releaseStock {
			t := releaseWorking(rig)
			t.Key = func() { panic("key") }
			return t
		}},
	{name: "a resolver that exits", works: 0, unclaimed: true,
		task: func(rig *idemRig, _ context.CancelFunc) *releaseStock {
			t := releaseWorking(rig)
			t.Key = runtime.Goexit
			return t
		}},
	{name: "a gate that panics", works: 0, words: "failed", unclaimed: true,
		task: func(rig *idemRig, _ context.CancelFunc) *releaseStock {
			t := releaseWorking(rig)
			t.Gate = func() { panic("gate") }
			return t
		}},
	{name: "a gate that exits", works: 0, unclaimed: true,
		task: func(rig *idemRig, _ context.CancelFunc) *releaseStock {
			t := releaseWorking(rig)
			t.Gate = runtime.Goexit
			return t
		}},
}

var _ = Describe("Giving the claim up", func() {
	for _, way := range releaseWays {
		Context("after "+way.name, func() {
			var rig *idemRig
			var first *cmdx.Result
			leave := func() {
				rig = newIdemRig(cmdx.EventIdempotencyCompleted, cmdx.EventIdempotencyLost)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				first = nil
				idemApart(func() { first = rig.Execute(ctx, way.task(rig, cancel), cmdx.Args{"id": "s_1"}) })
			}

			It("frees the key, once and by the run's own token", bubble(), func() {
				leave()
				if way.words == "" {
					Expect(first).To(BeNil())
				} else {
					Expect(first).To(idemEnd(way.words))
				}
				Expect(rig.works()).To(Equal(way.works))
				Expect(rig.value(releaseKey)).To(BeEmpty())
				Expect(rig.order()).NotTo(ContainElement(HavePrefix("idempotency_")))
				if way.unclaimed {
					Expect(rig.store.Calls()).To(BeEmpty())
					return
				}
				Expect(rig.store.Trace()).To(Equal([]string{"enter " + releaseKey, "leave " + releaseKey + "=release"}))
				calls := rig.store.Calls()
				Expect(calls[1].Token).To(Equal(calls[0].Token))
			})

			It("lets a second call work", bubble(), func() {
				leave()
				Expect(rig.run(releaseWorking(rig), "s_1")).To(idemEnd("success"))
				Expect(rig.works()).To(Equal(way.works + 1))
				Expect(rig.value(releaseKey)).To(Equal("completed"))
			})
		})
	}

	Context("when an input is bad", func() {
		It("has nothing to give up", func() {
			rig := newIdemRig()
			Expect(rig.run(releaseWorking(rig), "")).To(idemEnd("failed"))
			Expect(rig.store.Calls()).To(BeEmpty())
		})
	})

	Context("when a subscriber panics", func() {
		It("is not disturbed: the claim is completed and the panic logged", func() {
			rig := newIdemRig()
			for _, name := range []cmdx.EventName{cmdx.EventIdempotencyClaimed, cmdx.EventIdempotencyCompleted} {
				rig.Telemetry().Subscribe(name, func(cmdx.Event) { panic("subscriber") })
			}
			Expect(rig.run(releaseWorking(rig), "s_1")).To(idemEnd("success"))
			Expect(rig.value(releaseKey)).To(Equal("completed"))
			Expect(rig.logged("subscriber panicked")).To(HaveLen(2))
		})
	})

	Context("when a subscriber of the completion exits", func() {
		It("leaves no failed result beside a completed key", func() {
			rig := newIdemRig()
			var told *cmdx.Result
			rig.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) { told = e.Payload["result"].(*cmdx.Result) })
			rig.Telemetry().Subscribe(cmdx.EventIdempotencyCompleted, func(cmdx.Event) { runtime.Goexit() })
			idemApart(func() { rig.run(releaseWorking(rig), "s_1") })
			Expect(told).NotTo(BeNil())
			Expect(told.IsFailed() && rig.value(releaseKey) == "completed").To(BeFalse(), "%v", told)
		})
	})

	Context("when a subscriber of the duplicate exits", func() {
		It("touches nothing of the key's owner", func() {
			rig := newIdemRig()
			rig.run(releaseWorking(rig), "s_1")
			rig.store.Forget()
			rig.Telemetry().Subscribe(cmdx.EventIdempotencyDuplicate, func(cmdx.Event) { runtime.Goexit() })
			idemApart(func() { rig.run(releaseWorking(rig), "s_1") })
			Expect(rig.store.Trace()).To(Equal([]string{"enter " + releaseKey}))
			Expect(rig.value(releaseKey)).To(Equal("completed"))
		})
	})

	Context("when Work ignores the ctx that ended", func() {
		It("holds the claim until Work has returned, and a success stays one", bubble(), func() {
			rig := newIdemRig()
			ctx, cancel := context.WithCancel(context.Background())
			res := rig.Execute(ctx, releaseDoing(rig, func(_ context.Context, w *idemWorker) error {
				cancel()
				time.Sleep(time.Minute)
				Expect(rig.value(releaseKey)).To(Equal("processing"))
				w.Context().Set("reservation", "r_1")
				return nil
			}), cmdx.Args{"id": "s_1"})
			Expect(res).To(idemEnd("success"))
			Expect(rig.value(releaseKey)).To(Equal("completed"))
		})
	})

	Context("when a nested run exits", func() {
		It("frees both keys", func() {
			rig := newIdemRig()
			idemApart(func() {
				rig.run(&idemPlainCharge{idemDoing(func(ctx context.Context, _ *idemWorker) error {
					cmdx.Execute(ctx, &idemRefusingCharge{idemDoing(func(context.Context, *idemWorker) error {
						runtime.Goexit()
						return nil
					})}, cmdx.Args{"id": "in"})
					return nil
				})}, "out")
			})
			Expect(rig.value(idemPlainKey("out"))).To(BeEmpty())
			Expect(rig.value("cmdx:idem:idemRefusingCharge:in")).To(BeEmpty())
		})
	})
})

var _ = Describe("One claim over the whole retry loop", func() {
	It("lets nobody in between two attempts", bubble(), func() {
		rig := newIdemRig(cmdx.EventTaskRetried)
		var between []*cmdx.Result
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 3 { // in the middle of each pause, and after the last
				time.Sleep(2 * time.Second)
				between = append(between, rig.run(&releaseSlow{}, "k"))
				time.Sleep(2 * time.Second)
			}
		}()
		attempts := 0
		res := rig.run(&releaseSlow{idemDoing(func(context.Context, *idemWorker) error {
			if attempts++; attempts < 3 {
				return errReleaseOutage
			}
			return nil
		})}, "k")
		<-done
		Expect(res).To(idemEnd("success"))
		Expect(between).To(HaveExactElements(
			idemEnd("skipped duplicate processing"), idemEnd("skipped duplicate processing"), idemEnd("skipped duplicate completed")))
	})

	Context("when the ttl ends during a retry's wait", func() {
		lose := func(rig *idemRig) *cmdx.Result {
			return rig.run(&releaseSlow{idemReturning(rig, errReleaseOutage)}, "k")
		}

		It("makes no further attempt and joins the last error with the loss", bubble(), func() {
			rig := newIdemRig(cmdx.EventIdempotencyLost, cmdx.EventTaskRetried)
			res := lose(rig)
			Expect(res).To(idemEnd("failed"))
			Expect(errors.Is(res.Cause(), errReleaseOutage)).To(BeTrue())
			var lost *cmdx.LeaseLostError
			Expect(errors.As(res.Cause(), &lost)).To(BeTrue())
			Expect(*lost).To(Equal(cmdx.LeaseLostError{Feature: "claim", Key: releaseSlowKey}))
			Expect(res.Reason()).To(HavePrefix("[errors.errorString] the warehouse is away"))
			// At 0, 4 and 8 s; at 12 s the claim of 10 s is over.
			Expect(rig.order()).To(Equal([]string{"work", "task_retried", "work", "task_retried", "work", "idempotency_lost"}))
		})

		It("leaves whoever took the key meanwhile alone", bubble(), func() {
			rig := newIdemRig()
			done := make(chan struct{})
			release := make(chan struct{})
			go func() {
				defer close(done)
				time.Sleep(11 * time.Second)
				rig.run(&releaseSlow{idemDoing(func(context.Context, *idemWorker) error { <-release; return nil })}, "k")
			}()
			Expect(lose(rig)).To(idemEnd("failed"))
			Expect(rig.value(releaseSlowKey)).To(Equal("processing"))
			close(release)
			<-done
			Expect(rig.value(releaseSlowKey)).To(Equal("completed"))
		})

		It("is not tried again by an enclosing task that retries any error", bubble(), func() {
			rig := newIdemRig()
			outer := 0
			rig.run(&idemRetriesAny{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				outer++
				return cmdx.Execute(ctx, &releaseSlow{idemReturning(rig, errReleaseOutage)}, cmdx.Args{"id": "k"}).Err()
			})}, nil)
			Expect(outer).To(Equal(1))
		})
	})

	Context("when the ttl ended while Work ran", func() {
		It("waits for no retry at all", bubble(), func() {
			rig := newIdemRig()
			began := time.Now()
			res := rig.run(&releaseSlow{idemDoing(func(context.Context, *idemWorker) error {
				rig.note("work")
				time.Sleep(10 * time.Second)
				return errReleaseOutage
			})}, "k")
			var lost *cmdx.LeaseLostError
			Expect(errors.As(res.Cause(), &lost)).To(BeTrue())
			Expect(time.Since(began)).To(Equal(10 * time.Second))
			Expect(rig.works()).To(Equal(1))
		})

		It("goes on at the last moment before", bubble(), func() {
			rig := newIdemRig()
			rig.run(&releaseSlow{idemDoing(func(_ context.Context, w *idemWorker) error {
				rig.note("work")
				if w.Attempt() == 0 {
					time.Sleep(6*time.Second - time.Nanosecond)
					return errReleaseOutage
				}
				return nil
			})}, "k")
			Expect(rig.works()).To(Equal(2))
			Expect(rig.value(releaseSlowKey)).To(Equal("completed"))
		})
	})

	It("sends nothing to the store between attempts", bubble(), func() {
		rig := newIdemRig()
		rig.run(&releaseSlow{idemReturning(rig, io.EOF)}, "k")
		Expect(rig.store.CallsOf(storetest.OpEnter)).To(HaveLen(1))
		Expect(rig.store.Calls()).To(HaveLen(2))
	})
})

// idemRetriesAny tries anything again.
type idemRetriesAny struct{ idemWorker }

func (*idemRetriesAny) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}
