package spec

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/cmdxtest"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// Tasks that the page on testing speaks of.
type (
	testingCharge struct {
		cmdx.Base
		PaymentID string `cmdx:"payment_id,required"`
		Err       error
		Tries     int
	}
	// testingNoisy counts how often somebody asks for its text.
	testingNoisy struct{ asked *int }
	// testingTB is a test that notes what it is told.
	testingTB struct {
		failed, fatal []string
		cleanups      []func()
	}
)

func (*testingCharge) Configure(c *cmdx.Config) {
	c.Name("spec.testing.Charge")
	c.IdempotentBy(cmdx.FromContext("payment_id"), cmdx.Idempotency{TTL: time.Hour})
	c.RetryOn(cmdx.ErrorIs(errBusy), cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

func (t *testingCharge) Work(context.Context) error {
	t.Tries++
	if t.Tries <= 2 && errors.Is(t.Err, errBusy) {
		return t.Err
	}
	t.Context().Set("receipt", "r_1")
	if errors.Is(t.Err, errBusy) {
		return nil
	}
	return t.Err
}

func (e testingNoisy) Error() string { *e.asked++; return "noisy" }

func (t *testingTB) Helper()          {}
func (t *testingTB) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }
func (t *testingTB) Errorf(format string, a ...any) {
	t.failed = append(t.failed, fmt.Sprintf(format, a...))
}
func (t *testingTB) Fatalf(format string, a ...any) {
	t.fatal = append(t.fatal, fmt.Sprintf(format, a...))
}

var _ = Describe("Testing", func() {
	bg := context.Background()

	success := func() *cmdx.Result {
		return doRun(func(_ context.Context, t *doing) error {
			t.Context().Set("receipt", "r_1")
			return t.Success("done", cmdx.Metadata{"fee": 30})
		})
	}
	skipped := func() *cmdx.Result {
		return doRun(func(_ context.Context, t *doing) error { return t.Skip("closed", cmdx.Metadata{"code": "shut"}) })
	}
	failed := func() *cmdx.Result {
		return doRun(func(_ context.Context, t *doing) error {
			t.Errors().Add("amount", "is odd")
			t.Errors().Add("amount", "is negative")
			return fmt.Errorf("charging: %w", &fs.PathError{Op: "open", Path: "ledger", Err: errDeclined})
		})
	}
	retried := func() *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(bg, &testingCharge{Err: errBusy}, cmdx.Args{"payment_id": "pay_1"})
	}
	duplicate := func() *cmdx.Result {
		rt := cmdx.New(cmdx.Configuration{})
		rt.Execute(bg, &testingCharge{}, cmdx.Args{"payment_id": "pay_1"})
		return rt.Execute(bg, &testingCharge{}, cmdx.Args{"payment_id": "pay_1"})
	}
	echo := func() *cmdx.Result {
		return doRun(func(ctx context.Context, _ *doing) error {
			return cmdx.Execute(ctx, &idemRefusingCharge{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				return cmdx.Execute(ctx, &idemRefusingCharge{}, cmdx.Args{"id": "k"}).Err()
			})}, cmdx.Args{"id": "k"}).Err()
		})
	}
	nested := func() *cmdx.Result {
		return doRun(func(ctx context.Context, _ *doing) error {
			cmdx.Execute(ctx, &heardSibling{}, nil)
			cmdx.Execute(ctx, do(func(_ context.Context, t *doing) error { return t.Skip("closed") }), nil)
			return nil
		})
	}

	// failure is the text of a matcher that does not fit.
	failure := func(m types.GomegaMatcher, actual any) string {
		GinkgoHelper()
		fits, err := m.Match(actual)
		Expect(err).NotTo(HaveOccurred())
		Expect(fits).To(BeFalse())
		return m.FailureMessage(actual)
	}

	Describe("Matchers", func() {
		var target *fs.PathError

		DescribeTable("fit, and say so when they should not",
			func(m cmdxtest.ResultMatcher, result func() *cmdx.Result, asks string) {
				r := result()
				Expect(r).To(m)
				Expect(m.NegatedFailureMessage(r)).To(Equal(
					"Expected the result\n    " + strings.ReplaceAll(cmdxtest.Show(r), "\n", "\n    ") + "\nnot to " + asks))
				Expect(m.String()).To(Equal(asks))
			},
			Entry("BeSuccess", cmdxtest.BeSuccess(), success, "be success"),
			Entry("BeSkipped", cmdxtest.BeSkipped(), skipped, "be skipped"),
			Entry("BeFailed", cmdxtest.BeFailed(), failed, "be failed"),
			Entry("BeDuplicate", cmdxtest.BeDuplicate(), duplicate, "be a duplicate"),
			Entry("WithReason", cmdxtest.BeSkipped().WithReason("closed"), skipped, `be skipped, have the reason "closed"`),
			Entry("WithReason and a matcher", cmdxtest.BeSkipped().WithReason(ContainSubstring("lose")), skipped, "be skipped, have the reason that fits"),
			Entry("WithMetadata", cmdxtest.BeSuccess().WithMetadata("fee", 30), success, `be success, have the metadata "fee" 30`),
			Entry("WithMetadata without a value", cmdxtest.BeSuccess().WithMetadata("fee"), success, `be success, have the metadata "fee"`),
			Entry("WithMetadata and a matcher", cmdxtest.BeDuplicate().WithMetadata("state", HavePrefix("comp")), duplicate, `be a duplicate, have the metadata "state" that fits`),
			Entry("WithCause and an error", cmdxtest.BeFailed().WithCause(errDeclined), failed, "be failed, have the cause [errors.errorString] card declined"),
			Entry("WithCause and a pointer", cmdxtest.BeFailed().WithCause(&target), failed, "be failed, have a cause of the type *fs.PathError"),
			Entry("WithCause and a matcher", cmdxtest.BeFailed().WithCause(MatchError(errDeclined)), failed, "be failed, have a cause that fits"),
			Entry("WithCause of nil", cmdxtest.BeSkipped().WithCause(nil), skipped, "be skipped, have no cause"),
			Entry("HaveContext", cmdxtest.HaveContext("receipt"), success, `have in its context "receipt"`),
			Entry("HaveContext with a value", cmdxtest.HaveContext("receipt", "r_1"), success, `have in its context "receipt" "r_1"`),
			Entry("HaveContext with a matcher", cmdxtest.HaveContext("receipt", HavePrefix("r_")), success, `have in its context "receipt" that fits`),
			Entry("HaveErrorOn", cmdxtest.HaveErrorOn("amount"), failed, `have an error on "amount"`),
			Entry("HaveErrorOn with messages", cmdxtest.HaveErrorOn("amount", "is odd", HaveSuffix("negative")), failed, `have an error on "amount": "is odd", one that fits`),
			Entry("HaveRetried", cmdxtest.HaveRetried(), retried, "have retried"),
			Entry("HaveRetried with a number", cmdxtest.HaveRetried(2), retried, "have a number of retries 2"),
			Entry("HaveRetried with a matcher", cmdxtest.HaveRetried(BeNumerically("<", 3)), retried, "have a number of retries that fits"),
			Entry("HaveRetried not at all", cmdxtest.HaveRetried(0), success, "have a number of retries 0"),
			Entry("HaveChain", cmdxtest.HaveChain("doing", "heardSibling", cmdxtest.BeSkipped()), nested, "have the chain doing, heardSibling, (be skipped)"),
		)

		DescribeTable("do not fit, and say why",
			func(m cmdxtest.ResultMatcher, result func() *cmdx.Result, because string) {
				r := result()
				Expect(r).NotTo(m)
				text := failure(m, r)
				Expect(text).To(HavePrefix("Expected the result\n    " + strings.ReplaceAll(cmdxtest.Show(r), "\n", "\n    ") + "\nto " + m.String() + "\nbut "))
				Expect(text).To(HaveSuffix("\nbut " + because))
			},
			Entry("BeSuccess", cmdxtest.BeSuccess(), failed, "it is failed"),
			Entry("BeSkipped", cmdxtest.BeSkipped(), success, "it is success"),
			Entry("BeFailed", cmdxtest.BeFailed(), skipped, "it is skipped"),
			Entry("BeFailed, of a result that no execution made", cmdxtest.BeFailed(), func() *cmdx.Result { return &cmdx.Result{} }, "it has no status: no execution made it"),
			Entry("BeDuplicate, of a success", cmdxtest.BeDuplicate(), success, "it is a success"),
			Entry("BeDuplicate, of another failure", cmdxtest.BeDuplicate(), failed, `its metadata has no "code"`),
			Entry("BeDuplicate, of another code", cmdxtest.BeDuplicate(), skipped, `its metadata "code" is "shut"`),
			Entry("BeDuplicate, of the echo of one", cmdxtest.BeDuplicate(), echo, "it only echoes one, of idemRefusingCharge"),
			Entry("WithReason", cmdxtest.BeSkipped().WithReason("open"), skipped, `the reason is "closed"`),
			Entry("WithReason and a matcher", cmdxtest.BeSkipped().WithReason(HavePrefix("open")), skipped,
				"the reason does not fit:\n    Expected\n        <string>: closed\n    to have prefix\n        <string>: open"),
			Entry("WithMetadata", cmdxtest.BeSuccess().WithMetadata("fee", 31), success, `the metadata "fee" is 30`),
			Entry("WithMetadata of another type", cmdxtest.BeSuccess().WithMetadata("fee", int64(30)), success, `the metadata "fee" is 30 of type int, not int64`),
			Entry("WithMetadata that is not there", cmdxtest.BeSuccess().WithMetadata("tax", 30), success, `the metadata "tax" is not there`),
			Entry("WithCause and an error", cmdxtest.BeFailed().WithCause(errBusy), failed, "the cause is [fmt.wrapError] charging: open ledger: card declined"),
			Entry("WithCause and a pointer", cmdxtest.BeFailed().WithCause(new(*cmdx.PanicError)), failed, "the cause is [fmt.wrapError] charging: open ledger: card declined"),
			Entry("WithCause where there is none", cmdxtest.BeSkipped().WithCause(errBusy), skipped, "it has no cause"),
			Entry("WithCause of nil", cmdxtest.BeFailed().WithCause(nil), failed, "the cause is [fmt.wrapError] charging: open ledger: card declined"),
			Entry("WithCause and a matcher", cmdxtest.BeSkipped().WithCause(HaveOccurred()), skipped,
				"the cause does not fit:\n    Expected an error to have occurred.  Got:\n        <nil>: nil"),
			Entry("HaveContext", cmdxtest.HaveContext("bill"), success, `the context's "bill" is not there`),
			Entry("HaveContext with a value", cmdxtest.HaveContext("receipt", "r_2"), success, `the context's "receipt" is "r_1"`),
			Entry("HaveErrorOn", cmdxtest.HaveErrorOn("port"), failed, `there is none on "port"`),
			Entry("HaveErrorOn with messages", cmdxtest.HaveErrorOn("amount", "is odd", "is zero"), failed, `on "amount" there is ["is odd","is negative"]`),
			Entry("HaveRetried", cmdxtest.HaveRetried(), success, "it made one attempt"),
			Entry("HaveRetried with a number", cmdxtest.HaveRetried(1), retried, "the number of retries is 2"),
			Entry("HaveChain, of another length", cmdxtest.HaveChain("doing"), nested, "its chain has 3 executions, not 1"),
			Entry("HaveChain, of other tasks", cmdxtest.HaveChain("doing", "doing", "doing"), nested, "at place 1 of its chain is heardSibling"),
			Entry("everything that is wrong, in order", cmdxtest.BeSuccess().WithReason("open").WithCause(nil), skipped, "it is skipped\nand the reason is \"closed\""),
		)

		DescribeTable("refuse what they cannot be asked about",
			func(m cmdxtest.ResultMatcher, actual any, because string) {
				fits, err := m.Match(actual)
				Expect(fits).To(BeFalse())
				Expect(err).To(MatchError(ContainSubstring(because)))
				for _, text := range []func(any) string{m.FailureMessage, m.NegatedFailureMessage} {
					Expect(text(actual)).NotTo(BeEmpty())
				}
			},
			Entry("a text", cmdxtest.BeFailed(), "failed", "not a value of type string"),
			Entry("nothing", cmdxtest.BeFailed(), nil, "not a value of type <nil>"),
			Entry("a nil result", cmdxtest.BeFailed(), (*cmdx.Result)(nil), "is nil"),
			Entry("a result by value", cmdxtest.BeFailed(), 7, "not a value of type int"),
			Entry("a Fault", cmdxtest.BeFailed(), (*cmdx.Fault)(nil), "take its Result()"),
			Entry("a matcher that asks for nothing", cmdxtest.ResultMatcher{}, success(), "asks for nothing"),
			Entry("two values", cmdxtest.HaveContext("receipt", 1, 2), success(), "not several"),
			Entry("a cause of another kind", cmdxtest.BeSuccess().WithCause("declined"), success(), "WithCause takes an error"),
			Entry("a pointer that errors.As would not take", cmdxtest.BeFailed().WithCause(new(string)), failed(), "not a value of type *string"),
			Entry("a chain without names", cmdxtest.HaveChain(), success(), "name the tasks"),
			Entry("a chain with a task", cmdxtest.HaveChain(&doing{}), success(), "not a value of type *spec.doing"),
			Entry("what a matcher inside refuses", cmdxtest.BeSkipped().WithReason(BeNumerically(">", 1)), skipped(), "have the reason"),
			Entry("what is asked wrongly beside what does not fit", cmdxtest.BeFailed().WithMetadata("code", 1, 2), skipped(), "not several"),
		)

		It("set a pointer as errors.As does", func() {
			var path *fs.PathError
			Expect(failed()).To(cmdxtest.BeFailed().WithCause(&path))
			Expect(path.Path).To(Equal("ledger"))
		})

		It("build their texts only when they failed, and from the actual result", func() {
			asked := 0
			noisy := doRun(func(_ context.Context, t *doing) error {
				return t.Fail("broken", cmdx.Metadata{"noise": testingNoisy{&asked}})
			})
			m := cmdxtest.BeFailed().WithReason("broken").WithMetadata("noise").WithCause(nil)
			Expect(noisy).To(m)
			Expect(asked).To(Equal(0))
			Expect(skipped()).NotTo(m)
			Expect(failure(m, skipped())).To(ContainSubstring("doing skipped"))
			Expect(failure(m, success())).To(ContainSubstring("doing success"))
			m.NegatedFailureMessage(noisy)
			Expect(asked).To(BeNumerically(">", 0))
		})

		It("never change: each With gives another one", func() {
			base := cmdxtest.BeSkipped().WithReason("closed")
			first, second := base.WithMetadata("code", "shut"), base.WithMetadata("code", "open")
			Expect(skipped()).To(And(base, first, Not(second)))
		})

		It("stand where Gomega takes a matcher", func() {
			Expect([]*cmdx.Result{skipped(), failed()}).To(ConsistOf(cmdxtest.BeFailed(), cmdxtest.BeSkipped()))
		})

		It("do no harm when the cause panics", func() {
			r := doReturn(&explodingError{})
			Expect(cmdx.New(cmdx.Configuration{}).Execute(bg, r, nil)).To(cmdxtest.BeFailed())
			Expect(failure(cmdxtest.BeSuccess(), cmdx.New(cmdx.Configuration{}).Execute(bg, r, nil))).To(ContainSubstring("panicked"))
		})
	})

	Describe("Show", func() {
		It("tells everything that a result holds", func() {
			var r *cmdx.Result
			rt := cmdx.New(cmdx.Configuration{CorrelationID: func(context.Context) string { return "req-1" }})
			r, _ = rt.ExecuteBang(bg, do(func(ctx context.Context, t *doing) error {
				t.Errors().Add("amount", "is odd")
				t.Metadata()["fee"] = 30
				return cmdx.Execute(ctx, doReturn(fmt.Errorf("two\nlines: %w", errDeclined)), nil).Err()
			}), cmdx.Args{"order": 7})
			inner := r.Chain().Results()[1]
			Expect(cmdxtest.Show(r)).To(Equal(strings.Join([]string{
				"doing failed, interrupted, after 0s",
				`  reason    "[fmt.wrapError] two\nlines: card declined"`,
				"  cause     [fmt.wrapError] two",
				"            lines: card declined",
				`  metadata  {"fee":30}`,
				"  error     amount is odd",
				"  echo of   doing " + inner.TID(),
				"  retries   0",
				"  flags     strict",
				`  context   {"order":7}`,
				"  chain     0 doing failed (this one)",
				"  chain     1 doing failed",
				"  tid       " + r.TID(),
				"  cid       " + r.CID(),
				"  xid       req-1",
			}, "\n")))
		}, bubble())

		It("does no harm with what is no result", func() {
			Expect(cmdxtest.Show(nil)).To(Equal("a nil *cmdx.Result"))
			Expect(cmdxtest.Show(&cmdx.Result{})).To(HavePrefix("(no task)"))
		})

		It("tells the beginning of a long chain", func() {
			r := doRun(func(ctx context.Context, _ *doing) error {
				for range 60 {
					cmdx.Execute(ctx, &doing{}, nil)
				}
				return nil
			})
			Expect(cmdxtest.Show(r)).To(ContainSubstring("49 doing success\n  chain     … and 11 more\n"))
		})
	})

	Describe("Plain functions", func() {
		DescribeTable("fail a test and let it go on",
			func(assert func(cmdxtest.TB, *cmdx.Result) bool, fits func() *cmdx.Result, asks string) {
				quiet, loud := &testingTB{}, &testingTB{}
				Expect(assert(quiet, fits())).To(BeTrue())
				Expect(quiet.failed).To(BeEmpty())

				other := doRun(func(_ context.Context, t *doing) error { return t.Fail("other") })
				if asks == "be failed" {
					other = success()
				}
				Expect(assert(loud, other)).To(BeFalse())
				Expect(loud.failed).To(HaveLen(1))
				Expect(loud.failed[0]).To(And(HavePrefix("Expected the result\n    doing "), ContainSubstring("\nto "+asks+"\nbut ")))

				Expect(assert(loud, nil)).To(BeFalse())
				Expect(loud.failed[1]).To(ContainSubstring("is nil"))
				Expect(loud.fatal).To(BeEmpty())
			},
			Entry("AssertSuccess", cmdxtest.AssertSuccess, success, "be success"),
			Entry("AssertSkipped", cmdxtest.AssertSkipped, skipped, "be skipped"),
			Entry("AssertFailed", cmdxtest.AssertFailed, failed, "be failed"),
			Entry("AssertDuplicate", cmdxtest.AssertDuplicate, duplicate, "be a duplicate"),
			Entry("Assert with a matcher", func(t cmdxtest.TB, r *cmdx.Result) bool {
				return cmdxtest.Assert(t, r, cmdxtest.BeSkipped().WithReason("closed"))
			}, skipped, `be skipped, have the reason "closed"`),
		)

		It("ask for the contrary by AssertNot", func() {
			quiet, loud := &testingTB{}, &testingTB{}
			Expect(cmdxtest.AssertNot(quiet, skipped(), cmdxtest.BeFailed())).To(BeTrue())
			Expect(quiet.failed).To(BeEmpty())
			Expect(cmdxtest.AssertNot(loud, failed(), cmdxtest.BeFailed())).To(BeFalse())
			Expect(loud.failed).To(ConsistOf(HaveSuffix("\nnot to be failed")))
			Expect(cmdxtest.AssertNot(loud, nil, cmdxtest.BeFailed())).To(BeFalse())
		})

		It("take the tests of the testing package and of Ginkgo", func() {
			var _ cmdxtest.TB = suite
			Expect(cmdxtest.AssertSuccess(GinkgoT(), success())).To(BeTrue())
		})
	})

	Describe("The recorder", func() {
		It("keeps all events in order, with their payloads", func() {
			rt := cmdxtest.NewRuntime(GinkgoT())
			r := rt.Execute(bg, &testingCharge{Err: errBusy}, cmdx.Args{"payment_id": "pay_1"})
			Expect(rt.Events.Names()).To(Equal([]cmdx.EventName{
				cmdx.EventTaskStarted, cmdx.EventIdempotencyClaimed, cmdx.EventTaskRetried, cmdx.EventTaskRetried,
				cmdx.EventIdempotencyCompleted, cmdx.EventTaskExecuted,
			}))
			Expect(rt.Events.Payloads(cmdx.EventTaskRetried)).To(Equal([]map[string]any{
				{"attempt": 1, "delay": time.Duration(0)}, {"attempt": 2, "delay": time.Duration(0)},
			}))
			Expect(rt.Events.Payloads(cmdx.EventTaskExecuted)[0]["result"]).To(BeIdenticalTo(r))
			Expect(rt.Events.String()).To(HavePrefix("task_started spec.testing.Charge\nidempotency_claimed spec.testing.Charge\n"))
		})

		It("gives the events of some names, of one execution, or what a function picks", func() {
			rt := cmdxtest.NewRuntime(GinkgoT())
			first, second := rt.Execute(bg, &doing{}, nil), rt.Execute(bg, doReturn(errDeclined), nil)
			Expect(rt.Events.Events(cmdx.EventTaskExecuted)).To(HaveLen(2))
			Expect(rt.Events.Events()).To(HaveLen(4))
			Expect(rt.Events.Of(second)).To(HaveEach(HaveField("TID", second.TID())))
			Expect(rt.Events.Of(first)).To(HaveLen(2))
			Expect(rt.Events.Filter(func(e cmdx.Event) bool {
				r, ok := e.Payload["result"].(*cmdx.Result)
				return ok && r.IsFailed() && len(rt.Events.Names()) == 4 // it may ask the recorder
			})).To(ConsistOf(HaveField("TID", second.TID())))
		})

		It("hears only what it was made for, forgets, and stops", func() {
			rt := cmdx.New(cmdx.Configuration{})
			rec := cmdxtest.NewRecorder(rt, cmdx.EventTaskExecuted)
			rt.Execute(bg, &doing{}, nil)
			Expect(rec.Names()).To(Equal([]cmdx.EventName{cmdx.EventTaskExecuted}))
			rec.Reset()
			Expect(rec.Events()).To(BeEmpty())
			rt.Execute(bg, &doing{}, nil)
			rec.Stop()
			rec.Stop()
			rt.Execute(bg, &doing{}, nil)
			Expect(rec.Events()).To(HaveLen(1))
		})

		It("hands out copies", func() {
			rt := cmdxtest.NewRuntime(GinkgoT())
			rt.Execute(bg, &doing{}, nil)
			clear(rt.Events.Events(cmdx.EventTaskExecuted)[0].Payload)
			rt.Events.Events()[0] = cmdx.Event{}
			Expect(rt.Events.Payloads(cmdx.EventTaskExecuted)[0]).To(HaveKey("result"))
			Expect(rt.Events.Names()).To(HaveLen(2))
		})

		It("may be asked while executions go on", func() {
			rt := cmdxtest.NewRuntime(GinkgoT())
			var running sync.WaitGroup
			for range 20 {
				running.Go(func() { rt.Execute(bg, &doing{}, nil) })
				running.Go(func() { rt.Events.Names() })
			}
			running.Wait()
			Expect(rt.Events.Events()).To(HaveLen(40))
		})
	})

	Describe("The runtime", func() {
		args := cmdx.Args{"payment_id": "pay_1"}

		It("has an empty store of its own, whose time can be moved", func() {
			rt := cmdxtest.NewRuntime(GinkgoT())
			Expect(rt.Execute(bg, &testingCharge{}, args)).To(cmdxtest.BeSuccess())
			rt.Advance(time.Hour - time.Millisecond*100)
			Expect(rt.Execute(bg, &testingCharge{}, args)).To(cmdxtest.BeDuplicate().WithMetadata("state", "completed"))
			rt.Advance(time.Hour)
			Expect(rt.Execute(bg, &testingCharge{}, args)).To(cmdxtest.BeSuccess())
			Expect(cmdxtest.NewRuntime(GinkgoT()).Execute(bg, &testingCharge{}, args)).To(cmdxtest.BeSuccess())
		})

		It("is moved by time.Sleep in a bubble", bubble(), func() {
			rt := cmdxtest.NewRuntime(&testingTB{})
			rt.Execute(bg, &testingCharge{}, args)
			time.Sleep(time.Hour - 1)
			Expect(rt.Execute(bg, &testingCharge{}, args)).To(cmdxtest.BeDuplicate())
			time.Sleep(time.Nanosecond)
			Expect(rt.Execute(bg, &testingCharge{}, args)).To(cmdxtest.BeSuccess())
		})

		It("tells a run whose claim ran out under it", func() {
			rt := cmdxtest.NewRuntime(GinkgoT())
			r := rt.Execute(bg, &idemPlainCharge{idemDoing(func(context.Context, *idemWorker) error {
				rt.Advance(time.Hour)
				return nil
			})}, cmdx.Args{"id": "k"})
			Expect(r).To(cmdxtest.BeSuccess())
			Expect(rt.Events.Events(cmdx.EventIdempotencyLost)).To(HaveLen(1))
		})

		It("takes options", func() {
			rt := cmdxtest.NewRuntime(GinkgoT(), nil, func(c *cmdx.Configuration) {
				Expect(c.Store).NotTo(BeNil())
				Expect(c.Telemetry).NotTo(BeNil())
				c.FaultOn = []cmdx.Status{cmdx.StatusSkipped}
			})
			_, err := rt.ExecuteBang(bg, do(func(_ context.Context, t *doing) error { return t.Skip("closed") }), nil)
			Expect(err).To(HaveOccurred())
		})

		It("cannot move a store of another kind, and says so", func() {
			t := &testingTB{}
			rt := cmdxtest.NewRuntime(t, func(c *cmdx.Configuration) { c.Store = storetest.NewFaulty(nil) })
			rt.Advance(time.Hour)
			Expect(t.fatal).To(ConsistOf(ContainSubstring("this runtime has a *storetest.Faulty")))
			memory := stores.NewMemory()
			Expect(cmdxtest.NewRuntime(t, func(c *cmdx.Configuration) { c.Store = memory }).Memory).To(BeIdenticalTo(memory))
		})

		It("stops recording when the test ends", func() {
			t := &testingTB{}
			rt := cmdxtest.NewRuntime(t)
			rt.Execute(bg, &doing{}, nil)
			for _, cleanup := range t.cleanups {
				cleanup()
			}
			rt.Execute(bg, &doing{}, nil)
			Expect(rt.Events.Events()).To(HaveLen(2))
		})
	})
})
