package spec

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
)

var errRedisImpatient = errors.New("the caller lost patience")

// redisPatience is how long a caller waits for a server that does not answer,
// and redisPrompt how soon after that its call must have returned: moments are
// promised, and a go-redis left to itself takes three seconds.
const (
	redisPatience = 300 * time.Millisecond
	redisPrompt   = 700 * time.Millisecond
)

// redisCallers are the ways in which a caller leaves, each with the cause that
// its result must show.
var redisCallers = []any{
	Entry("until its deadline", func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(context.Background(), redisPatience)
	}, context.DeadlineExceeded),
	Entry("until its deadline with a cause", func() (context.Context, context.CancelFunc) {
		return context.WithTimeoutCause(context.Background(), redisPatience, errRedisImpatient)
	}, errRedisImpatient),
	Entry("until it is cancelled", func() (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancelCause(context.Background())
		timer := time.AfterFunc(redisPatience, func() { cancel(errRedisImpatient) })
		return ctx, func() { timer.Stop(); cancel(nil) }
	}, errRedisImpatient),
}

// leaves executes for a caller who leaves while the server is silent, and
// expects the caller's own cause, promptly and without Work.
func (r *redisRig) leaves(ctx context.Context, task cmdx.Task, cause error) {
	GinkgoHelper()
	ended := make(chan time.Time, 1)
	context.AfterFunc(ctx, func() { ended <- time.Now() })
	before := len(r.all())
	res := r.Execute(ctx, task, cmdx.Args{"id": "pay_1"})
	returned := time.Now()
	Expect(res).To(idemEnd("failed"))
	Expect(errors.Is(res.Cause(), cause)).To(BeTrue(), "the cause is %v", res.Cause())
	Expect(returned.Sub(<-ended)).To(BeNumerically("<", redisPrompt))
	Expect(r.all()[before:]).To(BeEmpty())
}

var _ = Describe("A store on Redis that does not answer", func() {
	clients := []struct {
		name    string
		options *redis.Options
	}{
		{"a client that repeats three times", redisOften},
		{"a client that sends once", redisOnce},
	}

	Describe("An answer lost after the deed", func() {
		for _, client := range clients {
			Context("with "+client.name, func() {
				var rig *redisRig
				BeforeEach(func() { rig = newRedisRig(client.options) })

				It("does not make a caller the duplicate of itself", func() {
					lost := rig.proxy.CutAfter(1)
					Expect(rig.run(&redisCharge{rig.work(nil)})).To(idemEnd("success"))
					Expect(lost).To(Receive())
					Expect(rig.all()).To(Equal([]string{"claimed", "work", "completed"}))
					Expect(rig.value(redisChargeKey)).To(Equal("completed"))
				})

				It("completes once as far as anybody sees", func() {
					var lost <-chan []string
					Expect(rig.run(&redisCharge{rig.doing(func(context.Context) error {
						lost = rig.proxy.CutAfter(1)
						return nil
					})})).To(idemEnd("success"))
					Expect(lost).To(Receive())
					Expect(rig.all()).To(Equal([]string{"claimed", "work", "completed"}))
					Expect(rig.run(&redisCharge{})).To(idemEnd("skipped duplicate completed"))
				})

				It("releases without telling of a loss", func() {
					var lost <-chan []string
					Expect(rig.run(&redisCharge{rig.doing(func(context.Context) error {
						lost = rig.proxy.CutAfter(1)
						return errRedisDeclined
					})})).To(idemEnd("failed"))
					Expect(lost).To(Receive())
					Expect(rig.all()).To(Equal([]string{"claimed", "work"}))
					rig.runsAgain()
				})

				It("still tells a real duplicate", func() {
					Expect(rig.other.SetNX(context.Background(), redisChargeKey, "processing", time.Minute).Result()).To(BeTrue())
					rig.proxy.CutAfter(1)
					Expect(rig.run(&redisCharge{rig.work(nil)})).To(idemEnd("skipped duplicate processing"))
				})

				It("still tells a claim that was taken away during Work", func() {
					rig.run(&redisCharge{rig.doing(func(ctx context.Context) error {
						return errors.Join(rig.other.Del(ctx, redisChargeKey).Err(), errRedisDeclined)
					})})
					Expect(rig.all()).To(Equal([]string{"claimed", "work", "lost"}))
				})
			})
		}
	})

	Describe("A request that never arrives", func() {
		for _, client := range clients {
			It("is sent again, with "+client.name, func() {
				rig := newRedisRig(client.options)
				cut := rig.proxy.CutBefore(1)
				Expect(rig.run(&redisCharge{rig.work(nil)})).To(idemEnd("success"))
				Expect(cut).To(Receive())
				Expect(rig.all()).To(Equal([]string{"claimed", "work", "completed"}))
			})
		}

		It("fails closed when none arrives, and leaves the key free", func() {
			rig := newRedisRig(redisOnce)
			rig.proxy.CutBefore(redistest.Every)
			res := rig.run(&redisCharge{rig.work(nil)})
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(errors.Is(res.Cause(), stores.ErrAnswerLost)).To(BeTrue())
			Expect(rig.all()).To(Equal([]string{"store_failed"}))
			rig.proxy.Pass()
			rig.settled()
			rig.runsAgain()
		})
	})

	Describe("A claim whose answer stays away", func() {
		var rig *redisRig
		BeforeEach(func() { rig = newRedisRig(nil) })

		DescribeTable("while the request is held up keeps its caller", append([]any{
			func(caller func() (context.Context, context.CancelFunc), cause error) {
				ctx, cancel := caller()
				defer cancel()
				hold := rig.proxy.Stall(1)
				rig.leaves(ctx, &redisCharge{rig.work(nil)}, cause)
				// The taking back is there before what it takes back.
				Eventually(rig.proxy.RoundTrips).WithTimeout(redisBound).Should(BeNumerically(">=", 2))
				hold.Release()
				rig.settled()
				Expect(rig.value(redisChargeKey)).To(BeEmpty())
				rig.runsAgain()
			}}, redisCallers...)...)

		DescribeTable("while the answer is held up keeps its caller", append([]any{
			func(caller func() (context.Context, context.CancelFunc), cause error) {
				ctx, cancel := caller()
				defer cancel()
				hold := rig.proxy.StallReplies(1)
				rig.leaves(ctx, &redisCharge{rig.work(nil)}, cause)
				Eventually(func() string { return rig.value(redisChargeKey) }).WithTimeout(redisBound).Should(BeEmpty())
				hold.Release()
				rig.settled()
				rig.runsAgain()
			}}, redisCallers...)...)

		DescribeTable("while the server stands still keeps its caller", append([]any{
			func(caller func() (context.Context, context.CancelFunc), cause error) {
				ctx, cancel := caller()
				defer cancel()
				rig.server.Pause()
				rig.leaves(ctx, &redisCharge{rig.work(nil)}, cause)
				rig.server.Resume()
				rig.settled()
				Expect(rig.value(redisChargeKey)).To(BeEmpty())
				rig.runsAgain()
			}}, redisCallers...)...)

		DescribeTable("while the server lets its clients wait keeps its caller", append([]any{
			func(caller func() (context.Context, context.CancelFunc), cause error) {
				ctx, cancel := caller()
				defer cancel()
				// Only writers are kept waiting, so that the pause can be ended.
				Expect(rig.other.Do(context.Background(), "CLIENT", "PAUSE", 60_000, "WRITE").Err()).To(Succeed())
				rig.leaves(ctx, &redisCharge{rig.work(nil)}, cause)
				Expect(rig.other.Do(context.Background(), "CLIENT", "UNPAUSE").Err()).To(Succeed())
				rig.settled()
				Expect(rig.value(redisChargeKey)).To(BeEmpty())
				rig.runsAgain()
			}}, redisCallers...)...)

		It("keeps a caller who fails open as short, and runs no Work for him", func() {
			ctx, cancel := context.WithTimeout(context.Background(), redisPatience)
			defer cancel()
			rig.server.Pause()
			rig.leaves(ctx, &redisOpenCharge{rig.work(nil)}, context.DeadlineExceeded)
			rig.server.Resume()
			rig.settled()
			Expect(rig.value(redisOpenKey)).To(BeEmpty())
		})

		It("is no claim of anybody else that the taking back could hit", func() {
			Expect(rig.other.SetNX(context.Background(), redisChargeKey, "processing", time.Hour).Result()).To(BeTrue())
			before := redisKeys(rig.other)
			ctx, cancel := context.WithTimeout(context.Background(), redisPatience)
			defer cancel()
			rig.server.Pause()
			rig.leaves(ctx, &redisCharge{rig.work(nil)}, context.DeadlineExceeded)
			rig.server.Resume()
			rig.settled()
			Expect(redisKeys(rig.other)).To(Equal(before))
		})
	})

	Describe("Close and Wait", func() {
		var (
			rig  *redisRig
			hold *redistest.Hold
		)
		BeforeEach(func() {
			rig = newRedisRig(nil)
			ctx, cancel := context.WithTimeout(context.Background(), redisPatience)
			defer cancel()
			hold = rig.proxy.Stall(redistest.Every)
			rig.leaves(ctx, &redisCharge{rig.work(nil)}, context.DeadlineExceeded)
		})

		DescribeTable("wait for what is to be taken back, until their ctx ends",
			func(wait func(context.Context) error) {
				brief, cancel := context.WithTimeoutCause(context.Background(), redisPatience, errRedisImpatient)
				defer cancel()
				Expect(wait(brief)).To(MatchError(errRedisImpatient))
				hold.Release()
				long, cancel := context.WithTimeout(context.Background(), redisBound)
				defer cancel()
				Expect(wait(long)).To(Succeed())
				Expect(rig.value(redisChargeKey)).To(BeEmpty())
			},
			Entry("Wait", func(ctx context.Context) error { return rig.store.Wait(ctx) }),
			Entry("Close", func(ctx context.Context) error { return rig.store.Close(ctx) }),
		)

		It("let nothing begin after a Close, and harm nobody twice", func() {
			hold.Release()
			for range 2 {
				ctx, cancel := context.WithTimeout(context.Background(), redisBound)
				defer cancel()
				Expect(rig.store.Close(ctx)).To(Succeed())
			}
			rig.proxy.Forget()
			res := rig.run(&redisCharge{rig.work(nil)})
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(errors.Is(res.Cause(), stores.ErrClosed)).To(BeTrue())
			Expect(rig.proxy.RoundTrips()).To(BeZero())
		})
	})

	It("leaves no goroutine behind a Close", func() {
		server := redistest.Start(GinkgoTB())
		before := goleak.IgnoreCurrent()
		client := redis.NewClient(&redis.Options{Addr: server.Addr()})
		store := stores.NewRedis(client)
		redisWarm(store)
		runtime := cmdx.New(cmdx.Configuration{Store: store})
		server.Pause()
		ctx, cancel := context.WithTimeout(context.Background(), redisPatience)
		defer cancel()
		returned := make(chan *cmdx.Result)
		for i := range 5 {
			go func() { returned <- runtime.Execute(ctx, &redisCharge{}, cmdx.Args{"id": i}) }()
		}
		for range 5 {
			Expect(<-returned).To(idemEnd("failed"))
		}
		server.Resume()
		long, cancelLong := context.WithTimeout(context.Background(), redisBound)
		defer cancelLong()
		Expect(store.Close(long)).To(Succeed())
		Expect(client.Close()).To(Succeed())
		cancel()
		cancelLong()
		Eventually(func() error { return goleak.Find(before) }).WithTimeout(redisBound).Should(Succeed())
	})
})

var _ = Describe("A store on Redis that answers with an error", func() {
	var rig *redisRig
	do := func(words ...any) {
		GinkgoHelper()
		Expect(rig.other.Do(context.Background(), words...).Err()).To(Succeed())
	}
	follow := func() { do("REPLICAOF", "127.0.0.1", "1") }
	lead := func() { do("REPLICAOF", "NO", "ONE") }
	type fault struct {
		text  string // what of the cause tells it, as an expression
		keys  func() // what lies under the keys meanwhile
		begin func()
		heal  func()
	}
	nothing := func() {}
	under := func(words ...any) func() {
		return func() {
			for _, key := range []string{redisChargeKey, redisOpenKey} {
				do(append([]any{words[0], key}, words[1:]...)...)
			}
		}
	}
	faults := []struct {
		name string
		fault
	}{
		{"a replica that only reads", fault{"READONLY", nothing, follow, lead}},
		{"a replica that has lost its master", fault{"MASTERDOWN", nothing, func() {
			rig.server.Config("replica-serve-stale-data", "no")
			follow()
		}, lead}},
		{"a server out of memory", fault{"OOM", nothing,
			func() { rig.server.Config("maxmemory", "1") }, func() { rig.server.Config("maxmemory", "0") }}},
		// A long command is refused before it is looked at.
		{"a server that asks for a password", fault{"NOAUTH|unauthenticated", nothing, func() {
			rig.server.Config("requirepass", "secret")
			do("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
		}, func() { rig.server.Config("requirepass", "") }}},
		{"a user who may not run scripts", fault{"NOPERM", nothing,
			func() { do("ACL", "SETUSER", "default", "-evalsha", "-eval") }, func() { do("ACL", "SETUSER", "default", "+@all") }}},
		{"another type under the key", fault{"WRONGTYPE", under("RPUSH", "a"), nothing, nothing}},
		{"a foreign value under the key", fault{"a value that is none of its kind", under("SET", "reserved", "EX", 3600), nothing, nothing}},
	}
	var entries []any
	for _, f := range faults {
		entries = append(entries, Entry(f.name, f.fault))
	}

	BeforeEach(func() {
		rig = newRedisRig(redisOnce)
		redisEnter(rig.store, stores.NewToken(), redisClaim("cmdx:idem:redisCharge:pay_2", 0)) // somebody else's
	})

	DescribeTable("fails closed with the cause: no Work, nothing deleted, nothing written", append([]any{
		func(f fault) {
			f.keys()
			before := redisKeys(rig.other)
			f.begin()
			res := rig.run(&redisCharge{rig.work(nil)})
			f.heal()
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(res.Metadata()).To(HaveKeyWithValue("idempotency_key", redisChargeKey))
			Expect(res.Cause()).To(MatchError(MatchRegexp(f.text)))
			Expect(rig.all()).To(Equal([]string{"store_failed"}))
			Expect(rig.payload(cmdx.EventIdempotencyStoreFailed)).To(HaveKeyWithValue("policy", "fail_closed"))
			rig.settled()
			Expect(redisKeys(rig.other)).To(Equal(before))
		}}, entries...)...)

	DescribeTable("runs Work all the same when the task fails open, and says so", append([]any{
		func(f fault) {
			f.keys()
			before := redisKeys(rig.other)
			f.begin()
			res := rig.run(&redisOpenCharge{rig.work(nil)})
			f.heal()
			Expect(res).To(idemEnd("success"))
			Expect(rig.all()[:2]).To(Equal([]string{"store_failed", "work"}))
			Expect(rig.payload(cmdx.EventIdempotencyStoreFailed)).To(HaveKeyWithValue("policy", "fail_open"))
			Expect(rig.log.text()).To(ContainSubstring("the store failed before Work"))
			rig.settled()
			Expect(redisKeys(rig.other)).To(Equal(before))
		}}, entries...)...)

	It("is asked again for a moment when it surely did nothing", func() {
		rig.server.Config("replica-serve-stale-data", "no")
		follow()
		rig.proxy.Forget()
		healed := make(chan struct{})
		go func() {
			defer GinkgoRecover()
			defer close(healed)
			Eventually(rig.proxy.RoundTrips).WithTimeout(redisBound).WithPolling(time.Millisecond).Should(BeNumerically(">=", 2))
			lead()
		}()
		Expect(rig.run(&redisCharge{rig.work(nil)})).To(idemEnd("success"))
		<-healed
		Expect(rig.all()).To(Equal([]string{"claimed", "work", "completed"}))
	})

	It("fails closed while it is loading, and works as soon as it has loaded", func() {
		// Each key takes a while to load, and clients are served in between.
		rig := newRedisRig(redisOnce, redistest.Setting("key-load-delay", "15000"),
			redistest.Setting("loading-process-events-interval-bytes", "1024"))
		for i := range 200 {
			Expect(rig.other.Set(context.Background(), fmt.Sprint("ballast", i), strings.Repeat("x", 4096)+fmt.Sprint(i), 0).Err()).To(Succeed())
		}
		Expect(rig.other.Do(context.Background(), "CONFIG", "SET", "rdbcompression", "no").Err()).To(Succeed())
		Expect(rig.other.Save(context.Background()).Err()).To(Succeed())
		loaded := make(chan struct{})
		go func() {
			defer GinkgoRecover()
			defer close(loaded)
			rig.server.Restart()
		}()
		once := rig.server.Client(redisOnce)
		Eventually(func() error { return once.Ping(context.Background()).Err() }).WithTimeout(redisBound).
			WithPolling(time.Millisecond).Should(MatchError(HavePrefix("LOADING")))
		res := rig.run(&redisCharge{rig.work(nil)})
		Expect(res).To(idemEnd("failed store_unavailable"))
		Expect(res.Cause()).To(MatchError(ContainSubstring("LOADING")))
		Expect(rig.all()).To(Equal([]string{"store_failed"}))
		<-loaded
		rig.settled()
		rig.runsAgain()
	})

	Describe("A run that fails open though its claim was taken", func() {
		// Every one of the sendings is done, and every answer is lost.
		open := func(outcome error) *cmdx.Result {
			rig.proxy.CutAfter(redistest.Every)
			return rig.run(&redisOpenCharge{rig.doing(func(context.Context) error {
				rig.proxy.Pass()
				return outcome
			})})
		}

		It("completes by its token", func() {
			Expect(open(nil)).To(idemEnd("success"))
			Expect(rig.all()).To(Equal([]string{"store_failed", "work", "completed"}))
			Expect(rig.run(&redisOpenCharge{})).To(idemEnd("skipped duplicate completed"))
		})

		It("releases by its token", func() {
			Expect(open(errRedisDeclined)).To(idemEnd("failed"))
			Expect(rig.all()).To(Equal([]string{"store_failed", "work"}))
			Expect(rig.value(redisOpenKey)).To(BeEmpty())
		})
	})
})

var _ = Describe("A success that Redis cannot mark", func() {
	It("is tried three times, reported, and stays a success", func() {
		rig := newRedisRig(redisOnce)
		res := rig.run(&redisCharge{rig.doing(func(context.Context) error {
			rig.proxy.CutBefore(redistest.Every)
			rig.proxy.Forget()
			return nil
		})})
		Expect(res).To(idemEnd("success"))
		Expect(rig.proxy.RoundTrips()).To(Equal(3))
		Expect(rig.all()).To(Equal([]string{"claimed", "work", "completion_failed"}))
		Expect(rig.payload(cmdx.EventIdempotencyCompletionFailed)).To(And(
			HaveKeyWithValue("idempotency_key", redisChargeKey),
			HaveKeyWithValue("error", MatchError(stores.ErrAnswerLost))))
		Expect(rig.log.text()).To(ContainSubstring("could not be marked as completed"))
		rig.proxy.Pass()
		Expect(rig.run(&redisCharge{})).To(idemEnd("skipped duplicate processing"))
	})

	It("is tried three times too when the server answers with an error", func() {
		rig := newRedisRig(redisOnce)
		res := rig.run(&redisCharge{rig.doing(func(context.Context) error {
			rig.server.Config("maxmemory", "1")
			rig.proxy.Forget()
			return nil
		})})
		Expect(res).To(idemEnd("success"))
		Expect(rig.proxy.RoundTrips()).To(Equal(3))
		Expect(rig.all()).To(Equal([]string{"claimed", "work", "completion_failed"}))
		Expect(rig.payload(cmdx.EventIdempotencyCompletionFailed)).To(HaveKeyWithValue("error", MatchError(ContainSubstring("OOM"))))
		Expect(rig.value(redisChargeKey)).To(Equal("processing"))
	})

	It("does not keep its caller longer than the clean-up's five seconds when the server stands still", func() {
		rig := newRedisRig(nil)
		var worked time.Time
		res := rig.run(&redisCharge{rig.doing(func(context.Context) error {
			rig.server.Pause()
			worked = time.Now()
			return nil
		})})
		Expect(time.Since(worked)).To(BeNumerically("<", 8*time.Second))
		Expect(res).To(idemEnd("success"))
		Expect(rig.all()).To(Equal([]string{"claimed", "work", "completion_failed"}))
		rig.server.Resume()
		rig.settled()
		Expect(rig.value(redisChargeKey)).NotTo(BeEmpty()) // never free for a second Work
	})

	It("says so of a release too, which leaves the run's own failure", func() {
		rig := newRedisRig(redisOnce)
		res := rig.run(&redisCharge{rig.doing(func(context.Context) error {
			rig.proxy.CutBefore(redistest.Every)
			return errRedisDeclined
		})})
		Expect(res).To(idemEnd("failed"))
		Expect(res.Cause()).To(MatchError(errRedisDeclined))
		Expect(rig.all()).To(Equal([]string{"claimed", "work", "release_failed"}))
	})

	It("is released all the same by a server that is only out of memory", func() {
		rig := newRedisRig(redisOnce)
		rig.run(&redisCharge{rig.doing(func(context.Context) error {
			rig.server.Config("maxmemory", "1")
			return errRedisDeclined
		})})
		Expect(rig.all()).To(Equal([]string{"claimed", "work"}))
		Expect(rig.value(redisChargeKey)).To(BeEmpty())
	})
})

var _ = Describe("A Redis that forgets its scripts, or is started again", func() {
	It("is handed the scripts anew, at every step", func() {
		rig := newRedisRig(redisOnce)
		flush := func() { Expect(rig.other.ScriptFlush(context.Background()).Err()).To(Succeed()) }
		flush()
		Expect(rig.run(&redisCharge{rig.doing(func(context.Context) error { flush(); return errRedisDeclined })})).To(idemEnd("failed"))
		flush()
		Expect(rig.run(&redisCharge{rig.doing(func(context.Context) error { flush(); return nil })})).To(idemEnd("success"))
		flush()
		Expect(rig.run(&redisCharge{})).To(idemEnd("skipped duplicate completed"))
		Expect(rig.all()).To(Equal([]string{"claimed", "work", "claimed", "work", "completed", "duplicate"}))
	})

	for _, client := range []struct {
		name    string
		options *redis.Options
	}{{"a client that repeats three times", redisOften}, {"a client that sends once", redisOnce}} {
		Context("with "+client.name, func() {
			It("still holds the claim of a run under way, when it keeps what it wrote", func() {
				rig := newRedisRig(client.options, redistest.AppendOnly())
				Expect(rig.run(&redisCharge{rig.doing(func(context.Context) error { rig.server.Restart(); return nil })})).To(idemEnd("success"))
				Expect(rig.all()).To(Equal([]string{"claimed", "work", "completed"}))
				Expect(rig.run(&redisCharge{})).To(idemEnd("skipped duplicate completed"))
			})

			It("has lost the claim of a run under way, when it keeps nothing: that is told, and nothing written", func() {
				rig := newRedisRig(client.options)
				Expect(rig.run(&redisCharge{rig.doing(func(context.Context) error { rig.server.Restart(); return nil })})).To(idemEnd("success"))
				Expect(rig.all()).To(Equal([]string{"claimed", "work", "lost"}))
				Expect(redisKeys(rig.other)).To(BeEmpty())
			})

			It("remembers a completion when it keeps what it wrote", func() {
				rig := newRedisRig(client.options, redistest.AppendOnly())
				rig.runsAgain()
				rig.server.Restart()
				Expect(rig.run(&redisCharge{})).To(idemEnd("skipped duplicate completed"))
			})

			It("runs Work again when it keeps nothing", func() {
				rig := newRedisRig(client.options)
				rig.runsAgain()
				rig.server.Restart()
				rig.runsAgain()
			})

			It("fails closed while it is away, and works as soon as it is back", func() {
				rig := newRedisRig(client.options)
				rig.server.Kill()
				Expect(rig.run(&redisCharge{rig.work(nil)})).To(idemEnd("failed store_unavailable"))
				Expect(rig.all()).To(Equal([]string{"store_failed"}))
				rig.server.Restart()
				rig.settled()
				rig.runsAgain()
			})

			It("is away when a success is to be marked: the claim is kept until its ttl ends", func() {
				rig := newRedisRig(client.options, redistest.AppendOnly())
				Expect(rig.run(&redisCharge{rig.doing(func(context.Context) error { rig.server.Kill(); return nil })})).To(idemEnd("success"))
				Expect(rig.all()).To(Equal([]string{"claimed", "work", "completion_failed"}))
				rig.server.Restart()
				Expect(rig.run(&redisCharge{})).To(idemEnd("skipped duplicate processing"))
			})
		})
	}
})
