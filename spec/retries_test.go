package spec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/cmdxtest"
)

// Chargers are tried again as their types declare.
type (
	charger struct {
		cmdx.Base
		Seen  *doTrack
		Times int // how often Work fails; negative for ever
		Fails func(*charger) error
		Tries int // survives between attempts
	}
	chargeOnce      struct{ charger }
	chargeTwice     struct{ charger }
	chargeFourTimes struct{ charger }
	chargeDefault   struct{ charger }
	chargeNever     struct{ chargeTwice }
	chargeOff       struct{ chargeTwice }
	chargeLayered   struct{ chargeNetwork }
	chargeNetwork   struct{ charger }
	chargeWaiting   struct{ charger }
	chargeAsked     struct {
		charger
		Allow func(err error, attempt int) bool
	}
	chargeUnless   struct{ charger }
	chargeJittered struct {
		charger
		Live bool
	}
	chargeBroken struct{ charger }
)

var errBusy = errors.New("busy")

func (t *charger) Work(context.Context) error {
	t.Tries++
	if t.Seen != nil {
		t.Seen.add("work %d", t.Attempt())
	}
	if t.Times >= 0 && t.Tries > t.Times {
		return nil
	}
	if t.Fails != nil {
		return t.Fails(t)
	}
	return fmt.Errorf("try %d: %w", t.Tries, errBusy)
}

func (*chargeOnce) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: cmdx.NoRetries})
}

func (*chargeTwice) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorIs(errBusy), cmdx.Retry{Limit: 1, Delay: cmdx.NoDelay})
}

func (*chargeFourTimes) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 3, Delay: cmdx.NoDelay})
}

func (*chargeDefault) Configure(c *cmdx.Config) { c.RetryOn(cmdx.AnyError) }

func (*chargeNever) Configure(c *cmdx.Config) { c.RetryOn(nil, cmdx.Retry{Limit: cmdx.NoRetries}) }

func (*chargeOff) Configure(c *cmdx.Config) { c.RetryOn(cmdx.Disabled) }

func (*chargeNetwork) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorType[*net.OpError](), cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

func (*chargeLayered) Configure(c *cmdx.Config) { c.RetryOn(cmdx.ErrorIs(errBusy)) }

func (*chargeWaiting) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 3, Delay: time.Minute})
}

func (*chargeAsked) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 3, Delay: time.Minute, If: cmdx.WhenError((*chargeAsked).worthIt)})
}

func (t *chargeAsked) worthIt(err error, attempt int) bool { return t.Allow(err, attempt) }

func (*chargeUnless) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{
		Limit: 3, Delay: cmdx.NoDelay,
		If:     cmdx.Always,
		Unless: cmdx.WhenError(func(_ *charger, err error, attempt int) bool { return attempt == 1 }),
	})
}

func (*chargeJittered) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorFunc(func(error) bool { return true }), cmdx.Retry{
		Limit: 2, Delay: time.Second, MaxDelay: time.Hour,
		If: cmdx.When((*chargeJittered).live),
		Jitter: func(attempt int, delay, prev time.Duration) time.Duration {
			return delay + prev + time.Duration(attempt)
		},
	})
}

func (t *chargeJittered) live() bool { return t.Live }

func (*chargeBroken) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorFunc(func(error) bool { panic("broken matcher") }))
}

// Tasks that differ in their jitter only.
type (
	pauseBase         struct{ charger }
	pauseExponential  struct{ pauseBase }
	pauseLinear       struct{ pauseBase }
	pauseFibonacci    struct{ pauseBase }
	pauseNone         struct{ pauseBase }
	pauseHalf         struct{ pauseBase }
	pauseFull         struct{ pauseBase }
	pauseBounded      struct{ pauseBase }
	pauseDecorrelated struct{ pauseBase }
	pauseCut          struct{ pauseExponential }
	pauseNegative     struct{ pauseBase }
)

func (*pauseBase) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 5, Delay: 10 * time.Second})
}

func (*pauseExponential) Configure(c *cmdx.Config) {
	c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.Exponential})
}
func (*pauseLinear) Configure(c *cmdx.Config)    { c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.Linear}) }
func (*pauseFibonacci) Configure(c *cmdx.Config) { c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.Fibonacci}) }
func (*pauseHalf) Configure(c *cmdx.Config)      { c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.HalfRandom}) }
func (*pauseFull) Configure(c *cmdx.Config)      { c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.FullRandom}) }
func (*pauseBounded) Configure(c *cmdx.Config) {
	c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.BoundedRandom})
}
func (*pauseDecorrelated) Configure(c *cmdx.Config) {
	c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.DecorrelatedJitter})
}
func (*pauseCut) Configure(c *cmdx.Config) { c.RetryOn(nil, cmdx.Retry{MaxDelay: 35 * time.Second}) }
func (*pauseNegative) Configure(c *cmdx.Config) {
	c.RetryOn(nil, cmdx.Retry{Jitter: func(int, time.Duration, time.Duration) time.Duration { return -time.Hour }})
}

var _ = Describe("Retries", func() {
	bg := context.Background()
	run := func(t cmdx.Task) *cmdx.Result { return cmdx.New(cmdx.Configuration{}).Execute(bg, t, nil) }
	failing := func(seen *doTrack) charger { return charger{Seen: seen, Times: -1} }

	Context("limits", func() {
		DescribeTable("let Work run once more than there are retries",
			func(task func(charger) cmdx.Task, works int) {
				seen := &doTrack{}
				r := run(task(failing(seen)))
				Expect(seen.all()).To(HaveLen(works))
				for i, line := range seen.all() {
					Expect(line).To(Equal(fmt.Sprint("work ", i)), "Attempt counts from 0")
				}
				Expect(r).To(cmdxtest.BeFailed().WithReason(fmt.Sprintf("[fmt.wrapError] try %d: busy", works)))
				Expect(errors.Is(r.Err(), errBusy)).To(BeTrue())
				Expect(r.Retries()).To(Equal(works - 1))
				Expect(r.ToMap()).To(HaveKeyWithValue("retried", works > 1))
			},
			Entry("not declared", func(c charger) cmdx.Task { return &c }, 1),
			Entry("NoRetries", func(c charger) cmdx.Task { return &chargeOnce{c} }, 1),
			Entry("1", func(c charger) cmdx.Task { return &chargeTwice{c} }, 2),
			Entry("3", func(c charger) cmdx.Task { return &chargeFourTimes{c} }, 4),
			Entry("a child's NoRetries", func(c charger) cmdx.Task { return &chargeNever{chargeTwice{c}} }, 1),
			Entry("a child's Disabled", func(c charger) cmdx.Task { return &chargeOff{chargeTwice{c}} }, 1),
		)

		It("are 3 with half a second before each, where nobody says another", func() {
			start := time.Now()
			r := run(&chargeDefault{failing(nil)})
			Expect(r.Retries()).To(Equal(3))
			Expect(time.Since(start)).To(Equal(1500 * time.Millisecond))
		}, bubble())

		It("end with the first success", func() {
			seen := &doTrack{}
			r := run(&chargeFourTimes{charger{Seen: seen, Times: 2}})
			Expect(r).To(cmdxtest.BeSuccess())
			Expect(r.Retries()).To(Equal(2))
			Expect(seen.all()).To(Equal([]string{"work 0", "work 1", "work 2"}))
		})
	})

	Context("matchers", func() {
		network := func(*charger) error { return &net.OpError{Op: "dial", Err: io.EOF} }
		other := func(*charger) error { return errDeclined }

		It("leave other errors alone", func() {
			Expect(run(&chargeNetwork{charger{Times: -1}}).Retries()).To(Equal(0))
			Expect(run(&chargeNetwork{charger{Times: -1, Fails: network}}).Retries()).To(Equal(2))
		})

		It("of a child come beside its parent's, under the parent's options", func() {
			layered := func(c charger) int { return run(&chargeLayered{chargeNetwork{c}}).Retries() }
			Expect(layered(charger{Times: -1})).To(Equal(2))
			Expect(layered(charger{Times: -1, Fails: network})).To(Equal(2))
			Expect(layered(charger{Times: -1, Fails: other})).To(Equal(0))
		})

		DescribeTable("AnyError does not match",
			func(fails func(*charger) error) {
				Expect(run(&chargeFourTimes{charger{Times: -1, Fails: fails}}).Retries()).To(Equal(0))
			},
			Entry("a Skip", func(t *charger) error { return t.Skip("x") }),
			Entry("a Fail", func(t *charger) error { return t.Fail("x") }),
			Entry("a wrapped Fail", func(t *charger) error { return fmt.Errorf("x: %w", t.Fail("x")) }),
			Entry("a signal of a task that is not running", func(*charger) error { return (&charger{}).Fail("x") }),
			Entry("a panic", func(*charger) error { panic("x") }),
			Entry("a panic with an error", func(*charger) error { panic(errBusy) }),
		)

		It("AnyError matches a signal with an error beside it, which is a raised error", func() {
			Expect(run(&chargeFourTimes{charger{Times: -1, Fails: func(t *charger) error {
				return errors.Join(t.Fail("x"), errClose)
			}}}).Retries()).To(Equal(3))
		})

		It("match a panic when they name its value", func() {
			Expect(run(&chargeTwice{charger{Times: -1, Fails: func(*charger) error { panic(errBusy) }}}).Retries()).To(Equal(1))
		})

		It("that panic end the loop, and the last error is not lost", func() {
			r := run(&chargeBroken{charger{Times: -1}})
			Expect(r).To(cmdxtest.BeFailed())
			Expect(errors.Is(r.Err(), errBusy)).To(BeTrue())
			var broken *cmdx.PanicError
			Expect(errors.As(r.Err(), &broken)).To(BeTrue())
			Expect(broken.Value).To(Equal("broken matcher"))
			Expect(r.Reason()).To(HavePrefix("[fmt.wrapError] try 1: busy"))
		})
	})

	Context("gates", func() {
		It("get the error and the attempt that raised it, before any wait", func() {
			start := time.Now()
			seen := &doTrack{}
			r := run(&chargeAsked{charger: failing(seen), Allow: func(err error, attempt int) bool {
				seen.add("asked about %d: %v at %v", attempt, err, time.Since(start))
				return attempt < 1
			}})
			Expect(seen.all()).To(Equal([]string{
				"work 0", "asked about 0: try 1: busy at 0s",
				"work 1", "asked about 1: try 2: busy at 1m0s",
			}))
			Expect(r).To(cmdxtest.BeFailed().WithReason("[fmt.wrapError] try 2: busy"))
		}, bubble())

		It("are not asked after the last attempt, nor about what no matcher picks", func() {
			asked := 0
			task := &chargeAsked{charger: failing(nil), Allow: func(error, int) bool { asked++; return true }}
			Expect(run(task).Retries()).To(Equal(3))
			Expect(asked).To(Equal(3))
			asked = 0
			task.Fails = func(t *charger) error { return t.Fail("x") }
			run(task)
			Expect(asked).To(Equal(0))
		}, bubble())

		It("refuse by Unless, written for an ancestor", func() {
			Expect(run(&chargeUnless{failing(nil)}).Retries()).To(Equal(1))
		})

		It("that ask the task only serve as well", func() {
			Expect(run(&chargeJittered{charger: failing(nil), Live: true}).Retries()).To(Equal(2))
			Expect(run(&chargeJittered{charger: failing(nil)}).Retries()).To(Equal(0))
		}, bubble())

		It("that panic end the loop beside the last error", func() {
			r := run(&chargeAsked{charger: failing(nil), Allow: func(error, int) bool { panic("broken gate") }})
			Expect(errors.Is(r.Err(), errBusy)).To(BeTrue())
			var broken *cmdx.PanicError
			Expect(errors.As(r.Err(), &broken)).To(BeTrue())
		})
	})

	Context("pauses", func() {
		pauses := func(task func(charger) cmdx.Task) (list []time.Duration) {
			rt := cmdx.New(cmdx.Configuration{})
			last := time.Now()
			rt.Telemetry().Subscribe(cmdx.EventTaskRetried, func(e cmdx.Event) {
				Expect(e.Payload["delay"]).To(Equal(time.Since(last)), "the event tells what was waited")
				list = append(list, time.Since(last)/time.Second)
				last = time.Now()
			})
			rt.Execute(bg, task(failing(nil)), nil)
			Expect(list).To(HaveLen(5))
			return list
		}

		DescribeTable("grow as their jitter says",
			func(task func(charger) cmdx.Task, seconds ...int) {
				want := make([]time.Duration, len(seconds))
				for i, s := range seconds {
					want[i] = time.Duration(s)
				}
				Expect(pauses(task)).To(Equal(want))
			},
			Entry("none", bubble(), func(c charger) cmdx.Task { return &pauseNone{pauseBase{c}} }, 10, 10, 10, 10, 10),
			Entry("exponential", bubble(), func(c charger) cmdx.Task { return &pauseExponential{pauseBase{c}} }, 10, 20, 40, 80, 160),
			Entry("linear", bubble(), func(c charger) cmdx.Task { return &pauseLinear{pauseBase{c}} }, 10, 20, 30, 40, 50),
			Entry("fibonacci", bubble(), func(c charger) cmdx.Task { return &pauseFibonacci{pauseBase{c}} }, 10, 10, 20, 30, 50),
			Entry("cut to MaxDelay", bubble(), func(c charger) cmdx.Task { return &pauseCut{pauseExponential{pauseBase{c}}} }, 10, 20, 35, 35, 35),
			Entry("a negative answer is no pause", bubble(), func(c charger) cmdx.Task { return &pauseNegative{pauseBase{c}} }, 0, 0, 0, 0, 0),
		)

		DescribeTable("are drawn within bounds",
			func(task func(charger) cmdx.Task, low, high time.Duration) {
				for range 50 {
					for _, p := range pauses(task) {
						Expect(p).To(And(BeNumerically(">=", low), BeNumerically("<=", high)))
					}
				}
			},
			Entry("half random", bubble(), func(c charger) cmdx.Task { return &pauseHalf{pauseBase{c}} }, time.Duration(5), time.Duration(10)),
			Entry("full random", bubble(), func(c charger) cmdx.Task { return &pauseFull{pauseBase{c}} }, time.Duration(0), time.Duration(10)),
			Entry("bounded random", bubble(), func(c charger) cmdx.Task { return &pauseBounded{pauseBase{c}} }, time.Duration(10), time.Duration(20)),
		)

		It("of decorrelated jitter grow from each other", func() {
			for range 50 {
				prev := 10 * time.Second
				for _, p := range pauses(func(c charger) cmdx.Task { return &pauseDecorrelated{pauseBase{c}} }) {
					Expect(p * time.Second).To(And(BeNumerically(">=", 10*time.Second-time.Second), BeNumerically("<=", 3*prev)))
					prev = (p + 1) * time.Second
				}
			}
		}, bubble())

		It("are what a function of the application makes of attempt, delay and previous pause", func() {
			rt := cmdx.New(cmdx.Configuration{})
			var delays []any
			rt.Telemetry().Subscribe(cmdx.EventTaskRetried, func(e cmdx.Event) { delays = append(delays, e.Payload["delay"]) })
			rt.Execute(bg, &chargeJittered{charger: failing(nil), Live: true}, nil)
			Expect(delays).To(Equal([]any{2 * time.Second, 3*time.Second + 1}))
		}, bubble())
	})

	Context("and the caller's ctx", func() {
		errLeft := errors.New("the caller left")

		It("ending during a pause end it, and both errors are found", func() {
			ctx, cancel := context.WithCancelCause(bg)
			defer cancel(nil)
			start := time.Now()
			stop := time.AfterFunc(90*time.Second, func() { cancel(errLeft) })
			defer stop.Stop()
			r := cmdx.New(cmdx.Configuration{}).Execute(ctx, &chargeWaiting{failing(nil)}, nil)
			Expect(time.Since(start)).To(Equal(90 * time.Second))
			Expect(r).To(cmdxtest.BeFailed())
			Expect(r.Reason()).To(HavePrefix("[fmt.wrapError] try 2: busy"))
			Expect(errors.Is(r.Err(), errBusy)).To(BeTrue())
			Expect(errors.Is(r.Err(), errLeft)).To(BeTrue())
			Expect(r.Retries()).To(Equal(1))
		}, bubble())

		It("passing its deadline during a pause, too", func() {
			ctx, cancel := context.WithTimeout(bg, time.Second)
			defer cancel()
			r := cmdx.New(cmdx.Configuration{}).Execute(ctx, &chargeWaiting{failing(nil)}, nil)
			Expect(errors.Is(r.Err(), errBusy)).To(BeTrue())
			Expect(errors.Is(r.Err(), context.DeadlineExceeded)).To(BeTrue())
		}, bubble())

		It("ended while Work ran: nothing is called for the retry that will not happen", func() {
			ctx, cancel := context.WithCancelCause(bg)
			task := &chargeAsked{
				charger: charger{Times: -1, Fails: func(*charger) error { cancel(errLeft); return errBusy }},
				Allow:   func(error, int) bool { Fail("the gate was asked"); return true },
			}
			r := cmdx.New(cmdx.Configuration{}).Execute(ctx, task, nil)
			Expect(errors.Is(r.Err(), errBusy)).To(BeTrue())
			Expect(errors.Is(r.Err(), errLeft)).To(BeTrue())
		})

		It("ended while Work succeeded: a success stays one", func() {
			ctx, cancel := context.WithCancel(bg)
			r := cmdx.New(cmdx.Configuration{}).Execute(ctx, do(func(context.Context, *doing) error { cancel(); return nil }), nil)
			Expect(r).To(cmdxtest.BeSuccess())
		})

		It("ended before Work: the run fails with ctx's cause and Work is not run", func() {
			ctx, cancel := context.WithCancelCause(bg)
			cancel(errLeft)
			seen := &doTrack{}
			r := cmdx.New(cmdx.Configuration{}).Execute(ctx, &chargeWaiting{failing(seen)}, nil)
			Expect(r.Cause()).To(Equal(errLeft))
			Expect(seen.all()).To(BeEmpty())
		})

		It("alive: an error that reads like its end is retried like any other", func() {
			r := run(&chargeFourTimes{charger{Times: 1, Fails: func(*charger) error { return context.Canceled }}})
			Expect(r).To(cmdxtest.BeSuccess())
			Expect(r.Retries()).To(Equal(1))
		})
	})

	Context("between attempts", func() {
		It("typed fields, context and metadata survive", func() {
			r := run(&chargeFourTimes{charger{Times: 3, Fails: func(t *charger) error {
				seen, _ := cmdx.Get[int](t.Context(), "seen")
				t.Context().Set("seen", seen+1)
				t.Metadata()["tries"] = t.Tries
				return errBusy
			}}})
			Expect(r.Task().(*chargeFourTimes).Tries).To(Equal(4))
			Expect(r.Context().MustGet("seen")).To(Equal(3))
			Expect(r.Metadata()).To(HaveKeyWithValue("tries", 3))
		})

		It("what a raised attempt added to the errors is dropped", func() {
			r := run(&chargeFourTimes{charger{Times: 2, Fails: func(t *charger) error {
				t.Errors().Add("port", fmt.Sprint("was odd at ", t.Attempt()))
				return errBusy
			}}})
			Expect(r).To(cmdxtest.BeSuccess())
			Expect(r.Errors().Len()).To(Equal(0))
		})

		It("a signal that a raised attempt made is forgotten", func() {
			r := run(&chargeFourTimes{charger{Times: 2, Fails: func(t *charger) error { _ = t.Fail("old"); return errBusy }}})
			Expect(r).To(cmdxtest.BeSuccess().WithReason(""))
		})

		It("what the last attempt added stays in the result", func() {
			r := run(&chargeTwice{charger{Times: -1, Fails: func(t *charger) error {
				t.Errors().Add("port", fmt.Sprint("was odd at ", t.Attempt()))
				return errBusy
			}}})
			Expect(r.Errors().FullMessages()).To(Equal([]string{"port was odd at 1"}))
		})

		It("one template shares no state with another run", func() {
			template := &chargeFourTimes{charger{Times: 2}}
			for range 3 {
				r := run(template)
				Expect(r).To(cmdxtest.BeSuccess())
				Expect(r.Retries()).To(Equal(2))
			}
			Expect(template.Tries).To(Equal(0))
		})
	})

	It("emit task_retried for every try but the first, before it", func() {
		rt := cmdx.New(cmdx.Configuration{})
		seen := &doTrack{}
		rt.Telemetry().Subscribe(cmdx.EventTaskRetried, func(e cmdx.Event) { seen.add("retried %v", e.Payload["attempt"]) })
		rt.Execute(bg, &chargeFourTimes{charger{Seen: seen, Times: 2}}, nil)
		Expect(seen.all()).To(Equal([]string{"work 0", "retried 1", "work 1", "retried 2", "work 2"}))
	})

	It("end when the goroutine does", func() {
		seen := &doTrack{}
		Expect(doGoexit(func() {
			run(&chargeFourTimes{charger{Seen: seen, Times: -1, Fails: func(*charger) error { runtime.Goexit(); return nil }}})
		})).To(BeFalse())
		Expect(seen.all()).To(Equal([]string{"work 0"}))
	})
})
