package spec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
)

var _ = Describe("Guards on Redis", func() {
	Describe("Round trips", func() {
		var rig *redisRig
		trips := func(f func()) int {
			GinkgoHelper()
			rig.proxy.Forget()
			f()
			return rig.proxy.RoundTrips()
		}
		execute := func(args cmdx.Args, work redisWork) *cmdx.Result {
			return rig.Execute(context.Background(), &redisGuarded{work}, args)
		}
		BeforeEach(func() {
			rig = newRedisRig(redisOnce)
			Expect(execute(redisGuardArgs("warm"), redisWork{})).To(idemEnd("success")) // makes the scripts known
		})

		It("are one to enter all guards of a task and one to leave them", func() {
			entering := 0
			leaving := trips(func() {
				Expect(execute(redisGuardArgs("a"), rig.doing(func(context.Context) error {
					entering = rig.proxy.RoundTrips()
					rig.proxy.Forget()
					return nil
				}))).To(idemEnd("success"))
			})
			Expect([]int{entering, leaving}).To(Equal([]int{1, 1}))
		})

		It("are as many for a run that fails", func() {
			Expect(trips(func() {
				Expect(execute(redisGuardArgs("a"), rig.work(errRedisDeclined))).To(idemEnd("failed"))
			})).To(Equal(2))
		})

		DescribeTable("are one for a run that a guard refuses, whatever lies before it",
			func(shared, outcome string) {
				during, after := redisGuardArgs("during"), redisGuardArgs("after")
				after[shared] = during[shared]
				n := 0
				again := func() {
					n = trips(func() { Expect(execute(after, redisWork{})).To(idemEnd(outcome)) })
				}
				switch shared {
				case "rate":
					for range 3 {
						execute(redisGuardArgs("x", "rate", during["rate"].(string)), redisWork{})
					}
					again()
				case "breaker":
					for i := range 2 {
						execute(redisGuardArgs(strconv.Itoa(i), "breaker", during["breaker"].(string)), rig.work(errRedisDeclined))
					}
					again()
				default:
					Expect(execute(during, rig.doing(func(context.Context) error { again(); return nil }))).To(idemEnd("success"))
				}
				Expect(n).To(Equal(1))
			},
			Entry("its rate limit", "rate", "failed rate_limited"),
			Entry("its circuit breaker", "breaker", "failed circuit_open open"),
			Entry("its concurrency", "slot", "failed concurrency_limited"),
			Entry("its lock", "lock", "failed locked"),
			Entry("its claim", "id", "skipped duplicate processing"),
		)

		It("are one more for each look at a lock that is waited for", func() {
			const key = "cmdx:lock:Patient:lock_a"
			Expect(rig.other.Set(context.Background(), key, "somebody", time.Minute).Err()).To(Succeed())
			execution := make(chan *cmdx.Result)
			looked := 0
			work := rig.doing(func(context.Context) error { looked = rig.proxy.RoundTrips(); return nil })
			rig.proxy.Forget()
			go func() {
				execution <- rig.Execute(context.Background(), &redisPatient{redisGuarded{work}}, redisGuardArgs("a"))
			}()
			Eventually(rig.proxy.RoundTrips).WithTimeout(redisBound).WithPolling(time.Millisecond).Should(BeNumerically(">", 3))
			Expect(rig.other.ZCard(context.Background(), "cmdx:rate:Patient:rate_a").Val()).To(BeEquivalentTo(1))
			Expect(rig.other.Del(context.Background(), key).Err()).To(Succeed())
			Expect(<-execution).To(idemEnd("success"))
			Expect(rig.proxy.RoundTrips()).To(Equal(looked + 1))
			Expect(rig.other.ZCard(context.Background(), "cmdx:rate:Patient:rate_a").Val()).To(BeEquivalentTo(1))
		})
	})

	Describe("What lies in Redis while a run is under way", func() {
		It("is one key per guard and a few beside it, each with an end", func() {
			rig := newRedisRig(redisOnce)
			args := redisGuardArgs("a")
			keys := redisGuardKeys(args)
			kinds := map[string]string{}
			ends := map[string]time.Duration{}
			rig.Execute(context.Background(), &redisGuarded{rig.doing(func(ctx context.Context) error {
				for name, key := range redisKeys(rig.other) {
					kinds[name] = rig.other.Type(ctx, name).Val()
					ends[name] = time.Until(time.UnixMilli(key.Ends))
				}
				return nil
			})}, args)
			Expect(kinds).To(Equal(map[string]string{
				keys[0]: "zset", keys[2]: "zset", keys[3]: "string", keys[4]: "string", redisOwner(keys[4]): "string",
			}))
			Expect(ends).To(HaveEach(BeNumerically(">", 50*time.Second)))
			Expect(redisKeys(rig.other)).To(HaveKey("cmdx-told:2:{" + keys[1] + "}"))
			Expect(redisKeys(rig.other)).NotTo(HaveKey(keys[3]))
			redisEveryKeyEnds(rig.other)
		})

		It("is the token of the run under a lock, and any other value holds it too", func() {
			rig := newRedisRig(redisOnce)
			lock := redisEntries("a")[4:5]
			token := stores.NewToken()
			redisEnter(rig.store, token, lock)
			Expect(rig.value("lock:a")).To(Equal(token.String()))
			Expect(redisOutcomes(rig.store, token, lock)).To(Equal([]stores.Answer{{Outcome: stores.OutcomeDone}}))
			Expect(rig.other.RPush(context.Background(), "lock:a", "theirs").Err()).To(Succeed())
			Expect(redisAnswer(rig.store, token, lock)).To(Equal(stores.Entered{Verdict: stores.VerdictRefused}))
			Expect(redisOutcomes(rig.store, token, lock)).To(Equal([]stores.Answer{{Outcome: stores.OutcomeLost}}))
			Expect(rig.other.LRange(context.Background(), "lock:a", 0, -1).Val()).To(Equal([]string{"theirs"}))
		})

		It("is a hash under a circuit that has changed, which outlives its cool-off", func() {
			rig := newRedisRig(redisOnce)
			circuit := redisEntries("a")[2:3]
			circuit[0].Part = stores.PartFailure
			circuit[0].Admission.State = stores.BreakerClosed
			for range 2 {
				redisOutcomes(rig.store, stores.NewToken(), circuit)
			}
			hash := rig.other.HGetAll(context.Background(), "breaker:a").Val()
			Expect(hash).To(HaveKeyWithValue("state", "open"))
			Expect(hash).To(HaveKeyWithValue("period", "1"))
			Expect(rig.other.PTTL(context.Background(), "breaker:a").Val()).To(BeNumerically(">", 119*time.Second))
			Expect(redisKeys(rig.other)).To(HaveLen(1))
		})
	})

	Describe("A value of another program under a guard's key", func() {
		DescribeTable("fails closed: no Work, and it stays",
			func(at int, put func(ctx context.Context, client *redis.Client, key string) error, read func(*redis.Client, string) string) {
				rig := newRedisRig(redisOnce)
				args := redisGuardArgs("a")
				key := redisGuardKeys(args)[at]
				Expect(put(context.Background(), rig.other, key)).To(Succeed())
				before := read(rig.other, key)
				result := rig.Execute(context.Background(), &redisGuarded{rig.work(nil)}, args)
				Expect(result).To(idemEnd("failed store_unavailable"))
				Expect(result.Err()).To(MatchError(stores.ErrForeignValue))
				Expect(rig.all()).NotTo(ContainElement("work"))
				Expect(read(rig.other, key)).To(Equal(before))
			},
			Entry("a text under a rate", 0, redisPutText, redisValue),
			Entry("a text under a circuit", 1, redisPutText, redisValue),
			Entry("a hash of another program's under a circuit", 1, redisPutHash, redisHash),
			Entry("a text under places", 2, redisPutText, redisValue),
			Entry("a hash under a claim", 4, redisPutHash, redisHash),
		)
	})

	Describe("Scripts", func() {
		It("survive that the server forgets them, at every step", func() {
			rig := newRedisRig(redisOnce)
			flush := func() { Expect(rig.other.ScriptFlush(context.Background()).Err()).To(Succeed()) }
			for i := range 3 {
				flush()
				Expect(rig.Execute(context.Background(), &redisGuarded{rig.doing(func(context.Context) error {
					flush()
					return nil
				})}, redisGuardArgs(strconv.Itoa(i)))).To(idemEnd("success"))
			}
			flush()
			token, entries := stores.NewToken(), redisEntries("a")
			redisEnter(rig.store, token, entries)
			flush()
			Expect(rig.store.Extend(context.Background(), token, entries)).To(HaveEach(stores.Answer{Outcome: stores.OutcomeDone}))
			flush()
			report, err := rig.store.InspectBreaker(context.Background(), entries[2])
			Expect(err).NotTo(HaveOccurred())
			Expect(report).To(Equal(stores.BreakerReport{State: stores.BreakerClosed}))
			flush()
			Expect(rig.store.ResetBreaker(context.Background(), entries[2])).To(BeFalse())
			flush()
			rig.store.TakeBack(token, entries)
			rig.settled()
			Expect(redisAnswer(rig.store, stores.NewToken(), entries[3:])).To(Equal(stores.Entered{Verdict: stores.VerdictEntered}))
			redisEveryKeyEnds(rig.other)
		})
	})

	Describe("Lost answers", func() {
		for name, client := range map[string]*redis.Options{
			"when the store sends again": redisOnce, "when the client does so by itself": redisOften,
		} {
			It("count a call once, and take nothing twice, "+name, func() {
				rig := newRedisRig(client)
				token, entries := stores.NewToken(), redisEntries("a")
				entries[2].Part = stores.PartFailure
				redisEnter(rig.store, stores.NewToken(), redisEntries("warm"))
				cut := rig.proxy.CutAfter(1)
				if client == redisOnce {
					_, err := rig.store.Enter(context.Background(), token, entries, 0)
					Expect(err).To(MatchError(stores.ErrAnswerLost))
				}
				redisEnter(rig.store, token, entries)
				Expect(cut).To(Receive())
				Expect(rig.other.ZCard(context.Background(), "window:a").Val()).To(BeEquivalentTo(1))
				Expect(rig.other.ZCard(context.Background(), "place:a").Val()).To(BeEquivalentTo(1))

				redisOutcomes(rig.store, stores.NewToken(), redisEntries("warm")) // makes the script known
				cut = rig.proxy.CutAfter(1)
				if client == redisOnce {
					_, err := rig.store.Leave(context.Background(), token, entries)
					Expect(err).To(MatchError(stores.ErrAnswerLost))
				}
				answers := redisOutcomes(rig.store, token, entries)
				Expect(cut).To(Receive())
				gone := stores.OutcomeDone
				if client == redisOnce { // it asks anew, and what was given back is not there
					gone = stores.OutcomeLost
				}
				Expect(answers).To(Equal([]stores.Answer{
					{Outcome: stores.OutcomeDone}, {Outcome: stores.OutcomeDone}, {Outcome: stores.OutcomeDone},
					{Outcome: gone}, {Outcome: gone}, {Outcome: stores.OutcomeDone},
				}))
				report, err := rig.store.InspectBreaker(context.Background(), entries[2])
				Expect(err).NotTo(HaveOccurred())
				Expect(report.Failures).To(BeEquivalentTo(1))
			})
		}

		It("tell the change of a circuit again", func() {
			rig := newRedisRig(redisOnce)
			circuit := redisEntries("a")[2:3]
			circuit[0].Part, circuit[0].Admission.State = stores.PartFailure, stores.BreakerClosed
			token := stores.NewToken()
			redisOutcomes(rig.store, stores.NewToken(), circuit)
			rig.proxy.CutAfter(1)
			_, err := rig.store.Leave(context.Background(), token, circuit)
			Expect(err).To(MatchError(stores.ErrAnswerLost))
			for range 2 {
				Expect(redisOutcomes(rig.store, token, circuit)).To(Equal([]stores.Answer{{Outcome: stores.OutcomeDone, Breaker: stores.BreakerOpen}}))
			}
			Expect(rig.other.HGet(context.Background(), "breaker:a", "period").Val()).To(Equal("1"))
		})

		It("leave nothing taken when the Enter arrives after its run was given up", func() {
			rig := newRedisRig(redisOnce)
			redisEnter(rig.store, stores.NewToken(), redisEntries("warm"))
			late, entries := stores.NewToken(), redisEntries("late")
			before := redisKeys(rig.other)
			hold := rig.proxy.Stall(1)
			ctx, cancel := context.WithCancel(context.Background())
			go func() {
				<-hold.Held()
				cancel()
			}()
			_, err := rig.store.Enter(ctx, late, entries, 0)
			Expect(err).To(MatchError(stores.ErrAnswerLost))
			rig.store.TakeBack(late, entries)
			Eventually(func() int64 {
				return rig.other.Exists(context.Background(), fmt.Sprintf("cmdx-void:2:%s:{claim:late}", late)).Val()
			}).WithTimeout(redisBound).WithPolling(time.Millisecond).Should(BeEquivalentTo(1))
			hold.Release()
			rig.settled()
			Expect(redisKeys(rig.other)).To(Equal(before))
			redisEveryKeyEnds(rig.other)
		})
	})

	Describe("Clocks", func() {
		It("of workers are sent to nobody: no argument is an instant but the server's own", func() {
			rig := newRedisRig(redisOnce)
			client := rig.server.Client(nil)
			sent := &redisSent{}
			client.AddHook(sent)
			store := stores.NewRedis(client)
			token, entries := stores.NewToken(), redisEntries("a")
			redisEnter(store, token, entries)
			_, err := store.Extend(context.Background(), token, entries)
			Expect(err).NotTo(HaveOccurred())
			redisOutcomes(store, token, entries)
			store.TakeBack(stores.NewToken(), entries)
			Expect(store.Wait(context.Background())).To(Succeed())
			commands := sent.take()
			Expect(commands).NotTo(BeEmpty())
			for _, command := range commands {
				for _, arg := range command[2:] {
					n, err := strconv.ParseInt(fmt.Sprint(arg), 10, 64)
					if err == nil { // an instant of this century has ten digits in seconds
						Expect(n).To(BeNumerically("<", 1_000_000_000), "%v", command)
					}
				}
			}
		})

		const hour = int64(time.Hour / time.Microsecond)

		// What the server wrote an hour later by its clock lies in the future
		// after the clock was set back.
		It("of the server that are set back by an hour neither open a limit nor block it for an hour", func() {
			rig := newRedisRig(redisOnce)
			const per = 400 * time.Millisecond
			window := []stores.Entry{{
				Kind: stores.KindRate, Key: "window", TTL: per,
				Rate: &stores.RateRule{Limit: 2, Per: per, Pace: stores.PaceWindow},
			}}
			smooth := []stores.Entry{{
				Kind: stores.KindRate, Key: "smooth", TTL: per,
				Rate: &stores.RateRule{Limit: 1, Per: per, Pace: stores.PaceSmooth},
			}}
			ctx := context.Background()
			redisEnter(rig.store, stores.NewToken(), window)
			redisEnter(rig.store, stores.NewToken(), window)
			redisEnter(rig.store, stores.NewToken(), smooth)
			for _, call := range rig.other.ZRangeWithScores(ctx, "window", 0, -1).Val() {
				Expect(rig.other.ZIncrBy(ctx, "window", float64(hour), call.Member.(string)).Err()).To(Succeed())
			}
			words := strings.Fields(rig.value("smooth"))
			last, err := strconv.ParseInt(words[0], 10, 64)
			Expect(err).NotTo(HaveOccurred())
			words[0] = strconv.FormatInt(last+hour, 10)
			Expect(rig.other.Set(ctx, "smooth", strings.Join(words, " "), time.Hour).Err()).To(Succeed())
			Expect(rig.other.PExpire(ctx, "window", time.Hour+per).Err()).To(Succeed())

			for _, entries := range [][]stores.Entry{window, smooth} {
				refused := redisAnswer(rig.store, stores.NewToken(), entries)
				Expect(refused.Verdict).To(Equal(stores.VerdictRefused))
				Expect(refused.RetryAfter).To(BeNumerically("~", per-per/4, per/4+time.Millisecond))
				Eventually(func() stores.Verdict {
					return redisAnswer(rig.store, stores.NewToken(), entries).Verdict
				}).WithTimeout(redisBound).WithPolling(time.Millisecond).Should(Equal(stores.VerdictEntered))
			}
		})

		It("of the server that are set back by an hour keep a circuit open for a cool-off and not for an hour", func() {
			rig := newRedisRig(redisOnce)
			circuit := redisEntries("a")[2:3]
			circuit[0].Breaker = &stores.BreakerRule{Threshold: 1, CoolOff: 300 * time.Millisecond, Probes: 1}
			circuit[0].Part, circuit[0].Admission.State = stores.PartFailure, stores.BreakerClosed
			redisOutcomes(rig.store, stores.NewToken(), circuit)
			Expect(rig.other.HIncrBy(context.Background(), "breaker:a", "until", hour).Err()).To(Succeed())
			refused := redisAnswer(rig.store, stores.NewToken(), circuit)
			Expect(refused.State).To(Equal("open"))
			Expect(refused.RetryAfter).To(Equal(300 * time.Millisecond))
			Eventually(func() stores.Verdict {
				return redisAnswer(rig.store, stores.NewToken(), circuit).Verdict
			}).WithTimeout(redisBound).WithPolling(time.Millisecond).Should(Equal(stores.VerdictEntered))
		})
	})

	Describe("On a cluster", func() {
		guards := func(client redis.UniversalClient) (*cmdx.Runtime, *stores.Redis) {
			store := stores.NewRedis(client)
			return cmdx.New(cmdx.Configuration{Store: store}), store
		}
		// warmed executes until every node knows the scripts.
		warmed := func(runtime *cmdx.Runtime, args func(i int) cmdx.Args) {
			for i := range 40 {
				Expect(runtime.Execute(context.Background(), &redisGuarded{}, args(i))).To(idemEnd("success"))
			}
		}

		It("each guard costs a round trip, and all of them one where the keys share a hash tag", func() {
			cluster := redistest.StartCluster(GinkgoTB())
			client := cluster.Client(nil)
			runtime, _ := guards(client)
			apart := func(i int) cmdx.Args { return redisGuardArgs(fmt.Sprint("w", i)) }
			tagged := func(i int) cmdx.Args { return redisGuardArgs(fmt.Sprintf("{w%d}", i)) }
			warmed(runtime, apart)
			warmed(runtime, tagged)
			sent := &redisSent{}
			client.AddHook(sent)
			entering := 0
			run := func(args cmdx.Args) []int {
				sent.take()
				Expect(runtime.Execute(context.Background(), &redisGuarded{redisWork{Do: func(context.Context) error {
					entering = len(sent.take())
					return nil
				}}}, args)).To(idemEnd("success"))
				return []int{entering, len(sent.take())}
			}
			Expect(run(redisGuardArgs("a"))).To(Equal([]int{5, 4})) // a rate is not left
			Expect(run(redisGuardArgs("{a}"))).To(Equal([]int{1, 1}))
		})

		It("a refused group of rates has counted nothing", func() {
			cluster := redistest.StartCluster(GinkgoTB())
			client := cluster.Client(nil)
			_, store := guards(client)
			rate := func(key string, limit int64, per time.Duration, pace stores.Pace) stores.Entry {
				return stores.Entry{Kind: stores.KindRate, Key: key, TTL: time.Hour, Rate: &stores.RateRule{Limit: limit, Per: per, Pace: pace}}
			}
			group := []stores.Entry{
				rate("smooth", 1, time.Minute, stores.PaceSmooth), rate("wide", 9, time.Minute, stores.PaceWindow),
				rate("narrow", 1, time.Minute, stores.PaceWindow), rate("narrower", 1, time.Hour, stores.PaceWindow),
			}
			redisEnter(store, stores.NewToken(), group[2:])
			refused := redisAnswer(store, stores.NewToken(), group)
			Expect(refused.Verdict).To(Equal(stores.VerdictRefused))
			Expect(refused.At).To(Equal(3)) // the longest
			Expect(refused.RetryAfter).To(BeNumerically(">", 59*time.Minute))
			for _, key := range []string{"smooth", "wide"} {
				Expect(client.Exists(context.Background(), key).Val()).To(BeZero(), key)
			}
		})

		It("a client that knows of no cluster finds it out by itself", func() {
			node := redistest.StartCluster(GinkgoTB()).Nodes()[0].Client(nil)
			runtime, _ := guards(node)
			// A rate's key is asked first, and only those of this node's slots can be.
			served := func(prefix string) string {
				for i := 0; ; i++ {
					if name := fmt.Sprint(prefix, i); node.Exists(context.Background(), name).Err() == nil {
						return name
					}
				}
			}
			token := stores.NewToken()
			entries := redisEntries("a")
			for i := range entries {
				entries[i].Key = served(fmt.Sprint("key", i, "-"))
			}
			store := runtime.Store().(*stores.Redis)
			redisEnter(store, token, entries)
			Expect(redisOutcomes(store, token, entries)).To(HaveEach(stores.Answer{Outcome: stores.OutcomeDone}))
		})
	})

	Describe("Entering together and one by one", func() {
		// apart is a store on a ring of one server, which asks for each entry.
		apart := func(server *redistest.Server) *stores.Redis {
			ring := redis.NewRing(&redis.RingOptions{Addrs: map[string]string{"one": server.Addr()}, MaxRetries: -1})
			DeferCleanup(ring.Close)
			return stores.NewRedis(ring)
		}

		It("has the same outcomes, events and order, whatever happens", func() {
			var traces [2][]string
			seed := GinkgoRandomSeed()
			for side := range traces {
				server := redistest.Start(GinkgoTB())
				store := apart(server)
				if side == 0 {
					store = stores.NewRedis(server.Client(redisOnce))
				}
				traces[side] = redisGuardTrace(store, server.Client(nil), rand.New(rand.NewPCG(uint64(seed), 1)))
			}
			for i := range min(len(traces[0]), len(traces[1])) {
				Expect(traces[1][i]).To(Equal(traces[0][i]), "after %v", traces[0][max(0, i-8):i])
			}
			Expect(traces[1]).To(HaveLen(len(traces[0])))
			Expect(traces[0]).To(ContainElements( // the keys meet often enough
				"success", "failed", "failed rate_limited", "failed circuit_open open", "failed concurrency_limited", "failed locked",
				"skipped duplicate processing", "skipped duplicate completed",
				"circuit_opened", "closed true", "lock_lost", "concurrency_lost",
			))
		})
	})
})

func redisPutText(ctx context.Context, client *redis.Client, key string) error {
	return client.Set(ctx, key, "theirs", time.Hour).Err()
}

func redisPutHash(ctx context.Context, client *redis.Client, key string) error {
	return client.HSet(ctx, key, "name", "theirs").Err()
}

func redisHash(client *redis.Client, key string) string {
	return fmt.Sprint(client.HGetAll(context.Background(), key).Val())
}

// redisGuardTrace executes guarded tasks inside each other with keys that
// meet, and tells what became of each and every event.
func redisGuardTrace(store *stores.Redis, other *redis.Client, random *rand.Rand) []string {
	GinkgoHelper()
	var trace doTrack
	runtime := cmdx.New(cmdx.Configuration{Store: store})
	for _, name := range []cmdx.EventName{
		cmdx.EventRateLimited, cmdx.EventCircuitOpened, cmdx.EventCircuitHalfOpened, cmdx.EventCircuitClosed, cmdx.EventCircuitRejected,
		cmdx.EventConcurrencyAcquired, cmdx.EventConcurrencyLimited, cmdx.EventConcurrencyReleased, cmdx.EventConcurrencyLost,
		cmdx.EventLockAcquired, cmdx.EventLockConflict, cmdx.EventLockReleased, cmdx.EventLockLost,
		cmdx.EventIdempotencyClaimed, cmdx.EventIdempotencyCompleted, cmdx.EventIdempotencyDuplicate, cmdx.EventIdempotencyLost,
	} {
		runtime.Telemetry().Subscribe(name, func(e cmdx.Event) { trace.add("%s", string(e.Name)) })
	}
	var execute func(depth int, around any)
	execute = func(depth int, around any) {
		args := cmdx.Args{}
		// In one order, for both sides. There are so many that limits, circuits and
		// completed keys do not keep everything out before the end.
		for _, part := range []struct {
			name string
			of   int
		}{{"rate", 180}, {"breaker", 20}, {"slot", 8}, {"lock", 8}, {"id", 270}} {
			args[part.name] = fmt.Sprint(part.name, random.IntN(part.of))
		}
		if random.IntN(4) == 0 {
			args["id"] = around
		}
		fails, meddles, nests := random.IntN(2) == 0, random.IntN(12), depth < 3 && random.IntN(3) > 0
		if depth == 0 && random.IntN(8) == 0 {
			closed, err := runtime.ResetBreaker(context.Background(), &redisGuarded{}, args)
			Expect(err).NotTo(HaveOccurred())
			trace.add("closed %t", closed)
		}
		result := runtime.Execute(cmdx.Detach(context.Background()), &redisGuarded{redisWork{Do: func(ctx context.Context) error {
			trace.add("work")
			if meddles < 2 { // another program deletes what the run holds
				other.Del(ctx, redisGuardKeys(args)[2+meddles])
			}
			if nests {
				execute(depth+1, args["id"])
			}
			if fails {
				return errRedisDeclined
			}
			return nil
		}}}, args)
		trace.add("%s", idemOutcome(result))
	}
	for range 1200 {
		execute(0, "id0")
	}
	return trace.all()
}
