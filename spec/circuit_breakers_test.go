package spec

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

const (
	circuitCoolOff = 30 * time.Second
	circuitKey     = "cmdx:breaker:circuitCharge:all"
	circuitOpen    = "failed circuit_open open"
	circuitHalf    = "failed circuit_open half_open"
)

// The tasks of this page call a gateway.
type (
	circuitCharge  struct{ idemWorker }
	circuitKeyed   struct{ idemWorker }
	circuitRate    struct{ idemWorker }
	circuitProbes  struct{ circuitCharge }
	circuitCounted struct{ circuitCharge }
	circuitPicky   struct{ circuitCharge }
	circuitBroken  struct{ circuitCharge }
	circuitLeaving struct{ circuitCharge }
	circuitRetried struct{ circuitCharge }
	circuitPatient struct{ circuitCharge }
	circuitTimed   struct{ circuitCharge }
	circuitOutput  struct{ circuitCharge }
	circuitSkip    struct{ circuitCharge }
	circuitOff     struct{ circuitCharge }
	circuitByRate  struct{ circuitCharge }
	circuitByCount struct{ circuitRate }
	circuitFailing struct{ circuitCharge }
	circuitGated   struct{ circuitCharge }
	circuitOnce    struct{ circuitCharge }
	circuitStripe1 struct{ circuitStripe }
	circuitStripe2 struct{ circuitStripe }
	circuitStripe  struct{ idemWorker }
)

var errCircuitQuota = errors.New("quota exceeded")

func (*circuitCharge) Configure(c *cmdx.Config) { c.CircuitBreaker(nil, cmdx.Breaker{Threshold: 3}) }

func (*circuitKeyed) Configure(c *cmdx.Config) {
	c.Required("amount")
	c.CircuitBreaker(cmdx.FromContext("id"), cmdx.Breaker{Threshold: 1})
}

func (*circuitRate) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{FailureRate: 0.5, Window: 10 * time.Second, MinCalls: 4})
}

func (*circuitProbes) Configure(c *cmdx.Config) { c.CircuitBreaker(nil, cmdx.Breaker{Probes: 2}) }

func (*circuitPicky) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{Threshold: 1, CountIf: cmdx.ErrorIs(errIdemOutage)})
}

func (*circuitCounted) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{Threshold: 1, CountIf: cmdx.AnyRaised})
}

func (*circuitBroken) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{Threshold: 1, CountIf: cmdx.ErrorFunc(func(error) bool { panic("broken") })})
	c.LockWith(cmdx.Literal("gateway"))
}

func (*circuitLeaving) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{Threshold: 1, CountIf: cmdx.ErrorFunc(func(error) bool { runtime.Goexit(); return true })})
	c.LockWith(cmdx.Literal("gateway"))
}

func (*circuitRetried) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 4, Delay: cmdx.NoDelay})
}

func (*circuitTimed) Configure(c *cmdx.Config) { c.Timeout(time.Second) }

func (*circuitPatient) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 1, Delay: 100 * time.Hour})
}

func (*circuitOutput) Configure(c *cmdx.Config) { c.Output("receipt") }

func (*circuitSkip) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{OnOpen: cmdx.PolicySkip})
}

func (*circuitOff) Configure(c *cmdx.Config) { c.CircuitBreaker(cmdx.Disabled) }

func (*circuitByRate) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{FailureRate: 0.5})
}

func (*circuitByCount) Configure(c *cmdx.Config) { c.CircuitBreaker(nil, cmdx.Breaker{Threshold: 7}) }

func (*circuitFailing) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{OnStoreError: cmdx.FailOpen})
}

func (*circuitGated) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{Threshold: 1, Unless: cmdx.When(func(t *circuitGated) bool { return t.Context().Has("urgent") })})
}

func (*circuitOnce) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("id")) }

func (*circuitStripe) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{Scope: "spec.stripe", Threshold: 1})
}

var circuitEvents = []cmdx.EventName{
	cmdx.EventCircuitOpened, cmdx.EventCircuitHalfOpened, cmdx.EventCircuitClosed, cmdx.EventCircuitRejected,
	cmdx.EventCircuitReportFailed, cmdx.EventCircuitStoreFailed,
}

// circuitWorking is a worker that returns err.
func circuitWorking(err error) idemWorker {
	return idemDoing(func(context.Context, *idemWorker) error { return err })
}

func circuitCharging(w idemWorker) cmdx.Task { return &circuitCharge{w} }

// circuitFail lets n runs of the charge fail.
func circuitFail(rig *idemRig, n int) {
	GinkgoHelper()
	for range n {
		Expect(rig.run(&circuitCharge{circuitWorking(errIdemOutage)}, "k")).To(idemEnd("failed"))
	}
}

func circuitState(rig *idemRig) cmdx.BreakerReport {
	GinkgoHelper()
	report, err := rig.BreakerState(context.Background(), &circuitCharge{})
	Expect(err).NotTo(HaveOccurred())
	return report
}

// circuitNeutral are the ways of a run that say nothing about the gateway.
var circuitNeutral = []TableEntry{
	Entry("Skip", bubble(), func(rig *idemRig) {
		rig.run(&circuitCharge{idemDoing(func(_ context.Context, w *idemWorker) error { return w.Skip("closed") })}, "k")
	}),
	Entry("Fail", bubble(), func(rig *idemRig) {
		rig.run(&circuitCharge{idemDoing(func(_ context.Context, w *idemWorker) error { return w.Fail("declined") })}, "k")
	}),
	Entry("Throw, also of a nested run that raised", bubble(), func(rig *idemRig) {
		rig.run(&circuitCharge{idemDoing(func(ctx context.Context, w *idemWorker) error {
			return w.Throw(rig.Execute(ctx, doReturn(errIdemOutage), nil))
		})}, "k")
	}),
	Entry("the echo of a nested run that decided to fail", bubble(), func(rig *idemRig) {
		rig.run(&circuitCharge{idemDoing(func(ctx context.Context, _ *idemWorker) error {
			return rig.Execute(ctx, do(func(_ context.Context, d *doing) error { return d.Fail("no") }), nil).Err()
		})}, "k")
	}),
	Entry("added errors", bubble(), func(rig *idemRig) {
		rig.run(&circuitCharge{idemDoing(func(_ context.Context, w *idemWorker) error {
			w.Errors().Add("amount", "is too large")
			return nil
		})}, "k")
	}),
	Entry("the caller gone, whatever the error looks like", bubble(), func(rig *idemRig) {
		ctx, cancel := context.WithCancelCause(context.Background())
		rig.Execute(ctx, &circuitCharge{idemDoing(func(context.Context, *idemWorker) error {
			cancel(errors.New("the browser went away"))
			return errors.New("read tcp: operation was aborted")
		})}, nil)
	}),
	Entry("a caller who had gone before", bubble(), func(rig *idemRig) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		rig.Execute(ctx, &circuitCharge{circuitWorking(errIdemOutage)}, nil)
	}),
	Entry("Goexit", bubble(), func(rig *idemRig) {
		idemApart(func() {
			rig.run(&circuitCharge{idemDoing(func(context.Context, *idemWorker) error { runtime.Goexit(); return nil })}, "k")
		})
	}),
	Entry("a signal that was made and not returned", bubble(), func(rig *idemRig) {
		rig.run(&circuitCharge{idemDoing(func(_ context.Context, w *idemWorker) error { _ = w.Fail("no"); return nil })}, "k")
	}),
}

var _ = Describe("Circuit breakers", func() {
	Describe("A closed circuit", func() {
		It("opens after exactly so many failures in a row", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			circuitFail(rig, 2)
			Expect(circuitState(rig)).To(Equal(cmdx.BreakerReport{State: "closed", Failures: 2}))
			circuitFail(rig, 1)
			Expect(circuitState(rig).State).To(Equal(cmdx.BreakerOpen))
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd(circuitOpen))
			Expect(rig.order()).To(Equal([]string{"circuit_opened", "circuit_rejected"}))
			Expect(rig.payloads(cmdx.EventCircuitOpened)).To(Equal([]map[string]any{{"breaker_key": circuitKey}}))
		})

		It("begins the count anew after a success", bubble(), func() {
			rig := newIdemRig()
			circuitFail(rig, 2)
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
			circuitFail(rig, 2)
			Expect(circuitState(rig).Failures).To(Equal(int64(2)))
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
		})

		It("counts a run once, by what leaves the retry loop", bubble(), func() {
			rig := newIdemRig()
			Expect(rig.run(&circuitRetried{circuitCharge{circuitWorking(errIdemOutage)}}, "k")).To(idemEnd("failed"))
			report, err := rig.BreakerState(context.Background(), &circuitRetried{})
			Expect(err).NotTo(HaveOccurred())
			Expect(report.Failures).To(Equal(int64(1)))
		})

		DescribeTable("counts as a failure",
			func(work func(ctx context.Context, rig *idemRig) error) {
				rig := newIdemRig()
				rig.run(&circuitCharge{idemDoing(func(ctx context.Context, _ *idemWorker) error { return work(ctx, rig) })}, "k")
				Expect(circuitState(rig).Failures).To(Equal(int64(1)))
			},
			Entry("a raised error", bubble(), func(context.Context, *idemRig) error { return errIdemOutage }),
			Entry("a panic", bubble(), func(context.Context, *idemRig) error { panic("broken") }),
			Entry("a timeout of Work's own", bubble(), func(ctx context.Context, _ *idemRig) error {
				ctx, cancel := context.WithTimeout(ctx, time.Second)
				defer cancel()
				<-ctx.Done()
				return ctx.Err()
			}),
			Entry("the echo of a nested run that raised", bubble(), func(ctx context.Context, rig *idemRig) error {
				return rig.Execute(ctx, doReturn(errIdemOutage), nil).Err()
			}),
			Entry("an error of context.Canceled's looks while the caller is there", bubble(), func(context.Context, *idemRig) error {
				return fmt.Errorf("gateway: %w", context.Canceled)
			}),
		)

		It("counts a declared timeout, which is ours and not the caller's", bubble(), func() {
			rig := newIdemRig()
			res := rig.run(&circuitTimed{circuitCharge{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				<-ctx.Done()
				return ctx.Err()
			})}}, "k")
			Expect(res).To(idemEnd("failed"))
			report, err := rig.BreakerState(context.Background(), &circuitTimed{})
			Expect(err).NotTo(HaveOccurred())
			Expect(report.Failures).To(Equal(int64(1)))
		})

		DescribeTable("neither counts nor ends a row of failures by",
			func(run func(*idemRig)) {
				rig := newIdemRig()
				circuitFail(rig, 2)
				run(rig)
				Expect(circuitState(rig).Failures).To(Equal(int64(2)))
				circuitFail(rig, 1)
				Expect(circuitState(rig).State).To(Equal(cmdx.BreakerOpen))
			}, circuitNeutral)

		It("takes missing outputs for neither", bubble(), func() {
			rig := newIdemRig()
			Expect(rig.run(&circuitOutput{circuitCharge{circuitWorking(errIdemOutage)}}, "k")).To(idemEnd("failed"))
			Expect(rig.run(&circuitOutput{}, "k")).To(endFailed("receipt must be set in the context"))
			report, err := rig.BreakerState(context.Background(), &circuitOutput{})
			Expect(err).NotTo(HaveOccurred())
			Expect(report.Failures).To(Equal(int64(1)))
		})

		It("takes a refusal further in for neither, and a duplicate", bubble(), func() {
			rig := newIdemRig()
			task := func(err error) *circuitOnce { return &circuitOnce{circuitCharge{circuitWorking(err)}} }
			rig.run(task(errIdemOutage), "a")
			rig.run(task(errIdemOutage), "a")
			rig.enterByHand(stores.Entry{Kind: stores.KindClaim, Key: "cmdx:idem:circuitOnce:b", TTL: time.Minute})
			Expect(rig.run(task(nil), "b")).To(idemEnd("skipped duplicate processing"))
			report, err := rig.BreakerState(context.Background(), &circuitOnce{})
			Expect(err).NotTo(HaveOccurred())
			Expect(report.Failures).To(Equal(int64(2)))
		})
	})

	Describe("CountIf", func() {
		It("picks the errors that count; others are neither", bubble(), func() {
			rig := newIdemRig()
			for range 3 {
				Expect(rig.run(&circuitPicky{circuitCharge{circuitWorking(errCircuitQuota)}}, "k")).To(idemEnd("failed"))
			}
			Expect(rig.run(&circuitPicky{circuitCharge{circuitWorking(fmt.Errorf("charge: %w", errIdemOutage))}}, "k")).To(idemEnd("failed"))
			Expect(rig.run(&circuitPicky{}, "k")).To(idemEnd(circuitOpen))
		})

		It("is asked of a probe too, whose place an error that does not count frees", bubble(), func() {
			rig := newIdemRig()
			rig.run(&circuitPicky{circuitCharge{circuitWorking(errIdemOutage)}}, "k")
			time.Sleep(circuitCoolOff)
			Expect(rig.run(&circuitPicky{circuitCharge{circuitWorking(errCircuitQuota)}}, "k")).To(idemEnd("failed"))
			Expect(rig.run(&circuitPicky{}, "k")).To(idemEnd("success"))
		})

		It("that panics counts the error, is logged, and loses nothing that is held", bubble(), func() {
			rig := newIdemRig()
			res := rig.run(&circuitBroken{circuitCharge{circuitWorking(errIdemOutage)}}, "k")
			Expect(res.Cause()).To(MatchError(errIdemOutage))
			Expect(rig.value("cmdx:lock:circuitBroken:gateway")).To(BeEmpty())
			Expect(rig.logged("CountIf panicked")).To(HaveLen(1))
			Expect(rig.run(&circuitBroken{}, "k")).To(idemEnd(circuitOpen))
		})

		It("that leaves by Goexit loses nothing that is held", bubble(), func() {
			rig := newIdemRig()
			idemApart(func() { rig.run(&circuitLeaving{circuitCharge{circuitWorking(errIdemOutage)}}, "k") })
			Expect(rig.value("cmdx:lock:circuitLeaving:gateway")).To(BeEmpty())
			Expect(rig.run(&circuitLeaving{}, "k")).To(idemEnd("success"))
		})
	})

	Describe("An open circuit", func() {
		It("refuses without Work, with code, key, state and what is left of the cool-off", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			circuitFail(rig, 3)
			time.Sleep(10 * time.Second)
			res := rig.run(&circuitCharge{idemReturning(rig, nil)}, "k")
			Expect(res.Reason()).To(Equal("circuit open: the run was not let through (state=open)"))
			Expect(res.Metadata()).To(Equal(cmdx.Metadata{
				"code": "circuit_open", "breaker_key": circuitKey, "state": "open", "retry_after": 20 * time.Second,
			}))
			Expect(rig.payloads(cmdx.EventCircuitRejected)).To(Equal([]map[string]any{res.Metadata()}))
			Expect(rig.works()).To(BeZero())
		})

		It("tells nothing of the error that opened it", bubble(), func() {
			rig := newIdemRig()
			circuitFail(rig, 3)
			res := rig.run(&circuitCharge{}, "k")
			Expect(res.Cause()).NotTo(HaveOccurred())
			Expect(res.String()).NotTo(ContainSubstring(errIdemOutage.Error()))
		})

		It("can skip instead", bubble(), func() {
			rig := newIdemRig()
			for range 3 {
				rig.run(&circuitSkip{circuitCharge{circuitWorking(errIdemOutage)}}, "k")
			}
			Expect(rig.run(&circuitSkip{}, "k")).To(idemEnd("skipped circuit_open open"))
		})

		It("is not prolonged by those whom it refuses, nor by a run from before", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			late := rig.occupy(func(w idemWorker) cmdx.Task {
				return &circuitCharge{idemDoing(func(ctx context.Context, inner *idemWorker) error {
					_ = w.Do(ctx, inner)
					return errIdemOutage
				})}
			}, "k")
			circuitFail(rig, 3)
			time.Sleep(circuitCoolOff - time.Millisecond)
			Expect(late()).To(idemEnd("failed")) // a failure of an older period
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd(circuitOpen))
			time.Sleep(time.Millisecond)
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
			Expect(rig.payloads(cmdx.EventCircuitOpened)).To(HaveLen(1))
		})
	})

	Describe("A half-open circuit", func() {
		It("lets so many probes through at a time, and closes by a success", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			circuitFail(rig, 3)
			time.Sleep(circuitCoolOff)
			probe := rig.occupy(circuitCharging, "k")
			res := rig.run(&circuitCharge{}, "k")
			Expect(res).To(idemEnd(circuitHalf))
			Expect(res.Metadata()).To(HaveKeyWithValue("retry_after", circuitCoolOff))
			Expect(circuitState(rig)).To(Equal(cmdx.BreakerReport{State: "half_open", Probes: 1}))
			Expect(probe()).To(idemEnd("success"))
			Expect(circuitState(rig)).To(Equal(cmdx.BreakerReport{State: "closed"}))
			Expect(rig.order()).To(Equal([]string{"circuit_opened", "circuit_half_opened", "circuit_rejected", "circuit_closed"}))
		})

		It("can let two through", bubble(), func() {
			rig := newIdemRig()
			for range 3 {
				rig.run(&circuitProbes{circuitCharge{circuitWorking(errIdemOutage)}}, "k")
			}
			time.Sleep(circuitCoolOff)
			probing := func(w idemWorker) cmdx.Task { return &circuitProbes{circuitCharge{w}} }
			first, second := rig.occupy(probing, "k"), rig.occupy(probing, "k")
			Expect(rig.run(&circuitProbes{}, "k")).To(idemEnd(circuitHalf))
			first()
			second()
		})

		It("opens again by a failure, with a new cool-off", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			circuitFail(rig, 3)
			time.Sleep(circuitCoolOff)
			circuitFail(rig, 1)
			res := rig.run(&circuitCharge{}, "k")
			Expect(res).To(idemEnd(circuitOpen))
			Expect(res.Metadata()).To(HaveKeyWithValue("retry_after", circuitCoolOff))
			Expect(rig.payloads(cmdx.EventCircuitOpened)).To(HaveLen(2))
		})

		It("goes through three full cycles", bubble(), func() {
			rig := newIdemRig()
			for range 3 {
				circuitFail(rig, 3)
				time.Sleep(circuitCoolOff)
				circuitFail(rig, 1)
				Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd(circuitOpen))
				time.Sleep(circuitCoolOff)
				Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
				circuitFail(rig, 2)
				Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
			}
		})

		DescribeTable("frees a probe's place at once by",
			func(run func(*idemRig)) {
				rig := newIdemRig()
				circuitFail(rig, 3)
				time.Sleep(circuitCoolOff)
				run(rig)
				Expect(circuitState(rig).Probes).To(BeZero())
				Expect(circuitState(rig).State).NotTo(Equal(cmdx.BreakerClosed))
				Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
			}, circuitNeutral)

		It("is told of also when a guard further in refuses the probe", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			for range 3 {
				rig.run(&circuitOnce{circuitCharge{circuitWorking(errIdemOutage)}}, "k")
			}
			time.Sleep(circuitCoolOff)
			rig.enterByHand(stores.Entry{Kind: stores.KindClaim, Key: "cmdx:idem:circuitOnce:k", TTL: time.Minute})
			Expect(rig.run(&circuitOnce{}, "k")).To(idemEnd("skipped duplicate processing"))
			Expect(rig.order()).To(Equal([]string{"circuit_opened", "circuit_half_opened"}))
			Expect(rig.run(&circuitOnce{}, "other")).To(idemEnd("success"))
		})

		It("is no lease: a run that outlives the circuit's memory of it goes on", bubble(), func() {
			rig := newIdemRig()
			rig.run(&circuitPatient{circuitCharge{idemReturning(rig, errIdemOutage)}}, "k")
			Expect(rig.works()).To(Equal(2))
		})

		It("forgets a probe whose process died, after the cool-off", bubble(), func() {
			rig := newIdemRig()
			circuitFail(rig, 3)
			time.Sleep(circuitCoolOff)
			rig.store.Fail(storetest.OpLeave, storetest.Always, errStoreAway) // as if it never came back
			rig.run(&circuitCharge{}, "k")
			rig.store.Heal()
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd(circuitHalf))
			time.Sleep(circuitCoolOff)
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
		})
	})

	Describe("FailureRate", func() {
		run := func(rig *idemRig, err error) *cmdx.Result { return rig.run(&circuitRate{circuitWorking(err)}, "k") }

		It("opens by the share of failures within the window, not before MinCalls", bubble(), func() {
			rig := newIdemRig()
			for _, err := range []error{errIdemOutage, nil, errIdemOutage} {
				Expect(run(rig, err)).NotTo(idemEnd(circuitOpen))
			}
			Expect(run(rig, nil)).To(idemEnd("success")) // 2 of 4
			Expect(run(rig, nil)).To(idemEnd(circuitOpen))
		})

		It("forgets calls that the window has left", bubble(), func() {
			rig := newIdemRig()
			run(rig, errIdemOutage)
			run(rig, errIdemOutage)
			time.Sleep(10 * time.Second)
			for range 3 {
				Expect(run(rig, nil)).To(idemEnd("success"))
			}
			Expect(run(rig, errIdemOutage)).To(idemEnd("failed")) // 1 of 4
			Expect(run(rig, nil)).To(idemEnd("success"))
		})
	})

	Describe("BreakerState", func() {
		It("changes nothing", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			circuitFail(rig, 3)
			time.Sleep(2 * circuitCoolOff)
			for range 5 {
				Expect(circuitState(rig)).To(Equal(cmdx.BreakerReport{State: "open"}))
			}
			Expect(rig.order()).To(Equal([]string{"circuit_opened"}))
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
		})

		It("takes what the key is made of, and no more", bubble(), func() {
			rig := newIdemRig()
			rig.Execute(context.Background(), &circuitKeyed{circuitWorking(errIdemOutage)}, cmdx.Args{"id": "stripe", "amount": 1})
			report, err := rig.BreakerState(context.Background(), &circuitKeyed{}, cmdx.Args{"id": "stripe"})
			Expect(err).NotTo(HaveOccurred())
			Expect(report.State).To(Equal(cmdx.BreakerOpen))
			report, err = rig.BreakerState(context.Background(), &circuitKeyed{}, cmdx.Args{"id": "adyen"})
			Expect(err).NotTo(HaveOccurred())
			Expect(report.State).To(Equal(cmdx.BreakerClosed))
		})

		It("says why it cannot tell", bubble(), func() {
			rig := newIdemRig()
			ctx := context.Background()
			_, err := rig.BreakerState(ctx, &circuitOff{})
			Expect(err).To(MatchError(&cmdx.NoBreakerError{Task: "circuitOff"}))
			_, err = rig.BreakerState(ctx, &circuitKeyed{})
			Expect(err).To(MatchError(&cmdx.NoBreakerError{Task: "circuitKeyed", Blank: true}))
			_, err = rig.BreakerState(ctx, nil)
			Expect(err).To(BeAssignableToTypeOf(&cmdx.DefinitionError{}))
			_, err = cmdx.New(cmdx.Configuration{Store: storetest.Plain(nil)}).BreakerState(ctx, &circuitCharge{})
			Expect(err).To(MatchError(stores.ErrUnsupported))
		})
	})

	Describe("ResetBreaker", func() {
		It("closes the circuit and forgets its failures", bubble(), func() {
			rig := newIdemRig()
			circuitFail(rig, 3)
			Expect(rig.ResetBreaker(context.Background(), &circuitCharge{})).To(BeTrue())
			Expect(rig.ResetBreaker(context.Background(), &circuitCharge{})).To(BeFalse())
			circuitFail(rig, 2)
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
		})

		It("counts no more what is under way", bubble(), func() {
			rig := newIdemRig()
			circuitFail(rig, 2)
			late := rig.occupy(func(w idemWorker) cmdx.Task {
				return &circuitCharge{idemDoing(func(ctx context.Context, inner *idemWorker) error {
					_ = w.Do(ctx, inner)
					return errIdemOutage
				})}
			}, "k")
			Expect(rig.ResetBreaker(context.Background(), &circuitCharge{})).To(BeFalse())
			late()
			Expect(circuitState(rig).Failures).To(BeZero())
		})
	})

	Describe("Keys and layers", func() {
		It("is one circuit for all who name its scope", bubble(), func() {
			rig := newIdemRig()
			rig.run(&circuitStripe1{circuitStripe{circuitWorking(errIdemOutage)}}, "k")
			res := rig.run(&circuitStripe2{}, "k")
			Expect(res).To(idemEnd(circuitOpen))
			Expect(res.Metadata()).To(HaveKeyWithValue("breaker_key", "cmdx:breaker:spec.stripe:all"))
		})

		It("lets Threshold and FailureRate displace each other", func() {
			rate, err := cmdx.DefinitionOf(&circuitByRate{})
			Expect(err).NotTo(HaveOccurred())
			Expect(rate.Breaker().Threshold).To(BeZero())
			Expect(rate.Breaker().FailureRate).To(Equal(0.5))
			count, err := cmdx.DefinitionOf(&circuitByCount{})
			Expect(err).NotTo(HaveOccurred())
			Expect(count.Breaker().Threshold).To(Equal(7))
			Expect(count.Breaker().FailureRate).To(BeZero())
		})

		It("has gates: a run that may pass does so uncounted", bubble(), func() {
			rig := newIdemRig()
			rig.run(&circuitGated{circuitCharge{circuitWorking(errIdemOutage)}}, "k")
			Expect(rig.run(&circuitGated{}, "k")).To(idemEnd(circuitOpen))
			Expect(rig.Execute(context.Background(), &circuitGated{}, cmdx.Args{"urgent": true})).To(idemEnd("success"))
			Expect(rig.run(&circuitGated{}, "k")).To(idemEnd(circuitOpen))
		})

		It("costs no command when it is off", bubble(), func() {
			rig := newIdemRig()
			rig.run(&circuitOff{circuitCharge{circuitWorking(errIdemOutage)}}, "k")
			Expect(rig.store.Trace()).To(BeEmpty())
		})
	})

	Describe("A store that fails", func() {
		It("fails closed by default", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			rig.store.Fail(storetest.OpEnter, 1, errStoreAway)
			res := rig.run(&circuitCharge{}, "k")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(res.Reason()).To(HavePrefix("the store cannot tell whether the circuit is closed: "))
			Expect(rig.order()).To(Equal([]string{"circuit_store_failed"}))
		})

		It("can fail open, and tells the circuit nothing of a call that it did not let through", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			rig.store.Fail(storetest.OpEnter, 1, errStoreAway)
			Expect(rig.run(&circuitFailing{circuitCharge{circuitWorking(errIdemOutage)}}, "k")).To(idemEnd("failed"))
			report, err := rig.BreakerState(context.Background(), &circuitFailing{})
			Expect(err).NotTo(HaveOccurred())
			Expect(report.Failures).To(BeZero())
			Expect(rig.order()).To(Equal([]string{"circuit_store_failed"}))
		})

		It("tells of a call that it could not tell the circuit of", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			rig.store.Fail(storetest.OpLeave, storetest.Always, errStoreAway)
			Expect(rig.run(&circuitCharge{}, "k")).To(idemEnd("success"))
			Expect(rig.payloads(cmdx.EventCircuitReportFailed)).To(Equal([]map[string]any{{"breaker_key": circuitKey, "error": errStoreAway}}))
		})

		It("counts a failure once whose report's answer was lost, and tells of the change", bubble(), func() {
			rig := newIdemRig(circuitEvents...)
			circuitFail(rig, 2)
			rig.store.LoseAnswer(storetest.OpLeave, 1)
			circuitFail(rig, 1)
			Expect(rig.order()).To(Equal([]string{"circuit_opened"}))
			Expect(circuitState(rig).State).To(Equal(cmdx.BreakerOpen))
		})
	})
})
