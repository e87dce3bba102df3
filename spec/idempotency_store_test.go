package spec

import (
	"context"
	"errors"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// storeClosed fails closed, the default; storeOpen does not.
type (
	storeClosed struct{ idemWorker }
	storeOpen   struct{ idemWorker }
)

func (*storeClosed) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("id")) }

func (*storeOpen) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{OnStoreError: cmdx.FailOpen})
}

const (
	storeClosedKey = "cmdx:idem:storeClosed:k"
	storeOpenKey   = "cmdx:idem:storeOpen:k"
)

var errStoreAway = errors.New("connection refused")

// storeHooked lets a spec answer in the store's place.
type storeHooked struct {
	stores.Guards
	enter func(ctx context.Context, token stores.Token, entries []stores.Entry) (stores.Entered, error)
	leave func(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error)
}

func (s *storeHooked) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	if s.enter != nil {
		return s.enter(ctx, token, entries)
	}
	return s.Guards.Enter(ctx, token, entries, from)
}

func (s *storeHooked) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	if s.leave != nil {
		return s.leave(ctx, token, entries)
	}
	return s.Guards.Leave(ctx, token, entries)
}

var storeEvents = []cmdx.EventName{
	cmdx.EventIdempotencyClaimed, cmdx.EventIdempotencyCompleted, cmdx.EventIdempotencyDuplicate,
	cmdx.EventIdempotencyLost, cmdx.EventIdempotencyCompletionFailed,
	cmdx.EventIdempotencyReleaseFailed, cmdx.EventIdempotencyStoreFailed,
}

type storeCallerKey struct{}

var _ = Describe("A store that cannot answer", func() {
	var rig *idemRig

	BeforeEach(func() { rig = newIdemRig(storeEvents...) })

	closed := func(err error) *storeClosed { return &storeClosed{idemReturning(rig, err)} }
	open := func(err error) *storeOpen { return &storeOpen{idemReturning(rig, err)} }

	Context("before Work, failing closed", func() {
		BeforeEach(func() { rig.store.Fail(storetest.OpEnter, storetest.Always, errStoreAway) })

		It("fails the run with code, key and cause, without Work", func() {
			res := rig.run(closed(nil), "k")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(res.Metadata()).To(Equal(cmdx.Metadata{"code": "store_unavailable", "idempotency_key": storeClosedKey}))
			Expect(errors.Is(res.Cause(), errStoreAway)).To(BeTrue())
			Expect(errors.Is(res.Err(), errStoreAway)).To(BeTrue())
			Expect(rig.works()).To(BeZero())
		})

		It("emits and logs it", func() {
			rig.run(closed(nil), "k")
			Expect(rig.order()).To(Equal([]string{"idempotency_store_failed"}))
			Expect(rig.payloads(cmdx.EventIdempotencyStoreFailed)).To(Equal([]map[string]any{{
				"code": "store_unavailable", "idempotency_key": storeClosedKey, "error": errStoreAway, "policy": "fail_closed",
			}}))
			Expect(rig.logged("level=WARN")).To(ConsistOf(And(
				ContainSubstring(storeClosedKey), ContainSubstring("connection refused"))))
		})

		It("takes back what the store may have taken", func() {
			rig.run(closed(nil), "k")
			Expect(rig.store.Trace()).To(Equal([]string{"enter " + storeClosedKey, "take back " + storeClosedKey}))
			calls := rig.store.Calls()
			Expect(calls[1].Token).To(Equal(calls[0].Token))
		})

		It("works again as soon as the store does", func() {
			rig.run(closed(nil), "k")
			rig.store.Heal()
			Expect(rig.run(closed(nil), "k")).To(idemEnd("success"))
		})

		It("is asked for nothing by a run with a blank key", func() {
			Expect(rig.run(closed(nil), "")).To(idemEnd("success"))
		})

		It("is no accident that an enclosing task's AnyError tries again", func() {
			outer := 0
			rig.run(&idemRetriesAny{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				outer++
				return cmdx.Execute(ctx, &storeClosed{}, cmdx.Args{"id": "k"}).Err()
			})}, nil)
			Expect(outer).To(Equal(1))
		})
	})

	Context("before Work, failing open", func() {
		It("runs Work each time, and says so each time", func() {
			rig.store.Fail(storetest.OpEnter, storetest.Always, errStoreAway)
			for range 2 {
				Expect(rig.run(open(nil), "k")).To(idemEnd("success"))
			}
			Expect(rig.order()).To(Equal([]string{
				"idempotency_store_failed", "work", "idempotency_store_failed", "work",
			}))
			Expect(rig.payloads(cmdx.EventIdempotencyStoreFailed)).To(HaveEach(Equal(map[string]any{
				"code": "store_unavailable", "idempotency_key": storeOpenKey, "error": errStoreAway, "policy": "fail_open",
			})))
			Expect(rig.logged("level=WARN")).To(HaveLen(2))
		})

		It("completes by token what the store had taken all the same", func() {
			rig.store.LoseAnswer(storetest.OpEnter, storetest.Always)
			Expect(rig.run(open(nil), "k")).To(idemEnd("success"))
			Expect(rig.value(storeOpenKey)).To(Equal("completed"))
			Expect(rig.order()).To(Equal([]string{"idempotency_store_failed", "work", "idempotency_completed"}))
			Expect(rig.store.CallsOf(storetest.OpTakeBack)).To(BeEmpty())
		})

		It("releases by token after a failure", func() {
			rig.store.LoseAnswer(storetest.OpEnter, storetest.Always)
			rig.run(open(errIdemOutage), "k")
			Expect(rig.value(storeOpenKey)).To(BeEmpty())
		})

		It("touches nobody else's claim", func() {
			rig.run(&storeOpen{idemDoing(func(context.Context, *idemWorker) error {
				rig.store.Fail(storetest.OpEnter, 1, errStoreAway)
				rig.run(open(errIdemOutage), "k")
				Expect(rig.value(storeOpenKey)).To(Equal("processing"))
				return nil
			})}, "k")
			Expect(rig.value(storeOpenKey)).To(Equal("completed"))
		})

		It("still refuses duplicates while the store answers", func() {
			rig.run(open(nil), "k")
			Expect(rig.run(open(nil), "k")).To(idemEnd("skipped duplicate completed"))
		})

		It("says so when the success could not be marked either", bubble(), func() {
			rig := newIdemRig(storeEvents...)
			rig.store.Fail(storetest.OpEnter, storetest.Always, errStoreAway)
			rig.store.Fail(storetest.OpLeave, storetest.Always, errStoreAway)
			Expect(rig.run(&storeOpen{}, "k")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"idempotency_store_failed", "idempotency_completion_failed"}))
		})
	})

	Context("whose answer to the claim is lost", func() {
		It("does not make a caller the duplicate of itself", func() {
			rig.store.LoseAnswer(storetest.OpEnter, 1)
			Expect(rig.run(closed(nil), "k")).To(idemEnd("success"))
			Expect(rig.value(storeClosedKey)).To(Equal("completed"))
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "idempotency_completed"}))
			Expect(rig.store.Pending()).To(BeZero())
		})

		It("still tells a real duplicate", func() {
			rig.run(closed(nil), "k")
			rig.store.LoseAnswer(storetest.OpEnter, 1)
			Expect(rig.run(closed(nil), "k")).To(idemEnd("skipped duplicate completed"))
			Expect(rig.works()).To(Equal(1))
		})

		It("is asked again with the same token", func() {
			rig.store.LoseAnswer(storetest.OpEnter, 1)
			rig.run(closed(nil), "k")
			enters := rig.store.CallsOf(storetest.OpEnter)
			Expect(enters).To(HaveLen(2))
			Expect(enters[1].Token).To(Equal(enters[0].Token))
		})

		It("fails closed when it stays lost, and the key is free for the next run", func() {
			rig.store.LoseAnswer(storetest.OpEnter, storetest.Always)
			res := rig.run(closed(nil), "k")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(errors.Is(res.Cause(), stores.ErrAnswerLost)).To(BeTrue())
			Expect(rig.value(storeClosedKey)).To(BeEmpty())
			rig.store.Heal()
			Expect(rig.run(closed(nil), "k")).To(idemEnd("success"))
			Expect(rig.works()).To(Equal(1))
		})

		It("leaves the owner's claim alone when it stays lost", func() {
			rig.run(closed(nil), "k")
			rig.store.LoseAnswer(storetest.OpEnter, storetest.Always)
			Expect(rig.run(closed(nil), "k")).To(idemEnd("failed store_unavailable"))
			Expect(rig.value(storeClosedKey)).To(Equal("completed"))
		})
	})

	Context("whose answer to the leaving is lost", func() {
		It("completes once as far as anybody sees", bubble(), func() {
			rig := newIdemRig(storeEvents...)
			rig.store.LoseAnswer(storetest.OpLeave, 1)
			Expect(rig.run(&storeClosed{}, "k")).To(idemEnd("success"))
			Expect(rig.value(storeClosedKey)).To(Equal("completed"))
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "idempotency_completed"}))
			Expect(rig.logged("level=WARN")).To(BeEmpty())
		})

		It("releases without telling of a loss", bubble(), func() {
			rig := newIdemRig(storeEvents...)
			rig.store.LoseAnswer(storetest.OpLeave, 1)
			Expect(rig.run(&storeClosed{idemReturning(rig, errIdemOutage)}, "k")).To(idemEnd("failed"))
			Expect(rig.value(storeClosedKey)).To(BeEmpty())
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work"}))
		})

		It("does not delete the claim that somebody took after the release", bubble(), func() {
			rig := newIdemRig()
			lost := false
			hooked := &storeHooked{Guards: rig.store}
			hooked.leave = func(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
				answers, err := rig.store.Leave(ctx, token, entries)
				if !lost {
					lost = true
					_, _ = rig.memory.Set(ctx, storeClosedKey, "processing", stores.SetOptions{TTL: time.Minute})
					return nil, stores.ErrAnswerLost
				}
				return answers, err
			}
			rig.Runtime = cmdx.New(cmdx.Configuration{Store: hooked})
			rig.run(&storeClosed{idemReturning(rig, errIdemOutage)}, "k")
			Expect(rig.value(storeClosedKey)).To(Equal("processing"))
		})
	})

	Context("when a success is to be marked", func() {
		It("is tried three times within a second, and the success stays one", bubble(), func() {
			rig := newIdemRig(storeEvents...)
			rig.store.Fail(storetest.OpLeave, storetest.Always, errStoreAway)
			began := time.Now()
			Expect(rig.run(&storeClosed{idemReturning(rig, nil)}, "k")).To(idemEnd("success"))
			Expect(time.Since(began)).To(BeNumerically("<=", time.Second))
			Expect(rig.store.CallsOf(storetest.OpLeave)).To(HaveLen(3))
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "idempotency_completion_failed"}))
			Expect(rig.payloads(cmdx.EventIdempotencyCompletionFailed)).To(Equal([]map[string]any{{
				"idempotency_key": storeClosedKey, "error": errStoreAway,
			}}))
			Expect(rig.logged("level=WARN")).To(ConsistOf(ContainSubstring(storeClosedKey)))
		})

		It("is marked by the third try", bubble(), func() {
			rig := newIdemRig(storeEvents...)
			rig.store.Fail(storetest.OpLeave, 2, errStoreAway)
			rig.run(&storeClosed{}, "k")
			Expect(rig.value(storeClosedKey)).To(Equal("completed"))
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "idempotency_completed"}))
		})

		It("is tried again too when only the entry has an error of its own", bubble(), func() {
			rig := newIdemRig(storeEvents...)
			rig.store.FailEntry(storetest.OpLeave, storeClosedKey, 2, errStoreAway)
			rig.run(&storeClosed{}, "k")
			Expect(rig.value(storeClosedKey)).To(Equal("completed"))
			rig.memory.Delete(context.Background(), storeClosedKey)
			rig.store.FailEntry(storetest.OpLeave, storeClosedKey, 3, errStoreAway)
			Expect(rig.run(&storeClosed{}, "k")).To(idemEnd("success"))
			Expect(rig.payloads(cmdx.EventIdempotencyCompletionFailed)).To(HaveLen(1))
		})

		It("keeps the key held until the ttl ends when it was never marked", bubble(), func() {
			rig := newIdemRig()
			rig.store.Fail(storetest.OpLeave, storetest.Always, errStoreAway)
			rig.run(&storeClosed{}, "k")
			Expect(rig.run(&storeClosed{}, "k")).To(idemEnd("skipped duplicate processing"))
		})

		It("ends after five seconds when the store hangs", bubble(), func() {
			rig := newIdemRig(storeEvents...)
			rig.store.Hang(storetest.OpLeave, storetest.Always)
			began := time.Now()
			Expect(rig.run(&storeClosed{}, "k")).To(idemEnd("success"))
			Expect(time.Since(began)).To(Equal(5 * time.Second))
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "idempotency_completion_failed"}))
		})

		It("keeps the success when the store panics or answers nonsense", bubble(), func() {
			for _, leave := range []func(context.Context, stores.Token, []stores.Entry) ([]stores.Answer, error){
				func(context.Context, stores.Token, []stores.Entry) ([]stores.Answer, error) { panic("closed client") },
				func(context.Context, stores.Token, []stores.Entry) ([]stores.Answer, error) { return nil, nil },
			} {
				rig := idemRigOver(func(f *storetest.Faulty) stores.Store { return &storeHooked{Guards: f, leave: leave} }, storeEvents...)
				Expect(rig.run(&storeClosed{}, "k")).To(idemEnd("success"))
				Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "idempotency_completion_failed"}))
			}
		})
	})

	Context("when a claim is to be released", func() {
		It("leaves the run's own outcome and cause, and says so", bubble(), func() {
			rig := newIdemRig(storeEvents...)
			rig.store.Fail(storetest.OpLeave, storetest.Always, errStoreAway)
			res := rig.run(&storeClosed{idemReturning(rig, errIdemOutage)}, "k")
			Expect(res).To(idemEnd("failed"))
			Expect(res.Cause()).To(BeIdenticalTo(errIdemOutage))
			Expect(rig.order()).To(Equal([]string{"idempotency_claimed", "work", "idempotency_release_failed"}))
			Expect(rig.payloads(cmdx.EventIdempotencyReleaseFailed)).To(Equal([]map[string]any{{
				"idempotency_key": storeClosedKey, "error": errStoreAway,
			}}))
			Expect(rig.logged("level=WARN")).To(ConsistOf(ContainSubstring(storeClosedKey)))
		})

		It("is tried until the store answers", bubble(), func() {
			rig := newIdemRig()
			rig.store.Fail(storetest.OpLeave, 2, errStoreAway)
			rig.run(&storeClosed{idemReturning(rig, errIdemOutage)}, "k")
			Expect(rig.value(storeClosedKey)).To(BeEmpty())
		})
	})

	Context("until the caller has gone", func() {
		gone := errors.New("the client hung up")

		hang := func(how func(*storetest.Faulty) <-chan storetest.Call, task func(idemWorker) cmdx.Task, key string) {
			rig := newIdemRig(storeEvents...)
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			hanging := how(rig.store)
			go func() {
				<-hanging
				cancel(gone)
			}()
			res := rig.Execute(ctx, task(idemReturning(rig, nil)), cmdx.Args{"id": "k"})
			Expect(res).To(idemEnd("failed"))
			Expect(res.Cause()).To(BeIdenticalTo(gone))
			Expect(res.Metadata()).NotTo(HaveKey("code"))
			Expect(rig.order()).To(BeEmpty())
			Expect(rig.store.CallsOf(storetest.OpTakeBack)).To(HaveLen(1))
			Expect(rig.value(key)).To(BeEmpty())
			Expect(rig.run(task(idemReturning(rig, nil)), "k")).To(idemEnd("success"))
		}

		before := func(f *storetest.Faulty) <-chan storetest.Call { return f.Hang(storetest.OpEnter, 1) }
		after := func(f *storetest.Faulty) <-chan storetest.Call { return f.HangAfter(storetest.OpEnter, 1) }
		closedTask := func(w idemWorker) cmdx.Task { return &storeClosed{w} }
		openTask := func(w idemWorker) cmdx.Task { return &storeOpen{w} }

		DescribeTable("gives ctx's cause, not store_unavailable, and takes back what was taken", hang,
			Entry("hanging before the claim", bubble(), before, closedTask, storeClosedKey),
			Entry("hanging after the claim", bubble(), after, closedTask, storeClosedKey),
			Entry("hanging before the claim, failing open", bubble(), before, openTask, storeOpenKey),
			Entry("hanging after the claim, failing open", bubble(), after, openTask, storeOpenKey),
		)

		It("tells a deadline's cause as well", bubble(), func() {
			rig := newIdemRig()
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			rig.store.Hang(storetest.OpEnter, 1)
			res := rig.Execute(ctx, &storeClosed{}, cmdx.Args{"id": "k"})
			Expect(res.Cause()).To(MatchError(context.DeadlineExceeded))
			Expect(res).To(idemEnd("failed"))
		})

		It("blames the store for a ctx error of the store's own", func() {
			rig.store.Fail(storetest.OpEnter, 1, context.DeadlineExceeded)
			Expect(rig.run(closed(nil), "k")).To(idemEnd("failed store_unavailable"))
		})

		It("is not asked at all by a caller who has gone before the first guard", func() {
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(gone)
			res := rig.Execute(ctx, closed(nil), cmdx.Args{"id": "k"})
			Expect(res.Cause()).To(BeIdenticalTo(gone))
			Expect(res).To(idemEnd("failed"))
			Expect(rig.store.Calls()).To(BeEmpty())
			Expect(rig.works()).To(BeZero())
		})
	})

	Context("that panics or answers nonsense", func() {
		DescribeTable("fails the run without Work, and the next run works",
			func(enter func(context.Context, stores.Token, []stores.Entry) (stores.Entered, error)) {
				hooked := &storeHooked{}
				rig := idemRigOver(func(f *storetest.Faulty) stores.Store { hooked.Guards = f; return hooked })
				hooked.enter = func(ctx context.Context, token stores.Token, entries []stores.Entry) (stores.Entered, error) {
					_, err := rig.store.Enter(ctx, token, entries, 0) // the command ran
					Expect(err).NotTo(HaveOccurred())
					return enter(ctx, token, entries)
				}
				idemApart(func() {
					defer GinkgoRecover()
					Expect(rig.run(&storeClosed{idemReturning(rig, nil)}, "k").IsFailed()).To(BeTrue())
				})
				Expect(rig.works()).To(BeZero())
				hooked.enter = nil
				Expect(rig.run(&storeClosed{idemReturning(rig, nil)}, "k")).To(idemEnd("success"))
			},
			Entry("a panic", func(context.Context, stores.Token, []stores.Entry) (stores.Entered, error) { panic("closed client") }),
			Entry("an unknown verdict", func(context.Context, stores.Token, []stores.Entry) (stores.Entered, error) {
				return stores.Entered{Verdict: 77}, nil
			}),
			Entry("the zero answer", func(context.Context, stores.Token, []stores.Entry) (stores.Entered, error) {
				return stores.Entered{}, nil
			}),
			Entry("an exit", func(context.Context, stores.Token, []stores.Entry) (stores.Entered, error) {
				runtime.Goexit()
				return stores.Entered{}, nil
			}),
		)
	})

	Context("that holds a foreign value under the key", func() {
		BeforeEach(func() {
			for _, key := range []string{storeClosedKey, storeOpenKey} {
				_, err := rig.memory.Set(context.Background(), key, "somebody's", stores.SetOptions{TTL: time.Minute})
				Expect(err).NotTo(HaveOccurred())
			}
		})

		It("fails closed with the cause, without Work or a deletion", func() {
			res := rig.run(closed(nil), "k")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(errors.Is(res.Cause(), stores.ErrForeignValue)).To(BeTrue())
			Expect(rig.works()).To(BeZero())
			Expect(rig.value(storeClosedKey)).To(Equal("somebody's"))
		})

		It("is stepped over when it fails open, and left as it is", func() {
			Expect(rig.run(open(nil), "k")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"idempotency_store_failed", "work"}))
			Expect(rig.value(storeOpenKey)).To(Equal("somebody's"))
		})
	})

	Context("that has the four verbs only", func() {
		plain := func() *idemRig {
			return idemRigOver(func(f *storetest.Faulty) stores.Store { return storetest.Plain(f) }, storeEvents...)
		}

		It("gives a clear error when the claim needs more", func() {
			rig := plain()
			res := rig.run(&storeClosed{idemReturning(rig, nil)}, "k")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(errors.Is(res.Cause(), stores.ErrUnsupported)).To(BeTrue())
			Expect(res.Reason()).To(And(ContainSubstring("storetest.plain"), ContainSubstring("stores.Guards")))
			Expect(rig.works()).To(BeZero())
			Expect(rig.store.Calls()).To(BeEmpty())
		})

		It("serves tasks without guards and runs without a key", func() {
			rig := plain()
			Expect(rig.run(&idemOuter{}, "k")).To(idemEnd("success"))
			Expect(rig.run(&storeClosed{}, "")).To(idemEnd("success"))
		})

		It("is stepped over when it fails open", func() {
			rig := plain()
			Expect(rig.run(&storeOpen{idemReturning(rig, nil)}, "k")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"idempotency_store_failed", "work"}))
		})
	})

	Describe("Clean-up after the caller has gone", func() {
		DescribeTable("happens on a live ctx with the caller's values and a deadline of its own",
			func(work func(cancel context.CancelFunc, ctx context.Context) error, state string) {
				type seen struct {
					value any
					err   error
					left  time.Duration
				}
				var leaving []seen
				hooked := &storeHooked{}
				rig := idemRigOver(func(f *storetest.Faulty) stores.Store { hooked.Guards = f; return hooked })
				hooked.leave = func(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
					deadline, _ := ctx.Deadline()
					leaving = append(leaving, seen{ctx.Value(storeCallerKey{}), ctx.Err(), time.Until(deadline)})
					select {
					case <-ctx.Done():
						return nil, ctx.Err()
					default:
					}
					return rig.store.Leave(ctx, token, entries)
				}
				ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), storeCallerKey{}, "caller"), time.Second)
				defer cancel()
				idemApart(func() {
					rig.Execute(ctx, &storeClosed{idemDoing(func(ctx context.Context, _ *idemWorker) error { return work(cancel, ctx) })}, cmdx.Args{"id": "k"})
				})
				Expect(leaving).To(Equal([]seen{{"caller", nil, 5 * time.Second}}))
				Expect(rig.value(storeClosedKey)).To(Equal(state))
			},
			Entry("while Work went on to succeed", bubble(), func(cancel context.CancelFunc, _ context.Context) error { cancel(); return nil }, "completed"),
			Entry("with ctx's error", bubble(), func(cancel context.CancelFunc, ctx context.Context) error { cancel(); return ctx.Err() }, ""),
			Entry("by a deadline", bubble(), func(_ context.CancelFunc, ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, ""),
			Entry("before a panic", bubble(), func(cancel context.CancelFunc, _ context.Context) error { cancel(); panic("broken") }, ""),
			Entry("before Goexit", bubble(), func(cancel context.CancelFunc, _ context.Context) error { cancel(); runtime.Goexit(); return nil }, ""),
		)
	})

	Describe("The three answers", func() {
		It("look different: held, caller gone, store broken", func() {
			rig.run(closed(nil), "k")
			held := rig.run(closed(nil), "k")
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			left := rig.Execute(ctx, closed(nil), cmdx.Args{"id": "k"})
			rig.store.Fail(storetest.OpEnter, 1, errStoreAway)
			broken := rig.run(closed(nil), "k")
			Expect(held).To(idemEnd("skipped duplicate completed"))
			Expect(held.Cause()).To(BeNil())
			Expect(left).To(idemEnd("failed"))
			Expect(left.Cause()).To(MatchError(context.Canceled))
			Expect(broken).To(idemEnd("failed store_unavailable"))
			Expect(rig.value(storeClosedKey)).To(Equal("completed"))
		})
	})
})
