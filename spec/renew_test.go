package spec

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// The claims of this page live three seconds, so they are renewed after one
// and given up after two.
const renewTTL = 3 * time.Second

type renewImport struct{ idemWorker }

func (*renewImport) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{ProcessingTTL: renewTTL, Renew: cmdx.On})
}

const renewKey = "cmdx:idem:renewImport:k"

// renewRetried pauses for longer than its claim would live.
type renewRetried struct{ idemWorker }

func (*renewRetried) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{ProcessingTTL: renewTTL, Renew: cmdx.On})
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 3, Delay: 10 * time.Second, Jitter: cmdx.NoJitter})
}

const renewRetriedKey = "cmdx:idem:renewRetried:k"

type renewOff struct{ renewImport }

func (*renewOff) Configure(c *cmdx.Config) { c.IdempotentBy(nil, cmdx.Idempotency{Renew: cmdx.Off}) }

type renewInherited struct{ renewImport }

func (*renewInherited) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{ProcessingTTL: 6 * time.Second})
}

type renewUnsaid struct{ idemWorker }

func (*renewUnsaid) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{ProcessingTTL: renewTTL})
}

type renewOpen struct{ idemWorker }

func (*renewOpen) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{
		ProcessingTTL: renewTTL, Renew: cmdx.On, OnStoreError: cmdx.FailOpen,
	})
}

var errRenewOutage = errors.New("the source is away")

// renewRig is an idemRig that knows when the store was asked to extend, since
// its own beginning.
type renewRig struct {
	*idemRig
	began time.Time

	mu    sync.Mutex
	times []time.Duration
	later sync.WaitGroup
}

func newRenewRig() *renewRig {
	return newRenewRigOver(nil)
}

func newRenewRigOver(over func(*storetest.Faulty) stores.Store) *renewRig {
	r := &renewRig{
		idemRig: idemRigOver(over, cmdx.EventIdempotencyClaimed, cmdx.EventIdempotencyCompleted,
			cmdx.EventIdempotencyLost, cmdx.EventIdempotencyCompletionFailed),
		began: time.Now(),
	}
	r.store.Watch(func(c storetest.Call) {
		if c.Op == storetest.OpExtend {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.times = append(r.times, time.Since(r.began))
		}
	})
	return r
}

// extended are the times of the renewals so far.
func (r *renewRig) extended() []time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]time.Duration{}, r.times...)
}

// working is a Work that is noted and does f.
func (r *renewRig) working(f func(ctx context.Context) error) idemWorker {
	return idemDoing(func(ctx context.Context, _ *idemWorker) error {
		r.note("work")
		return f(ctx)
	})
}

// lasting is a Work of that duration, which its ctx does not end.
func (r *renewRig) lasting(d time.Duration, err error) idemWorker {
	return r.working(func(context.Context) error {
		time.Sleep(d)
		return err
	})
}

// renewEnding is a Work that goes on until its ctx ends, and notes why and
// when.
func (r *renewRig) renewEnding(end *renewEnd, err error) idemWorker {
	return r.working(func(ctx context.Context) error {
		select {
		case <-ctx.Done():
		case <-time.After(time.Hour):
		}
		end.cause, end.after = context.Cause(ctx), time.Since(r.began)
		return err
	})
}

type renewEnd struct {
	cause error
	after time.Duration
}

// at does f that long after the rig's beginning; what it writes may be read
// after wait.
func (r *renewRig) at(d time.Duration, f func()) {
	r.later.Add(1)
	time.AfterFunc(d-time.Since(r.began), func() {
		defer r.later.Done()
		f()
	})
}

func (r *renewRig) wait() { r.later.Wait() }

func (r *renewRig) deleteByHand(key string) {
	if _, err := r.memory.Delete(context.Background(), key); err != nil {
		panic(err)
	}
}

// renewLost matches the error that says of a claim that it was lost.
func renewLost(key string) types.GomegaMatcher {
	return WithTransform(func(err error) string {
		var lost *cmdx.LeaseLostError
		if !errors.As(err, &lost) {
			return fmt.Sprintf("nothing lost in %v", err)
		}
		return lost.Feature + " " + lost.Key
	}, Equal("claim "+key))
}

// renewHeartbeats counts the goroutines that renew.
func renewHeartbeats() int {
	stacks := make([]byte, 1<<22)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "task.(*heartbeat).run(")
}

func renewSeconds(all ...float64) []time.Duration {
	times := []time.Duration{}
	for _, s := range all {
		times = append(times, time.Duration(s*float64(time.Second)))
	}
	return times
}

// renewAnswers is a store whose Extend answers what a spec says.
type renewAnswers struct {
	*storetest.Faulty
	extend func() ([]stores.Answer, error)
}

func (s *renewAnswers) Extend(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	if s.extend == nil {
		return s.Faulty.Extend(ctx, token, entries)
	}
	return s.extend()
}

var _ = Describe("Renew", func() {
	Describe("A claim that is renewed", func() {
		It("is held for as long as Work runs, however short it would live", bubble(), func() {
			rig := newRenewRig()
			var between [3]*cmdx.Result
			for i, s := range []time.Duration{2, 4, 8} {
				rig.at(s*time.Second+time.Millisecond, func() { between[i] = rig.run(&renewImport{}, "k") })
			}
			Expect(rig.run(&renewImport{rig.lasting(10*time.Second, nil)}, "k")).To(idemEnd("success"))
			rig.wait()
			Expect(between).To(HaveEach(idemEnd("skipped duplicate processing")))
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "idempotency_completed"}))
		})

		It("is renewed after every third of its lifetime", bubble(), func() {
			rig := newRenewRig()
			rig.run(&renewImport{rig.lasting(4500*time.Millisecond, nil)}, "k")
			Expect(rig.extended()).To(Equal(renewSeconds(1, 2, 3, 4)))
		})

		It("leaves Work's ctx alone", bubble(), func() {
			rig := newRenewRig()
			var err error
			rig.run(&renewImport{rig.working(func(ctx context.Context) error {
				time.Sleep(10 * time.Second)
				err = ctx.Err()
				return nil
			})}, "k")
			Expect(err).NotTo(HaveOccurred())
		})

		It("costs short work nothing", bubble(), func() {
			rig := newRenewRig()
			rig.run(&renewImport{rig.lasting(999*time.Millisecond, nil)}, "k")
			Expect(rig.extended()).To(BeEmpty())
		})

		It("is renewed in the pauses between attempts too", bubble(), func() {
			rig := newRenewRig()
			var between [4]*cmdx.Result
			for i, s := range []time.Duration{4, 9, 14, 19} {
				rig.at(s*time.Second, func() { between[i] = rig.run(&renewRetried{}, "k") })
			}
			res := rig.run(&renewRetried{idemDoing(func(_ context.Context, w *idemWorker) error {
				rig.note("work")
				if w.Attempt() < 2 {
					return errRenewOutage
				}
				return nil
			})}, "k")
			Expect(res).To(idemEnd("success"))
			Expect(time.Since(rig.began)).To(Equal(20 * time.Second))
			rig.wait()
			Expect(between).To(HaveEach(idemEnd("skipped duplicate processing")))
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "work", "work", "idempotency_completed"}))
		})

		It("is held until Work has returned when the caller leaves, and Work's ctx ends with the caller's cause", bubble(), func() {
			rig := newRenewRig()
			left := errors.New("the caller left")
			ctx, cancel := context.WithCancelCause(context.Background())
			rig.at(time.Second/2, func() { cancel(left) })
			var cause error
			var during *cmdx.Result
			rig.at(8*time.Second, func() { during = rig.run(&renewImport{}, "k") })
			res := rig.Execute(ctx, &renewImport{rig.working(func(ctx context.Context) error {
				<-ctx.Done()
				cause = context.Cause(ctx)
				time.Sleep(10 * time.Second)
				return nil
			})}, cmdx.Args{"id": "k"})
			rig.wait()
			Expect(cause).To(Equal(left))
			Expect(during).To(idemEnd("skipped duplicate processing"))
			Expect(res).To(idemEnd("success"))
		})
	})

	Describe("The end of the run", func() {
		DescribeTable("ends the renewal, before the claim is left",
			func(end func() error, status string) {
				rig := newRenewRig()
				idemApart(func() {
					rig.run(&renewImport{rig.working(func(context.Context) error {
						time.Sleep(1500 * time.Millisecond)
						return end()
					})}, "k")
				})
				Expect(rig.store.Trace()).To(Equal([]string{
					"enter " + renewKey, "extend " + renewKey, "leave " + renewKey + "=" + status,
				}))
				Expect(renewHeartbeats()).To(BeZero())
				time.Sleep(time.Minute)
				Expect(rig.extended()).To(Equal(renewSeconds(1)))
			},
			Entry("after a success", bubble(), func() error { return nil }, "complete"),
			Entry("after a raised error", bubble(), func() error { return errRenewOutage }, "release"),
			Entry("after a panic", bubble(), func() error { panic("broken") }, "release"),
			Entry("after Goexit", bubble(), func() error { runtime.Goexit(); return nil }, "release"),
		)

		It("ends a renewal that hangs", bubble(), func() {
			rig := newRenewRig()
			rig.store.Hang(storetest.OpExtend, storetest.Always)
			Expect(rig.run(&renewImport{rig.lasting(1500*time.Millisecond, nil)}, "k")).To(idemEnd("success"))
			Expect(time.Since(rig.began)).To(Equal(1500 * time.Millisecond))
			Expect(renewHeartbeats()).To(BeZero())
			Expect(rig.value(renewKey)).To(Equal("completed"))
		})

		It("ends Work's ctx, so that nothing derived of it goes on", bubble(), func() {
			rig := newRenewRig()
			var work context.Context
			rig.run(&renewImport{rig.working(func(ctx context.Context) error { work = ctx; return nil })}, "k")
			Expect(work.Err()).To(MatchError(context.Canceled))
		})

		It("has nothing renewed after the loop has ended in a refusal", bubble(), func() {
			rig := newRenewRig()
			first := make(chan struct{})
			go func() {
				defer close(first)
				rig.run(&renewImport{rig.lasting(500*time.Millisecond, nil)}, "k")
			}()
			time.Sleep(100 * time.Millisecond)
			Expect(rig.run(&renewImport{}, "k")).To(idemEnd("skipped duplicate processing"))
			Expect(renewHeartbeats()).To(Equal(1)) // the first one's
			<-first
		})
	})

	Describe("A renewal that fails", func() {
		It("is tried again, and Work hears nothing of it", bubble(), func() {
			rig := newRenewRig()
			rig.store.Fail(storetest.OpExtend, 2, errStoreAway)
			var err error
			res := rig.run(&renewImport{rig.working(func(ctx context.Context) error {
				time.Sleep(5 * time.Second)
				err = ctx.Err()
				return nil
			})}, "k")
			Expect(res).To(idemEnd("success"))
			Expect(err).NotTo(HaveOccurred())
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "idempotency_completed"}))
			times := rig.extended()
			Expect(times[0]).To(Equal(time.Second))
			Expect(times[2]).To(BeNumerically("<", 2*time.Second)) // three tries before the last third
			Expect(times[3]).To(Equal(times[2] + time.Second))     // and from then on as ever
		})

		DescribeTable("ends Work's ctx when the last third of the lifetime begins, with the store's error",
			func(plan func(*storetest.Faulty)) {
				rig := newRenewRig()
				plan(rig.store)
				var end renewEnd
				rig.run(&renewImport{rig.renewEnding(&end, nil)}, "k")
				Expect(end.cause).To(And(renewLost(renewKey), MatchError(errStoreAway)))
				Expect(end.after).To(Equal(2 * time.Second))
			},
			Entry("of the call", bubble(), func(f *storetest.Faulty) { f.Fail(storetest.OpExtend, storetest.Always, errStoreAway) }),
			Entry("of the entry", bubble(), func(f *storetest.Faulty) {
				f.FailEntry(storetest.OpExtend, renewKey, storetest.Always, errStoreAway)
			}),
		)

		DescribeTable("by hanging ends Work's ctx in the last third, well before the claim itself ends",
			func(plan func(*storetest.Faulty)) {
				rig := newRenewRig()
				plan(rig.store)
				var end renewEnd
				rig.run(&renewImport{rig.renewEnding(&end, nil)}, "k")
				Expect(end.cause).To(renewLost(renewKey))
				Expect(end.after).To(And(BeNumerically(">=", 2*time.Second), BeNumerically("<=", 2500*time.Millisecond)))
			},
			Entry("from the first on", bubble(), func(f *storetest.Faulty) { f.Hang(storetest.OpExtend, storetest.Always) }),
			Entry("from the second on", bubble(), func(f *storetest.Faulty) {
				f.Fail(storetest.OpExtend, 1, errStoreAway)
				f.Hang(storetest.OpExtend, storetest.Always)
			}),
		)

		It("by hanging once leaves time for another try", bubble(), func() {
			rig := newRenewRig()
			rig.store.Hang(storetest.OpExtend, 1)
			var err error
			rig.run(&renewImport{rig.working(func(ctx context.Context) error {
				time.Sleep(5 * time.Second)
				err = ctx.Err()
				return nil
			})}, "k")
			Expect(err).NotTo(HaveOccurred())
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "idempotency_completed"}))
		})

		It("counts from the last one that succeeded", bubble(), func() {
			rig := newRenewRig()
			rig.at(3500*time.Millisecond, func() { rig.store.Fail(storetest.OpExtend, storetest.Always, errStoreAway) })
			var end renewEnd
			rig.run(&renewImport{rig.renewEnding(&end, nil)}, "k")
			Expect(end.cause).To(renewLost(renewKey))
			Expect(end.after).To(Equal(5 * time.Second))
		})

		DescribeTable("is one that the store's panic or nonsense makes",
			func(extend func() ([]stores.Answer, error)) {
				answers := &renewAnswers{extend: extend}
				rig := newRenewRigOver(func(f *storetest.Faulty) stores.Store { answers.Faulty = f; return answers })
				var end renewEnd
				res := rig.run(&renewImport{rig.renewEnding(&end, nil)}, "k")
				Expect(res).To(idemEnd("success"))
				Expect(end.cause).To(renewLost(renewKey))
				Expect(end.after).To(Equal(2 * time.Second))
			},
			Entry("a panic", bubble(), func() ([]stores.Answer, error) { panic("closed client") }),
			Entry("no answer", bubble(), func() ([]stores.Answer, error) { return nil, nil }),
			Entry("an unknown outcome", bubble(), func() ([]stores.Answer, error) { return make([]stores.Answer, 1), nil }),
			Entry("an answer too many", bubble(), func() ([]stores.Answer, error) {
				return []stores.Answer{{Outcome: stores.OutcomeDone}, {Outcome: stores.OutcomeDone}}, nil
			}),
		)

		It("keeps a success whose claim was still there: it is completed by its token", bubble(), func() {
			rig := newRenewRig()
			rig.store.Fail(storetest.OpExtend, storetest.Always, errStoreAway)
			var end renewEnd
			Expect(rig.run(&renewImport{rig.renewEnding(&end, nil)}, "k")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "idempotency_completed"}))
			Expect(rig.value(renewKey)).To(Equal("completed"))
		})
	})

	Describe("A claim that is lost", func() {
		losses := []struct {
			name string
			lose func(*renewRig, string)
		}{
			{"because somebody deleted it", func(rig *renewRig, key string) { rig.deleteByHand(key) }},
			{"because somebody else has taken it", func(rig *renewRig, key string) {
				rig.deleteByHand(key)
				if _, err := rig.memory.Set(context.Background(), key, "processing", stores.SetOptions{TTL: time.Hour, NX: true}); err != nil {
					panic(err)
				}
			}},
		}
		for _, loss := range losses {
			Context(loss.name, func() {
				It("ends Work's ctx with the loss as its cause, at the next renewal", bubble(), func() {
					rig := newRenewRig()
					rig.at(1500*time.Millisecond, func() { loss.lose(rig, renewKey) })
					var end renewEnd
					rig.run(&renewImport{rig.renewEnding(&end, nil)}, "k")
					Expect(end.cause).To(renewLost(renewKey))
					Expect(end.after).To(Equal(2 * time.Second))
					Expect(rig.extended()).To(Equal(renewSeconds(1, 2))) // what is lost is not asked for again
				})

				It("leaves a success a success, and tells of the loss", bubble(), func() {
					rig := newRenewRig()
					rig.at(1500*time.Millisecond, func() { loss.lose(rig, renewKey) })
					Expect(rig.run(&renewImport{rig.lasting(5*time.Second, nil)}, "k")).To(idemEnd("success"))
					Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "idempotency_lost"}))
					Expect(rig.payloads(cmdx.EventIdempotencyLost)).To(Equal([]map[string]any{{"idempotency_key": renewKey}}))
				})

				It("ends the retry loop: the last error and the loss are the cause", bubble(), func() {
					rig := newRenewRig()
					rig.at(1500*time.Millisecond, func() { loss.lose(rig, renewRetriedKey) })
					var end renewEnd
					res := rig.run(&renewRetried{rig.renewEnding(&end, errRenewOutage)}, "k")
					Expect(res).To(idemEnd("failed"))
					Expect(errors.Is(res.Cause(), errRenewOutage)).To(BeTrue())
					Expect(res.Cause()).To(renewLost(renewRetriedKey))
					Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "idempotency_lost"}))
					Expect(time.Since(rig.began)).To(Equal(2 * time.Second))
				})

				It("ends a retry's pause at once", bubble(), func() {
					rig := newRenewRig()
					rig.at(1500*time.Millisecond, func() { loss.lose(rig, renewRetriedKey) })
					res := rig.run(&renewRetried{rig.lasting(0, errRenewOutage)}, "k")
					Expect(res).To(idemEnd("failed"))
					Expect(errors.Is(res.Cause(), errRenewOutage)).To(BeTrue())
					Expect(res.Cause()).To(renewLost(renewRetriedKey))
					Expect(rig.works()).To(Equal(1))
					Expect(time.Since(rig.began)).To(Equal(2 * time.Second))
				})

				It("is not retried when Work raises the loss itself", bubble(), func() {
					rig := newRenewRig()
					rig.at(1500*time.Millisecond, func() { loss.lose(rig, renewRetriedKey) })
					res := rig.run(&renewRetried{rig.working(func(ctx context.Context) error {
						<-ctx.Done()
						return context.Cause(ctx)
					})}, "k")
					Expect(res.Cause()).To(renewLost(renewRetriedKey))
					Expect(rig.works()).To(Equal(1))
				})
			})
		}

		It("is not touched any more: the one who has it keeps it, and its end", bubble(), func() {
			rig := newRenewRig()
			second := make(chan *cmdx.Result, 1)
			rig.at(1500*time.Millisecond, func() {
				rig.deleteByHand(renewKey)
				second <- rig.run(&renewImport{rig.lasting(4*time.Second, nil)}, "k") // until 5.5 s
			})
			rig.at(3*time.Second+time.Millisecond, func() { rig.note("is " + rig.value(renewKey)) })
			Expect(rig.run(&renewImport{rig.lasting(2500*time.Millisecond, errRenewOutage)}, "k")).To(idemEnd("failed"))
			Expect(<-second).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{
				"idempotency_claimed", "work", "idempotency_claimed", "work",
				"idempotency_lost", "is processing", "idempotency_completed",
			}))
			Expect(rig.value(renewKey)).To(Equal("completed"))
		})

		It("is no accident that an enclosing task's AnyError tries again", bubble(), func() {
			rig := newRenewRig()
			rig.at(1500*time.Millisecond, func() { rig.deleteByHand(renewRetriedKey) })
			outer := 0
			rig.run(&idemRetriesAny{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				outer++
				return cmdx.Execute(ctx, &renewRetried{rig.lasting(0, errRenewOutage)}, cmdx.Args{"id": "k"}).Err()
			})}, nil)
			Expect(outer).To(Equal(1))
		})
	})

	Describe("On and Off", func() {
		It("is off unless somebody says On: the claim ends with its lifetime", bubble(), func() {
			rig := newRenewRig()
			var after *cmdx.Result
			rig.at(renewTTL+time.Millisecond, func() { after = rig.run(&renewUnsaid{}, "k") })
			Expect(rig.run(&renewUnsaid{rig.lasting(5*time.Second, nil)}, "k")).To(idemEnd("success"))
			rig.wait()
			Expect(after).To(idemEnd("success"))
			Expect(rig.extended()).To(BeEmpty())
		})

		It("is turned off again by a child's Off, its lifetime and resolver kept", bubble(), func() {
			rig := newRenewRig()
			var before, after *cmdx.Result
			rig.at(renewTTL-time.Millisecond, func() { before = rig.run(&renewOff{}, "k") })
			rig.at(renewTTL+time.Millisecond, func() { after = rig.run(&renewOff{}, "k") })
			rig.run(&renewOff{renewImport{rig.lasting(5*time.Second, nil)}}, "k")
			rig.wait()
			Expect(before).To(idemEnd("skipped duplicate processing"))
			Expect(after).To(idemEnd("success"))
			Expect(rig.extended()).To(BeEmpty())
		})

		It("stays on for a child that does not speak of it, in thirds of the child's lifetime", bubble(), func() {
			rig := newRenewRig()
			rig.run(&renewInherited{renewImport{rig.lasting(5*time.Second, nil)}}, "k")
			Expect(rig.extended()).To(Equal(renewSeconds(2, 4)))
		})

		It("leaves the parent on", bubble(), func() {
			rig := newRenewRig()
			rig.run(&renewOff{}, "k")
			rig.run(&renewImport{rig.lasting(1500*time.Millisecond, nil)}, "k")
			Expect(rig.extended()).To(Equal(renewSeconds(1)))
		})

		It("renews nothing for a run whose key is blank", bubble(), func() {
			rig := newRenewRig()
			rig.run(&renewImport{rig.lasting(5*time.Second, nil)}, "")
			Expect(rig.store.Trace()).To(BeEmpty())
		})

		It("renews nothing that was stepped over, and does not end Work for it", bubble(), func() {
			rig := newRenewRig()
			rig.store.Fail(storetest.OpEnter, 1, errStoreAway)
			var err error
			res := rig.run(&renewOpen{rig.working(func(ctx context.Context) error {
				time.Sleep(5 * time.Second)
				err = ctx.Err()
				return nil
			})}, "k")
			Expect(res).To(idemEnd("success"))
			Expect(err).NotTo(HaveOccurred())
			Expect(rig.extended()).To(BeEmpty())
		})
	})
})
