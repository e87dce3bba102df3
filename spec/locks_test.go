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

const (
	lockTTL  = 3 * time.Second
	lockWait = 10 * time.Second
)

// The tasks of this page lock the account with the id that they are given.
type (
	lockTransfer struct{ idemWorker }
	lockWaiting  struct{ idemWorker }
	lockSkipping struct{ lockTransfer }
	lockGated    struct{ lockTransfer }
	lockRenewed  struct{ lockTransfer }
	lockRetried  struct{ lockTransfer }
	lockOff      struct{ lockTransfer }
	lockDeposit  struct{ lockShared }
	lockWithdraw struct{ lockShared }
	lockShared   struct{ idemWorker }
	lockOnce     struct{ lockWaiting }
)

func (*lockTransfer) Configure(c *cmdx.Config) {
	c.LockWith(cmdx.FromContext("id"), cmdx.Lock{TTL: lockTTL})
}

func (*lockWaiting) Configure(c *cmdx.Config) {
	c.LockWith(cmdx.FromContext("id"), cmdx.Lock{TTL: lockTTL, Wait: lockWait})
}

func (*lockSkipping) Configure(c *cmdx.Config) {
	c.LockWith(nil, cmdx.Lock{OnConflict: cmdx.PolicySkip})
}

func (*lockGated) Configure(c *cmdx.Config) {
	c.LockWith(nil, cmdx.Lock{Unless: cmdx.When(func(t *lockGated) bool { return t.Context().Has("free") })})
}

func (*lockRenewed) Configure(c *cmdx.Config) { c.LockWith(nil, cmdx.Lock{Renew: cmdx.On}) }

func (*lockRetried) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 3, Delay: 2 * time.Second, Jitter: cmdx.NoJitter})
}

func (*lockOff) Configure(c *cmdx.Config) { c.LockWith(cmdx.Disabled) }

func (*lockShared) Configure(c *cmdx.Config) {
	c.LockWith(cmdx.FromContext("id"), cmdx.Lock{Scope: "spec.account", TTL: lockTTL})
}

func (*lockOnce) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("id")) }

const (
	lockTransferKey = "cmdx:lock:lockTransfer:acc"
	lockWaitingKey  = "cmdx:lock:lockWaiting:acc"
	lockRenewedKey  = "cmdx:lock:lockRenewed:acc"
)

var lockEvents = []cmdx.EventName{
	cmdx.EventLockAcquired, cmdx.EventLockConflict, cmdx.EventLockReleased,
	cmdx.EventLockLost, cmdx.EventLockReleaseFailed, cmdx.EventLockStoreFailed,
}

func lockTransferring(w idemWorker) cmdx.Task      { return &lockTransfer{w} }
func lockWaitingTask(w idemWorker) cmdx.Task       { return &lockWaiting{w} }
func lockDepositing(w idemWorker) cmdx.Task        { return &lockDeposit{lockShared{w}} }
func lockFor(after time.Duration, f func()) func() { return func() { time.Sleep(after); f() } }

var _ = Describe("Locks", func() {
	var rig *idemRig

	BeforeEach(func() { rig = newIdemRig(lockEvents...) })

	Describe("A run", func() {
		It("holds the key while Work is under way, under its token", func() {
			rig.run(&lockTransfer{idemDoing(func(context.Context, *idemWorker) error {
				Expect(rig.value(lockTransferKey)).To(Equal(rig.store.CallsOf(storetest.OpEnter)[0].Token.String()))
				return nil
			})}, "acc")
			Expect(rig.value(lockTransferKey)).To(BeEmpty())
		})

		It("tells when it takes the lock and when it gives it back", func() {
			rig.run(&lockTransfer{idemReturning(rig, nil)}, "acc")
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "work", "lock_released"}))
			for _, name := range []cmdx.EventName{cmdx.EventLockAcquired, cmdx.EventLockReleased} {
				Expect(rig.payloads(name)).To(Equal([]map[string]any{{"lock_key": lockTransferKey}}))
			}
		})

		It("asks the store twice: once to enter, once to leave", func() {
			rig.run(&lockTransfer{}, "acc")
			Expect(rig.store.Trace()).To(Equal([]string{"enter " + lockTransferKey, "leave " + lockTransferKey + "=release"}))
		})

		It("goes on without a lock when the key is blank", func() {
			for _, id := range []any{nil, "", (*string)(nil)} {
				Expect(rig.run(&lockTransfer{}, id)).To(idemEnd("success"))
			}
			Expect(rig.store.Trace()).To(BeEmpty())
		})

		It("lets runs of other keys and other tasks alone", func() {
			end := rig.occupy(lockTransferring, "acc")
			Expect(rig.run(&lockTransfer{}, "other")).To(idemEnd("success"))
			Expect(rig.run(&lockWaiting{}, "acc")).To(idemEnd("success"))
			Expect(end()).To(idemEnd("success"))
		})

		It("runs again with the same key: a lock is not once", func() {
			for range 2 {
				Expect(rig.run(&lockTransfer{idemReturning(rig, nil)}, "acc")).To(idemEnd("success"))
			}
			Expect(rig.works()).To(Equal(2))
		})

		DescribeTable("gives the lock back on every way out",
			func(work func(w *idemWorker) error) {
				idemApart(func() {
					rig.run(&lockTransfer{idemDoing(func(_ context.Context, w *idemWorker) error { return work(w) })}, "acc")
				})
				Expect(rig.value(lockTransferKey)).To(BeEmpty())
				Expect(rig.run(&lockTransfer{}, "acc")).To(idemEnd("success"))
			},
			Entry("success", func(*idemWorker) error { return nil }),
			Entry("a raised error", func(*idemWorker) error { return errIdemOutage }),
			Entry("Skip", func(w *idemWorker) error { return w.Skip("closed") }),
			Entry("Fail", func(w *idemWorker) error { return w.Fail("no") }),
			Entry("an added error", func(w *idemWorker) error { w.Errors().Add("id", "is wrong"); return nil }),
			Entry("a panic", func(*idemWorker) error { panic("broken") }),
			Entry("a panic with nil", func(*idemWorker) error { panic(nil) }),
			Entry("Goexit", func(*idemWorker) error { runtime.Goexit(); return nil }),
		)
	})

	Describe("A conflict", func() {
		var res *cmdx.Result

		JustBeforeEach(func() {
			end := rig.occupy(lockTransferring, "acc")
			res = rig.run(&lockTransfer{idemReturning(rig, nil)}, "acc")
			Expect(end()).To(idemEnd("success"))
		})

		It("fails at once with code, key and the time until the lock ends", func() {
			Expect(res).To(idemEnd("failed locked"))
			Expect(res.Reason()).To(Equal("locked: another run holds the lock"))
			Expect(res.Metadata()).To(HaveKeyWithValue("lock_key", lockTransferKey))
			Expect(res.Metadata()["retry_after"]).To(BeNumerically("~", lockTTL, time.Second))
			Expect(res.Cause()).NotTo(HaveOccurred())
			Expect(rig.works()).To(BeZero())
		})

		It("tells what the metadata hold", func() {
			Expect(rig.payloads(cmdx.EventLockConflict)).To(Equal([]map[string]any{res.Metadata()}))
		})

		It("leaves the other run's lock alone", func() {
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "lock_conflict", "lock_released"}))
			Expect(rig.store.CallsOf(storetest.OpLeave)).To(HaveLen(1))
		})
	})

	Describe("The policy", func() {
		It("can skip the run that finds the lock held", func() {
			rig.enterByHand(guardLock("cmdx:lock:lockSkipping:acc", time.Minute))
			Expect(rig.run(&lockSkipping{}, "acc")).To(idemEnd("skipped locked"))
		})

		It("takes any value under the key for somebody's", func() {
			_, err := rig.memory.Set(context.Background(), lockTransferKey, "deploy in progress", stores.SetOptions{TTL: time.Minute})
			Expect(err).NotTo(HaveOccurred())
			Expect(rig.run(&lockTransfer{}, "acc")).To(idemEnd("failed locked"))
			Expect(rig.value(lockTransferKey)).To(Equal("deploy in progress"))
		})
	})

	Describe("Gates and layers", func() {
		It("lets a run go on without a lock when a gate says so", func() {
			rig.enterByHand(guardLock("cmdx:lock:lockGated:acc", time.Minute))
			Expect(rig.run(&lockGated{}, "acc")).To(idemEnd("failed locked"))
			Expect(rig.Execute(context.Background(), &lockGated{}, cmdx.Args{"id": "acc", "free": true})).To(idemEnd("success"))
		})

		It("is off in a child that says Disabled, without a step and without the store", func() {
			Expect(rig.run(&lockOff{}, "acc")).To(idemEnd("success"))
			Expect(rig.store.Trace()).To(BeEmpty())
			definition, err := cmdx.DefinitionOf(&lockOff{})
			Expect(err).NotTo(HaveOccurred())
			Expect(definition.Steps()).To(Equal([]string{"retry loop { Work }"}))
			Expect(definition.LockKey()).To(BeNil())
			Expect(definition.Lock().TTL).To(Equal(lockTTL))
		})

		It("merges options over the inherited ones", func() {
			definition, err := cmdx.DefinitionOf(&lockSkipping{})
			Expect(err).NotTo(HaveOccurred())
			Expect(definition.Lock()).To(Equal(cmdx.Lock{
				TTL: lockTTL, Wait: cmdx.NoWait, Renew: cmdx.Off, Namespace: "cmdx:lock", OnConflict: cmdx.PolicySkip, Settle: cmdx.AfterPipeline,
				If: cmdx.Always, Unless: cmdx.Never, OnStoreError: cmdx.FailClosed,
			}))
		})
	})

	Describe("A scope", func() {
		It("lets several task types share one lock", func() {
			end := rig.occupy(lockDepositing, "acc")
			res := rig.run(&lockWithdraw{}, "acc")
			Expect(res).To(idemEnd("failed locked"))
			Expect(res.Metadata()).To(HaveKeyWithValue("lock_key", "cmdx:lock:spec.account:acc"))
			end()
			Expect(rig.run(&lockWithdraw{}, "acc")).To(idemEnd("success"))
		})
	})

	Describe("Waiting", func() {
		It("wins the lock soon after it is given back", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			end := rig.occupy(lockWaitingTask, "acc")
			go lockFor(2*time.Second, func() { end() })()
			began := time.Now()
			Expect(rig.run(&lockWaiting{idemReturning(rig, nil)}, "acc")).To(idemEnd("success"))
			Expect(time.Since(began)).To(And(BeNumerically(">=", 2*time.Second), BeNumerically("<=", 2500*time.Millisecond)))
			Expect(rig.payloads(cmdx.EventLockConflict)).To(BeEmpty())
		})

		It("asks with pauses that grow, differ and are not too short", bubble(), func() {
			rig := newIdemRig()
			rig.enterByHand(guardLock(lockWaitingKey, time.Hour))
			var asked []time.Time
			rig.store.Watch(func(storetest.Call) { asked = append(asked, time.Now()) })
			Expect(rig.run(&lockWaiting{}, "acc")).To(idemEnd("failed locked"))

			var pauses []time.Duration
			for i := range asked[1:] {
				pauses = append(pauses, asked[i+1].Sub(asked[i]))
			}
			Expect(len(pauses)).To(BeNumerically("<", 60))
			last := len(pauses) - 1 // it is cut to the end of the wait
			Expect(pauses[:last]).To(HaveEach(And(BeNumerically(">=", 5*time.Millisecond), BeNumerically("<=", 500*time.Millisecond))))
			Expect(pauses[0]).To(BeNumerically("<=", 10*time.Millisecond))
			Expect(pauses[last-1]).To(BeNumerically(">=", 250*time.Millisecond))
			distinct := map[time.Duration]bool{}
			for _, p := range pauses[last/2 : last] {
				distinct[p] = true
			}
			Expect(len(distinct)).To(BeNumerically(">", 2), "%v", pauses)
		})

		It("tries once more at the end of the wait, and gives up then", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			rig.enterByHand(guardLock(lockWaitingKey, time.Hour))
			var last storetest.Call
			rig.store.Watch(func(c storetest.Call) { last = c })
			began := time.Now()
			res := rig.run(&lockWaiting{idemReturning(rig, nil)}, "acc")
			Expect(res).To(idemEnd("failed locked"))
			Expect(time.Since(began)).To(Equal(lockWait))
			Expect(last.Op).To(Equal(storetest.OpEnter))
			Expect(last.Entries[0].Wait).To(BeFalse())
			Expect(rig.order()).To(Equal([]string{"lock_conflict"}))
		})

		It("wins a lock that frees in the very moment in which the wait ends", bubble(), func() {
			rig := newIdemRig()
			rig.enterByHand(guardLock(lockWaitingKey, lockWait))
			Expect(rig.run(&lockWaiting{}, "acc")).To(idemEnd("success"))
		})

		It("has nothing to do with the ttl, which begins with the try that won", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			rig.enterByHand(guardLock(lockWaitingKey, 2*lockTTL))
			Expect(rig.run(&lockWaiting{idemDoing(func(context.Context, *idemWorker) error {
				time.Sleep(lockTTL - 10*time.Millisecond)
				Expect(rig.value(lockWaitingKey)).NotTo(BeEmpty())
				return nil
			})}, "acc")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "lock_released"}))
		})

		It("ends with the caller, whose reason it tells, and takes nothing", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			token, _ := rig.enterByHand(guardLock(lockWaitingKey, time.Hour))
			left := errors.New("the browser went away")
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(time.Second, func() { cancel(left) })
			began := time.Now()
			res := rig.Execute(ctx, &lockWaiting{idemReturning(rig, nil)}, cmdx.Args{"id": "acc"})
			Expect(time.Since(began)).To(Equal(time.Second))
			Expect(res).To(endFailed())
			Expect(res.Cause()).To(MatchError(left))
			Expect(res.Metadata()).NotTo(HaveKey("code"))
			Expect(rig.order()).To(BeEmpty())
			Expect(rig.value(lockWaitingKey)).To(Equal(token.String()))
		})

		It("gives back a lock that it wins in the moment in which the caller leaves", bubble(), func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			rig := idemRigOver(func(f *storetest.Faulty) stores.Store {
				return &storeHooked{Guards: f, enter: func(ctx context.Context, token stores.Token, entries []stores.Entry) (stores.Entered, error) {
					answer, err := f.Enter(ctx, token, entries, 0)
					cancel()
					return answer, err
				}}
			}, lockEvents...)
			res := rig.Execute(ctx, &lockWaiting{idemReturning(rig, nil)}, cmdx.Args{"id": "acc"})
			Expect(res.Cause()).To(MatchError(context.Canceled))
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "lock_released"}))
			Expect(rig.value(lockWaitingKey)).To(BeEmpty())
		})

		It("lets one at a time through, whoever waits", bubble(), func() {
			rig := newIdemRig()
			var mu sync.Mutex
			at, most, done := 0, 0, 0
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					rig.run(&lockWaiting{idemDoing(func(context.Context, *idemWorker) error {
						mu.Lock()
						at++
						most = max(most, at)
						mu.Unlock()
						time.Sleep(100 * time.Millisecond)
						mu.Lock()
						at--
						done++
						mu.Unlock()
						return nil
					})}, "acc")
				})
			}
			all.Wait()
			Expect(most).To(Equal(1))
			Expect(done).To(Equal(8))
		})

		It("is followed by the claim: who waited finds the work done", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			end := rig.occupy(func(w idemWorker) cmdx.Task { return &lockOnce{lockWaiting{w}} }, "acc")
			go lockFor(time.Second, func() { end() })()
			res := rig.run(&lockOnce{lockWaiting{idemReturning(rig, nil)}}, "acc")
			Expect(res).To(idemEnd("skipped duplicate completed"))
			Expect(rig.works()).To(BeZero())
			Expect(rig.value("cmdx:lock:lockOnce:acc")).To(BeEmpty())
		})
	})

	Describe("A lock that an enclosing run holds", func() {
		nested := func(ctx context.Context, rig *idemRig, task cmdx.Task) *cmdx.Result {
			return rig.Execute(ctx, task, cmdx.Args{"id": "acc"})
		}

		It("is a conflict at once, with a message that says so", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			var res *cmdx.Result
			began := time.Now()
			rig.run(&lockWaiting{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				res = nested(ctx, rig, &doing{work: func(ctx context.Context, _ *doing) error {
					return nested(ctx, rig, &lockWaiting{}).Err() // two runs further in
				}})
				return nil
			})}, "acc")
			Expect(time.Since(began)).To(BeZero())
			Expect(res.CausedFailure()).To(idemEnd("failed locked"))
			Expect(res.Reason()).To(And(ContainSubstring("the run of lockWaiting that encloses this one"), ContainSubstring("wait for itself")))
			Expect(res.CausedFailure().Metadata()).NotTo(HaveKey("retry_after"))
		})

		It("stays the enclosing run's", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			rig.run(&lockWaiting{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				before := rig.value(lockWaitingKey)
				nested(ctx, rig, &lockWaiting{})
				Expect(rig.value(lockWaitingKey)).To(Equal(before))
				return nil
			})}, "acc")
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "lock_conflict", "lock_released"}))
		})

		It("is waited for in another store, below Detach, and under another key", bubble(), func() {
			rig, other := newIdemRig(), newIdemRig()
			other.enterByHand(guardLock(lockWaitingKey, time.Second))
			var far, detached, elsewhere *cmdx.Result
			waited := time.Duration(0)
			began := time.Now()
			rig.run(&lockWaiting{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				far = nested(ctx, other, &lockWaiting{})
				elsewhere = rig.Execute(ctx, &lockWaiting{}, cmdx.Args{"id": "other"})
				detached = nested(cmdx.Detach(ctx), rig, &lockWaiting{})
				waited = time.Since(began)
				return nil
			})}, "acc")
			Expect([]*cmdx.Result{far, elsewhere}).To(HaveEach(idemEnd("success")))
			Expect(detached).To(idemEnd("success")) // the outer lock had ended by itself
			Expect(waited).To(BeNumerically("~", lockTTL, time.Second))
		})

		It("is none of a run beside it, which waits honestly", bubble(), func() {
			rig := newIdemRig()
			var results [2]*cmdx.Result
			rig.Execute(context.Background(), do(func(ctx context.Context, _ *doing) error {
				var both sync.WaitGroup
				for i := range results {
					both.Go(func() {
						results[i] = nested(ctx, rig, &lockWaiting{idemDoing(func(context.Context, *idemWorker) error {
							time.Sleep(time.Second)
							return nil
						})})
					})
				}
				both.Wait()
				return nil
			}), nil)
			Expect(results[:]).To(HaveEach(idemEnd("success")))
		})
	})

	Describe("A lock that ends while Work runs", func() {
		It("is told as lost, and the result stays what Work gave", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			res := rig.run(&lockTransfer{idemDoing(func(context.Context, *idemWorker) error {
				time.Sleep(2 * lockTTL)
				return nil
			})}, "acc")
			Expect(res).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "lock_lost"}))
			Expect(rig.payloads(cmdx.EventLockLost)).To(Equal([]map[string]any{{"lock_key": lockTransferKey}}))
			Expect(rig.logged(lockTransferKey)).NotTo(BeEmpty())
		})

		It("is not taken from the run that has it now", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			var next stores.Token
			rig.run(&lockTransfer{idemDoing(func(context.Context, *idemWorker) error {
				time.Sleep(2 * lockTTL)
				next, _ = rig.enterByHand(guardLock(lockTransferKey, time.Minute))
				return nil
			})}, "acc")
			Expect(rig.value(lockTransferKey)).To(Equal(next.String()))
		})

		It("lets no further attempt begin", bubble(), func() {
			rig := newIdemRig()
			res := rig.run(&lockRetried{lockTransfer{idemReturning(rig, errIdemOutage)}}, "acc")
			var lost *cmdx.LeaseLostError
			Expect(errors.As(res.Cause(), &lost)).To(BeTrue())
			Expect(lost.Feature).To(Equal("lock"))
			Expect(errors.Is(res.Cause(), errIdemOutage)).To(BeTrue())
			Expect(rig.works()).To(Equal(2))
		})
	})

	Describe("Renew", func() {
		It("keeps the lock for as long as Work takes", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			res := rig.run(&lockRenewed{lockTransfer{idemDoing(func(context.Context, *idemWorker) error {
				time.Sleep(5 * lockTTL)
				Expect(rig.value(lockRenewedKey)).NotTo(BeEmpty())
				return nil
			})}}, "acc")
			Expect(res).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "lock_released"}))
		})

		It("ends Work's ctx when the lock is lost", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			var cause error
			rig.run(&lockRenewed{lockTransfer{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				_, err := rig.memory.Delete(context.Background(), lockRenewedKey)
				Expect(err).NotTo(HaveOccurred())
				<-ctx.Done()
				cause = context.Cause(ctx)
				return nil
			})}}, "acc")
			Expect(cause).To(MatchError(&cmdx.LeaseLostError{Feature: "lock", Key: lockRenewedKey}))
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "lock_lost"}))
		})
	})

	Describe("A store that fails", func() {
		It("fails the run with the store's error", func() {
			rig.store.Fail(storetest.OpEnter, storetest.Always, errStoreAway)
			res := rig.run(&lockTransfer{idemReturning(rig, nil)}, "acc")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(res.Reason()).To(HavePrefix("the store cannot tell whether the lock is free: "))
			Expect(res.Metadata()).To(HaveKeyWithValue("lock_key", lockTransferKey))
			Expect(errors.Is(res.Cause(), errStoreAway)).To(BeTrue())
			Expect(rig.order()).To(Equal([]string{"lock_store_failed"}))
		})

		It("tells of a lock that could not be given back", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			rig.store.Fail(storetest.OpLeave, storetest.Always, errStoreAway)
			Expect(rig.run(&lockTransfer{}, "acc")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "lock_release_failed"}))
			Expect(rig.payloads(cmdx.EventLockReleaseFailed)).To(Equal([]map[string]any{{"lock_key": lockTransferKey, "error": errStoreAway}}))
		})

		It("does not make a run that lost its answer wait for itself", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			rig.store.LoseAnswer(storetest.OpEnter, 1)
			began := time.Now()
			Expect(rig.run(&lockWaiting{}, "acc")).To(idemEnd("success"))
			Expect(time.Since(began)).To(BeZero())
		})

		It("takes a release whose answer was lost for done", bubble(), func() {
			rig := newIdemRig(lockEvents...)
			rig.store.LoseAnswer(storetest.OpLeave, 1)
			Expect(rig.run(&lockTransfer{}, "acc")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"lock_acquired", "lock_released"}))
		})
	})
})
