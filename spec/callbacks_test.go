package spec

import (
	"context"
	"errors"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

type (
	hookRemoved  struct{ life }
	hookOff      struct{ life }
	hookMissing  struct{ life }
	hookNil      struct{ cmdx.Base }
	hookForeign  struct{ cmdx.Base }
	hookSettling struct{ lifeUndo }
	hookAttempts struct{ lifeUndo }
	hookUnbound  struct{ hookAttempts }
	hookOrder    struct{ life }
	hookRollback struct{ cmdx.Base }
)

func (*hookRemoved) Configure(c *cmdx.Config) {
	c.RemoveCallback(cmdx.OnSuccess, cmdx.Call((*life).onSuccess))
	c.RemoveMiddleware(lifeMiddleware{})
}
func (*hookOff) Configure(c *cmdx.Config) {
	c.AfterExecution(cmdx.Disabled)
	c.AroundExecution(cmdx.Disabled)
	c.Use(cmdx.Disabled)
}
func (*hookMissing) Configure(c *cmdx.Config) {
	c.RemoveCallback(cmdx.OnFailed, cmdx.Call((*life).onSuccess))
	c.RemoveMiddleware(cmdx.MiddlewareFunc(lifeNever))
}
func (*hookNil) Configure(c *cmdx.Config) {
	c.OnSuccess(cmdx.Call[hookNil](nil))
	c.Use(cmdx.MiddlewareFunc(nil))
	c.AroundExecution(nil)
	c.OnFailed(cmdx.DeprecateLog)
	c.Timeout(-5)
	c.Deprecate(nil, cmdx.Deprecation{Message: "x"})
}
func (*hookForeign) Configure(c *cmdx.Config) { c.OnSuccess(cmdx.Call((*life).onSuccess)) }
func (*hookSettling) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{Settle: cmdx.AfterMiddlewares, ProcessingTTL: time.Minute, Renew: cmdx.On})
	c.LockWith(cmdx.FromContext("id"), cmdx.Lock{Settle: cmdx.AfterMiddlewares})
}
func (*hookAttempts) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorType[*cmdx.TimeoutError](), cmdx.Retry{Limit: 1, Delay: cmdx.NoDelay})
	c.Timeout(0, cmdx.PerAttempt(time.Second))
}
func (*hookUnbound) Configure(c *cmdx.Config) { c.Timeout(0, cmdx.PerAttempt(cmdx.NoTimeout)) }
func (*hookOrder) Configure(c *cmdx.Config) {
	c.Use(hookNamed("inner"))
	c.Use(hookNamed("outer"), cmdx.MiddlewareOptions{Position: cmdx.Outermost})
}

func (*hookNil) Work(context.Context) error      { return nil }
func (*hookForeign) Work(context.Context) error  { return nil }
func (*hookRollback) Work(context.Context) error { return nil }
func (*hookRollback) Rollback() error            { return nil }

// hookNamed is a middleware that tells its name.
type hookNamed string

func (m hookNamed) Call(ctx context.Context, task cmdx.Task, next cmdx.Next) error {
	lifeOf(task).Track.add("%s", string(m))
	return next(ctx)
}

// hookWrong is a middleware or an around callback that uses next wrongly.
type hookWrong func(ctx context.Context, next cmdx.Next) error

func (f *hookWrong) Call(ctx context.Context, _ cmdx.Task, next cmdx.Next) error {
	return (*f)(ctx, next)
}
func (f *hookWrong) Around(ctx context.Context, _ cmdx.Task, next cmdx.Next) error {
	return (*f)(ctx, next)
}

var _ = Describe("Callbacks and middlewares", func() {
	ctx := context.Background()
	args := cmdx.Args{"id": "k"}
	run := func(task lifer) (lifeRun, *lifeRig) {
		rig := newLifeRig()
		return rig.execute(ctx, task, false, args), rig
	}

	It("can be removed by a child, one by one", func() {
		r, _ := run(&hookRemoved{})
		Expect(r.result).To(endSuccess())
		Expect(r.track).NotTo(ContainElement("on_success"))
		Expect(r.track).NotTo(ContainElement("middleware("))
		Expect(r.track).To(ContainElements("on_complete", "on_ok", "around("))
	})

	It("can be removed by a child, all of a kind, with the runtime's", func() {
		called := 0
		rig := newLifeRig(func(c *cmdx.Configuration) {
			c.AfterExecution(cmdx.Call(func(*cmdx.Base, context.Context) error { called++; return nil }))
			c.Use(cmdx.MiddlewareFunc(func(context.Context, cmdx.Task, cmdx.Next) error { called++; return nil }))
		})
		r := rig.execute(ctx, &hookOff{}, false, args)
		Expect(strings.Join(r.track, " ")).To(Equal(
			"task_started before_execution before_validation claimed work completed on_complete on_success on_ok task_executed"))
		Expect(called).To(BeZero())
	})

	It("of the runtime stand outside and come first", func() {
		var rig *lifeRig
		rig = newLifeRig(func(c *cmdx.Configuration) {
			c.Use(hookNamed("global"))
			c.BeforeExecution(cmdx.Call(func(*cmdx.Base, context.Context) error { rig.track.add("global before"); return nil }))
		})
		r := rig.execute(ctx, &hookOrder{}, false, args)
		Expect(strings.Join(r.track[:6], ", ")).To(Equal("outer, global, middleware(, inner, task_started, global before"))
	})

	It("that are not there, or nil, are definition errors", func() {
		err := cmdx.Validate(&hookMissing{}, &hookNil{}, &hookForeign{}, &hookRollback{})
		for _, text := range []string{
			`no on_failed callback "spec.(*life).onSuccess"`, `no middleware "spec.lifeNever"`,
			"OnSuccess: there is no function", "Use: there is no middleware", "AroundExecution: there is no function",
			"a level of deprecation is no callback", "the timeout is -5ns", "Deprecate has options",
			"OnSuccess was given a function of *spec.life", "its Rollback is func(",
		} {
			Expect(err).To(MatchError(ContainSubstring(text)))
		}
		rt := cmdx.New(func() (c cmdx.Configuration) { c.OnFailed(nil); return c }())
		var wrong *cmdx.DefinitionError
		Expect(errors.As(rt.Execute(ctx, &life{Track: &doTrack{}}, nil).Cause(), &wrong)).To(BeTrue())
	})

	DescribeTable("that use their continuation wrongly are named",
		func(wrong hookWrong, problem string, around bool) {
			rig := newLifeRig(func(c *cmdx.Configuration) {
				if around {
					c.AroundExecution(&wrong)
				} else {
					c.Use(&wrong)
				}
			})
			r := rig.execute(ctx, &lifeUndo{}, false, args)
			Expect(r.result).To(endFailed())
			Expect(r.result.Cause()).To(MatchError(And(ContainSubstring("spec.hookWrong"), ContainSubstring(problem))))
			Expect(r.key).To(BeEmpty())
			var middleware *cmdx.MiddlewareError
			var callback *cmdx.CallbackError
			Expect(errors.As(r.result.Cause(), &middleware)).To(Equal(!around))
			Expect(errors.As(r.result.Cause(), &callback)).To(Equal(around))
		},
		Entry("twice, a middleware", hookWrong(hookTwice), "more than once", false),
		Entry("twice, an around callback", hookWrong(hookTwice), "more than once", true),
		Entry("elsewhere, a middleware", hookWrong(hookElsewhere), "another goroutine", false),
		Entry("elsewhere, an around callback", hookWrong(hookElsewhere), "another goroutine", true),
		Entry("never, a middleware", hookWrong(hookNever), "without calling", false),
		Entry("never, an around callback", hookWrong(hookNever), "without calling", true),
		Entry("never but a signal, an around callback", hookWrong(func(context.Context, cmdx.Next) error { return errLife }), "without calling", true),
	)

	It("get an error when they go on too late", func() {
		var late cmdx.Next
		rig := newLifeRig(func(c *cmdx.Configuration) {
			c.Use(cmdx.MiddlewareFunc(func(ctx context.Context, _ cmdx.Task, next cmdx.Next) error {
				late = next
				return next(ctx)
			}))
		})
		r := rig.execute(ctx, &life{}, false, args)
		Expect(r.result).To(endSuccess())
		Expect(late(ctx)).To(MatchError(ContainSubstring("after it had returned")))
		Expect(rig.track.all()).To(HaveLen(len(r.track)), "nothing ran")
	})

	It("change nothing behind the outcome, and are told", func() {
		task := lifeAt("after_execution", lifePanics("late"))
		task.At["on_success"] = func(_ context.Context, t *life) error { return t.Fail("too late") }
		r, _ := run(&task)
		Expect(r.result).To(endSuccess())
		Expect(r.result.CallbackErrors()).To(HaveLen(2))
		Expect(r.result.CallbackErrors()[0]).To(MatchError("panic: late"))
		Expect(r.result.CallbackErrors()[1]).To(MatchError("cmdx: failed: too late"))
		Expect(strings.Join(r.track, " ")).To(ContainSubstring("after_execution callback_failed on_complete on_success callback_failed on_ok"))
		Expect(r.log.text()).To(ContainSubstring("the outcome stands"))
		Expect(r.key).To(Equal("completed"))
	})

	It("ask for the outcome by their ctx, once it stands", func() {
		var before, after bool
		var outcome cmdx.Outcome
		task := lifeAt("around(", func(ctx context.Context, _ *life) error { _, before = cmdx.OutcomeOf(ctx); return nil })
		task.At["on_failed"] = func(ctx context.Context, _ *life) error { outcome, after = cmdx.OutcomeOf(ctx); return nil }
		task.Doing = lifeReturns(errLife)
		run(&task)
		Expect([]bool{before, after}).To(Equal([]bool{false, true}))
		Expect(outcome.Cause).To(MatchError(errLife))
	})

	Describe("A claim and a lock that settle after the middlewares", func() {
		It("are held until the outermost has returned", bubble(), func() {
			var rig *lifeRig
			var seen, lock []string
			task := &hookSettling{}
			look := func(context.Context, *life) error {
				value, _, _ := rig.store.Get(ctx, "cmdx:lock:hookSettling:k")
				seen, lock = append(seen, rig.key("k", task)), append(lock, value)
				return nil
			}
			task.At = map[string]func(context.Context, *life) error{
				")around": look,
				// A claim is renewed meanwhile: a commit may take its time.
				")middleware": func(ctx context.Context, t *life) error { time.Sleep(20 * time.Second); return look(ctx, t) },
			}
			rig = newLifeRig()
			r := rig.execute(ctx, task, false, args)
			Expect(r.result).To(endSuccess())
			Expect(seen).To(Equal([]string{"processing", "processing"}))
			Expect(lock).NotTo(ContainElement(""))
			Expect(r.key).To(Equal("completed"))
			free, _, _ := rig.store.Get(ctx, "cmdx:lock:hookSettling:k")
			Expect(free).To(BeEmpty())
		})

		It("free the key of a run that a middleware fails, without a completion to take back", bubble(), func() {
			task := &hookSettling{lifeAt(")middleware", lifeReturns(errLife))}
			r, _ := run(task)
			Expect(r.result).To(endFailed())
			Expect(r.track).NotTo(ContainElements("completed"))
			Expect(r.track).NotTo(ContainElement("taken_back"))
			Expect(r.key).To(BeEmpty())
		})

		It("free the key of a failure that a middleware swallows", bubble(), func() {
			task := &hookSettling{lifeAt(")middleware", lifeReturns(errSwallow))}
			task.Doing = lifeReturns(errLife)
			r, _ := run(task)
			Expect(r.result).To(endSuccess())
			Expect(r.key).To(BeEmpty())
		})
	})

	Describe("A timeout", func() {
		wait := func(ctx context.Context, _ *life) error { <-ctx.Done(); return context.Cause(ctx) }

		It("per attempt ends each attempt, which may be tried again", bubble(), func() {
			task := &hookAttempts{lifeUndoing(wait)}
			r, _ := run(task)
			var over *cmdx.TimeoutError
			Expect(errors.As(r.result.Cause(), &over)).To(BeTrue())
			Expect(over.PerAttempt).To(BeTrue())
			Expect(r.result.Retries()).To(Equal(1))
			Expect(r.result.Duration()).To(Equal(2 * time.Second))
		})

		It("can be taken away", bubble(), func() {
			task := &hookUnbound{hookAttempts{lifeUndoing(func(context.Context, *life) error { time.Sleep(time.Minute); return nil })}}
			r, _ := run(task)
			Expect(r.result).To(endSuccess())
		})

		It("of the caller's is not ours", bubble(), func() {
			ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			rig := newLifeRig()
			r := rig.execute(ctx, &lifeTimed{lifeUndoing(wait)}, false, args)
			var over *cmdx.TimeoutError
			Expect(errors.As(r.result.Cause(), &over)).To(BeFalse())
			Expect(r.result.Cause()).To(MatchError(context.DeadlineExceeded))
		})

		It("that Work does not heed turns no success into a failure", bubble(), func() {
			task := &lifeTimed{lifeUndoing(func(context.Context, *life) error { time.Sleep(time.Hour); return nil })}
			r, _ := run(task)
			Expect(r.result).To(endSuccess())
		})
	})

	Describe("A rollback", func() {
		It("runs on a live ctx with the values of middlewares, though the caller has gone", func() {
			ctx, cancel := context.WithCancel(ctx)
			var alive error
			var bounded bool
			task := lifeAt("rollback", func(ctx context.Context, _ *life) error {
				alive = ctx.Err()
				_, bounded = ctx.Deadline()
				return nil
			})
			task.Doing = func(context.Context, *life) error { cancel(); return errLife }
			rig := newLifeRig()
			rig.execute(ctx, &task, false, args)
			Expect(alive).NotTo(HaveOccurred())
			Expect(bounded).To(BeTrue())
		})

		It("that fails stands beside what the run failed with", func() {
			gone := errors.New("cannot undo")
			task := lifeAt("rollback", lifeReturns(gone))
			task.Doing = lifeReturns(errLife)
			r, _ := run(&task)
			var failed *cmdx.RollbackError
			Expect(errors.As(r.result.Cause(), &failed)).To(BeTrue())
			Expect(r.result.Cause()).To(And(MatchError(gone), MatchError(errLife)))
			Expect(r.result.RolledBack()).To(BeTrue())
			Expect(r.key).To(BeEmpty())
		})

		It("comes before the key is free", func() {
			var held string
			var rig *lifeRig
			task := lifeAt("rollback", func(context.Context, *life) error { held = rig.key("k", &lifeUndo{}); return nil })
			task.Doing = lifeReturns(errLife)
			rig = newLifeRig()
			rig.execute(ctx, &task, false, args)
			Expect(held).To(Equal("processing"))
		})
	})
})

func hookTwice(ctx context.Context, next cmdx.Next) error {
	err := next(ctx)
	_ = next(ctx)
	return err
}

func hookNever(context.Context, cmdx.Next) error { return nil }

func hookElsewhere(ctx context.Context, next cmdx.Next) error {
	done := make(chan error)
	go func() { done <- next(ctx) }()
	return <-done
}
