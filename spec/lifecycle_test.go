package spec

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// lifeDrawing marks the drawing of an execution.
const lifeDrawing = "<!-- lifecycle -->"

var errLife = errors.New("declined")

type (
	lifeRequired struct{ life }
	lifeInteger  struct {
		life
		Amount int `cmdx:"amount,required"`
	}
	lifeLimited struct{ life }
	lifeOutput  struct{ life }
	lifeRetry   struct{ lifeUndo }
	lifeGated   struct{ life }
	lifeTimed   struct{ lifeUndo }
	lifeStrict  struct{ lifeUndo }
	lifeLogged  struct{ life }
	lifeWarned  struct{ life }
	lifeRefused struct{ lifeUndo }
	lifeCalled  struct{ life }
	lifeWrong   struct{ life }
)

func (*lifeRequired) Configure(c *cmdx.Config) { c.Required("amount") }
func (*lifeLimited) Configure(c *cmdx.Config) {
	c.Required("amount", inputs.Coerce(inputs.Integer), inputs.Validate("gt=0"))
}
func (*lifeOutput) Configure(c *cmdx.Config) { c.Output("receipt") }
func (*lifeRetry) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorIs(errLife), cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}
func (*lifeGated) Configure(c *cmdx.Config) {
	c.BeforeExecution(cmdx.Call((*lifeGated).shut), cmdx.CallbackOptions{If: cmdx.Never})
	c.AroundExecution(cmdx.Around((*lifeGated).never), cmdx.CallbackOptions{Unless: cmdx.Always})
	c.OnSuccess(cmdx.Call((*lifeGated).open), cmdx.CallbackOptions{If: cmdx.Always, Unless: cmdx.Never})
	c.Use(cmdx.MiddlewareFunc(lifeNever), cmdx.MiddlewareOptions{If: cmdx.Never})
}
func (*lifeTimed) Configure(c *cmdx.Config)  { c.Timeout(time.Second) }
func (*lifeStrict) Configure(c *cmdx.Config) { c.Settings(cmdx.Settings{StrictContext: cmdx.On}) }
func (*lifeLogged) Configure(c *cmdx.Config) { c.Deprecate(cmdx.DeprecateLog) }
func (*lifeWarned) Configure(c *cmdx.Config) {
	c.Deprecate(cmdx.DeprecateWarn, cmdx.Deprecation{Message: "use ChargeCustomer"})
}
func (*lifeRefused) Configure(c *cmdx.Config) {
	c.Deprecate(cmdx.DeprecateError, cmdx.Deprecation{Message: "use ChargeCustomer"})
}
func (*lifeCalled) Configure(c *cmdx.Config) { c.Deprecate(cmdx.Call((*lifeCalled).moved)) }
func (*lifeWrong) Configure(c *cmdx.Config)  { c.IdempotentBy(cmdx.Literal("")) }

func (t *lifeGated) shut(ctx context.Context) error             { return t.pass(ctx, "shut") }
func (t *lifeGated) open(ctx context.Context) error             { return t.pass(ctx, "open") }
func (t *lifeGated) never(_ context.Context, _ cmdx.Next) error { return errLife }
func lifeNever(context.Context, cmdx.Task, cmdx.Next) error     { return errLife }
func (t *lifeCalled) moved(ctx context.Context) error           { return t.pass(ctx, "moved") }
func lifeDoing(f func(context.Context, *life) error) life       { return life{Doing: f} }
func lifeUndoing(f func(context.Context, *life) error) lifeUndo { return lifeUndo{lifeDoing(f)} }
func lifeReturns(err error) func(context.Context, *life) error {
	return func(context.Context, *life) error { return err }
}
func lifePanics(value any) func(context.Context, *life) error {
	return func(context.Context, *life) error { panic(value) }
}
func lifeAt(place string, f func(context.Context, *life) error) lifeUndo {
	return lifeUndo{life{At: map[string]func(context.Context, *life) error{place: f}}}
}

// lifeChild is executed inside of others.
type lifeChild struct{ cmdx.Base }

func (t *lifeChild) Work(context.Context) error {
	return t.Fail("no funds", cmdx.Metadata{"code": "funds"})
}

// What stands around the work in every trace, by how the run ended.
const (
	lifeBefore  = "middleware( task_started before_execution before_validation around( "
	lifeSuccess = " )around )middleware:failed=false after_execution on_complete on_success on_ok task_executed"
	lifeSkipped = " )around )middleware:failed=false after_execution on_interrupted on_skipped on_ok on_ko task_executed"
	lifeFailed  = " )around )middleware:failed=true after_execution on_interrupted on_failed on_ko task_executed"
)

var _ = Describe("The lifecycle", func() {
	args := cmdx.Args{"id": "k"}

	DescribeTable("of one execution is one list, under Execute and under ExecuteBang",
		func(make func() lifer, args cmdx.Args, track string, key string, facts map[string]any, cause any) {
			for _, bang := range []bool{false, true} {
				rig := newLifeRig()
				run := rig.execute(context.Background(), make(), bang, args)

				Expect(strings.Join(run.track, " ")).To(Equal(track))
				Expect(run.key).To(Equal(key), "what the store holds in the end")
				Expect(run.facts()).To(Equal(facts))
				Expect(run.result.Strict()).To(Equal(bang))
				if cause == nil {
					Expect(run.result.Cause()).NotTo(HaveOccurred())
				} else {
					Expect(run.result.Cause()).To(MatchError(cause))
				}
				if bang && run.result.IsFailed() {
					Expect(run.err).To(BeIdenticalTo(run.result.Err()))
				} else {
					Expect(run.err).NotTo(HaveOccurred())
				}
			}
		},
		Entry("a success", bubble(),
			func() lifer { return &life{} }, args,
			lifeBefore+"claimed work completed"+lifeSuccess, "completed", lifeFacts(), nil),
		Entry("a success with a reason", bubble(),
			func() lifer {
				t := lifeDoing(func(_ context.Context, t *life) error { return t.Success("cached") })
				return &t
			}, args,
			lifeBefore+"claimed work completed"+lifeSuccess, "completed", lifeFacts("reason", "cached"), nil),
		Entry("a skip", bubble(),
			func() lifer {
				t := lifeUndoing(func(_ context.Context, t *life) error { return t.Skip("closed", cmdx.Metadata{"code": "shut"}) })
				return &t
			}, args,
			lifeBefore+"claimed work"+lifeSkipped, "",
			lifeFacts("status", "skipped", "reason", "closed", "metadata", cmdx.Metadata{"code": "shut"}), nil),
		Entry("a fail", bubble(),
			func() lifer {
				t := lifeDoing(func(_ context.Context, t *life) error { return t.Fail("no funds") })
				return &t
			}, args,
			lifeBefore+"claimed work"+lifeFailed, "", lifeFacts("status", "failed", "reason", "no funds"), nil),
		Entry("a raised error", bubble(),
			func() lifer { t := lifeDoing(lifeReturns(errLife)); return &t }, args,
			lifeBefore+"claimed work"+lifeFailed, "", lifeFacts("status", "failed", "reason", "[errors.errorString] declined"), errLife),
		Entry("an echo", bubble(),
			func() lifer {
				t := lifeDoing(func(ctx context.Context, t *life) error { return cmdx.Execute(ctx, &lifeChild{}, nil).Err() })
				return &t
			}, args,
			lifeBefore+"claimed work"+lifeFailed, "",
			lifeFacts("status", "failed", "reason", "no funds", "metadata", cmdx.Metadata{"code": "funds"}), nil),
		Entry("a missing input", bubble(),
			func() lifer { return &lifeRequired{} }, args,
			lifeBefore[:len(lifeBefore)-1]+lifeFailed, "", lifeFacts("status", "failed", "reason", "amount is required"), nil),
		Entry("a value that cannot be coerced", bubble(),
			func() lifer { return &lifeInteger{} }, cmdx.Args{"id": "k", "amount": "many"},
			lifeBefore[:len(lifeBefore)-1]+lifeFailed, "",
			lifeFacts("status", "failed", "reason", "amount could not coerce into an integer"), nil),
		Entry("a value that is not valid", bubble(),
			func() lifer { return &lifeLimited{} }, cmdx.Args{"id": "k", "amount": 0},
			lifeBefore[:len(lifeBefore)-1]+lifeFailed, "",
			lifeFacts("status", "failed", "reason", "amount must be greater than 0"), nil),
		Entry("a missing output", bubble(),
			func() lifer { return &lifeOutput{} }, args,
			lifeBefore+"claimed work"+lifeFailed, "",
			lifeFacts("status", "failed", "reason", "receipt must be set in the context"), nil),
		Entry("a retry, then a success", bubble(),
			func() lifer {
				return &lifeRetry{lifeUndoing(func(_ context.Context, t *life) error {
					if t.Attempt() == 0 {
						return errLife
					}
					return nil
				})}
			}, args,
			lifeBefore+"claimed work task_retried work completed"+lifeSuccess, "completed", lifeFacts("retried", true, "retries", 1), nil),
		Entry("retries that are used up", bubble(),
			func() lifer { return &lifeRetry{lifeUndoing(lifeReturns(errLife))} }, args,
			lifeBefore+"claimed work task_retried work task_retried work task_rolled_back rollback"+lifeFailed, "",
			lifeFacts("status", "failed", "reason", "[errors.errorString] declined", "retried", true, "retries", 2, "rolled_back", true), errLife),
		Entry("a failure with a rollback", bubble(),
			func() lifer { t := lifeUndoing(lifeReturns(errLife)); return &t }, args,
			lifeBefore+"claimed work task_rolled_back rollback"+lifeFailed, "",
			lifeFacts("status", "failed", "reason", "[errors.errorString] declined", "rolled_back", true), errLife),
		Entry("gates both ways", bubble(),
			func() lifer { return &lifeGated{} }, args,
			lifeBefore+"claimed work completed"+strings.Replace(lifeSuccess, "on_success", "on_success open", 1), "completed", lifeFacts(), nil),
		Entry("a before callback that halts", bubble(),
			func() lifer {
				t := lifeAt("before_execution", func(_ context.Context, t *life) error { return t.Skip("closed") })
				return &t
			}, args,
			"middleware( task_started before_execution"+strings.TrimPrefix(lifeSkipped, " )around"), "",
			lifeFacts("status", "skipped", "reason", "closed"), nil),
		Entry("a before callback that fails", bubble(),
			func() lifer { t := lifeAt("before_validation", lifeReturns(errLife)); return &t }, args,
			"middleware( task_started before_execution before_validation"+strings.TrimPrefix(lifeFailed, " )around"), "",
			lifeFacts("status", "failed", "reason", "[errors.errorString] declined"), errLife),
		Entry("a before callback that ends in a success", bubble(),
			func() lifer {
				t := lifeAt("before_execution", func(_ context.Context, t *life) error { return t.Success("done before") })
				return &t
			}, args,
			"middleware( task_started before_execution"+strings.TrimPrefix(lifeSuccess, " )around"), "",
			lifeFacts("reason", "done before"), nil),
		Entry("an around callback that fails a success", bubble(),
			func() lifer { t := lifeAt(")around", lifeReturns(errLife)); return &t }, args,
			lifeBefore+"claimed work completed )around task_rolled_back rollback taken_back"+strings.TrimPrefix(lifeFailed, " )around"), "",
			lifeFacts("status", "failed", "reason", "[errors.errorString] declined", "rolled_back", true), errLife),
		Entry("an around callback that skips a success", bubble(),
			func() lifer {
				t := lifeAt(")around", func(_ context.Context, t *life) error { return t.Skip("not needed") })
				return &t
			}, args,
			lifeBefore+"claimed work completed )around task_rolled_back rollback taken_back"+strings.TrimPrefix(lifeSkipped, " )around"), "",
			lifeFacts("status", "skipped", "reason", "not needed"), nil),
		Entry("a broken around callback", bubble(),
			func() lifer { t := lifeAt("instead of around", lifeReturns(nil)); return &t }, args,
			lifeBefore[:len(lifeBefore)-1]+strings.TrimPrefix(lifeFailed, " )around"), "",
			lifeFacts("status", "failed", "reason", "[cmdx.CallbackError] around_execution callback spec.(*life).around returned without calling its continuation: call the continuation exactly once, before returning and on the same goroutine; to halt a run, use a before_execution callback"),
			ContainSubstring("spec.(*life).around")),
		Entry("a middleware that halts", bubble(),
			func() lifer {
				t := lifeAt("middleware(", func(_ context.Context, t *life) error { return t.Skip("maintenance") })
				return &t
			}, args,
			"middleware( after_execution on_interrupted on_skipped on_ok on_ko task_executed", "",
			lifeFacts("status", "skipped", "reason", "maintenance"), nil),
		Entry("a broken middleware", bubble(),
			func() lifer { t := lifeAt("instead of middleware", lifeReturns(nil)); return &t }, args,
			"middleware( after_execution on_interrupted on_failed on_ko task_executed", "",
			lifeFacts("status", "failed", "reason", "[cmdx.MiddlewareError] middleware spec.lifeMiddleware returned without calling its continuation: call next once, before returning and on the same goroutine, or return a signal or an error instead"),
			ContainSubstring("spec.lifeMiddleware")),
		Entry("a middleware that fails a success", bubble(),
			func() lifer { t := lifeAt(")middleware", lifeReturns(errLife)); return &t }, args,
			lifeBefore+"claimed work completed )around )middleware:failed=false task_rolled_back rollback taken_back"+
				" after_execution on_interrupted on_failed on_ko task_executed", "",
			lifeFacts("status", "failed", "reason", "[errors.errorString] declined", "rolled_back", true), errLife),
		Entry("a middleware that swallows a failure", bubble(),
			func() lifer {
				t := lifeAt(")middleware", lifeReturns(errSwallow))
				t.Doing = lifeReturns(errLife)
				return &t
			}, args,
			lifeBefore+"claimed work task_rolled_back rollback )around )middleware:failed=true"+
				" after_execution on_complete on_success on_ok task_executed", "",
			lifeFacts(), nil),
		Entry("a deprecation that is logged", bubble(),
			func() lifer { return &lifeLogged{} }, args,
			strings.Replace(lifeBefore, "task_started", "task_started task_deprecated", 1)+"claimed work completed"+lifeSuccess,
			"completed", lifeFacts("deprecated", true), nil),
		Entry("a deprecation that warns", bubble(),
			func() lifer { return &lifeWarned{} }, args,
			strings.Replace(lifeBefore, "task_started", "task_started task_deprecated", 1)+"claimed work completed"+lifeSuccess,
			"completed", lifeFacts("deprecated", true), nil),
		Entry("a deprecation that refuses", bubble(),
			func() lifer { return &lifeRefused{} }, args,
			"middleware( task_started task_deprecated"+strings.TrimPrefix(lifeFailed, " )around"), "",
			lifeFacts("status", "failed", "deprecated", true, "reason", "[cmdx.DeprecationError] lifeRefused is deprecated and does not run any more: use ChargeCustomer"),
			ContainSubstring("use ChargeCustomer")),
		Entry("a deprecation that is a callback", bubble(),
			func() lifer { return &lifeCalled{} }, args,
			strings.Replace(lifeBefore, "task_started", "task_started moved task_deprecated", 1)+"claimed work completed"+lifeSuccess,
			"completed", lifeFacts("deprecated", true), nil),
		Entry("a key that a strict context misses", bubble(),
			func() lifer {
				return &lifeStrict{lifeUndoing(func(_ context.Context, t *life) error { t.Context().MustGet("account"); return nil })}
			}, args,
			lifeBefore+"claimed work task_rolled_back rollback"+lifeFailed, "",
			lifeFacts("status", "failed", "rolled_back", true,
				"reason", `[cmdx.UnknownKeyError] context: there is no key "account": set it before it is read, or read it with Get`),
			ContainSubstring("account")),
		Entry("a panic", bubble(),
			func() lifer { t := lifeUndoing(lifePanics("boom")); return &t }, args,
			lifeBefore+"claimed work task_rolled_back rollback"+lifeFailed, "",
			lifeFacts("status", "failed", "reason", "[cmdx.PanicError] panic: boom", "rolled_back", true), "panic: boom"),
		Entry("a timeout", bubble(),
			func() lifer {
				return &lifeTimed{lifeUndoing(func(ctx context.Context, _ *life) error { <-ctx.Done(); return errLife })}
			}, args,
			lifeBefore+"claimed work task_rolled_back rollback"+lifeFailed, "",
			lifeFacts("status", "failed", "rolled_back", true,
				"reason", "[cmdx.TimeoutError] the task did not end within its timeout of 1s: declined"), context.DeadlineExceeded),
	)

	It("is drawn in the page in the order in which it happens", func() {
		page := docsPageAt(docsPages(), "docs/lifecycle.md")
		var drawn []string
		for _, block := range page.blocks {
			if block.marker == lifeDrawing {
				drawn = words(strings.ReplaceAll(block.body, ":", " "))
			}
		}
		rig := newLifeRig()
		track := rig.execute(context.Background(), &life{}, false, args).track
		track = slices.DeleteFunc(track, func(place string) bool { return strings.Contains(place, "middleware") })
		Expect(track).To(HaveLen(13))
		drawn = slices.DeleteFunc(drawn, func(word string) bool { return !slices.Contains(track, word) })
		Expect(drawn).To(Equal(track))
	})

	It("of a type that is declared wrongly runs nothing", func() {
		rig := newLifeRig()
		run := rig.execute(context.Background(), &lifeWrong{}, false, args)

		Expect(strings.Join(run.track, " ")).To(Equal("task_started task_executed"))
		Expect(run.result.Cause()).To(MatchError(ContainSubstring(`Literal("")`)))
	})

	It("refuses a run whose caller has gone before the first guard", func() {
		gone := errors.New("hung up")
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(gone)
		rig := newLifeRig()
		run := rig.execute(ctx, &lifeUndo{}, false, args)

		Expect(strings.Join(run.track, " ")).To(Equal(lifeBefore[:len(lifeBefore)-1] + lifeFailed))
		Expect(run.result.Cause()).To(BeIdenticalTo(gone))
		Expect(run.result.RolledBack()).To(BeFalse())
	})

	It("lets nothing of a refused duplicate be rolled back", func() {
		rig := newLifeRig()
		rig.execute(context.Background(), &lifeUndo{}, false, args)
		rig.track = &doTrack{}
		run := rig.execute(context.Background(), &lifeUndo{}, false, args)

		Expect(run.result).To(endSkipped())
		Expect(run.key).To(Equal("completed"))
	})
})
