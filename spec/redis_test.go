package spec

import (
	"context"
	"errors"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
)

var errRedisDeclined = errors.New("card declined")

var _ = Describe("A store on Redis", func() {
	Describe("Round trips", func() {
		var rig *redisRig
		// trips are those that f causes.
		trips := func(f func()) int {
			rig.proxy.Forget()
			f()
			return rig.proxy.RoundTrips()
		}
		BeforeEach(func() { rig = newRedisRig(nil) })

		It("are one for a new claim and one for its completion", func() {
			claim := 0
			completion := trips(func() {
				rig.run(&redisCharge{rig.doing(func(context.Context) error {
					claim = rig.proxy.RoundTrips()
					rig.proxy.Forget()
					return nil
				})})
			})
			Expect(claim).To(Equal(1))
			Expect(completion).To(Equal(1))
			Expect(rig.all()).To(Equal([]string{"claimed", "work", "completed"}))
		})

		It("are one for the release after a failure", func() {
			release := trips(func() {
				rig.run(&redisCharge{rig.doing(func(context.Context) error {
					rig.proxy.Forget()
					return errRedisDeclined
				})})
			})
			Expect(release).To(Equal(1))
			Expect(rig.value(redisChargeKey)).To(BeEmpty())
		})

		It("are one for a duplicate, of a run under way and of a completed one", func() {
			during := 0
			rig.run(&redisCharge{rig.doing(func(context.Context) error {
				during = trips(func() {
					Expect(rig.run(&redisCharge{})).To(idemEnd("skipped duplicate processing"))
				})
				return nil
			})})
			after := trips(func() { Expect(rig.run(&redisCharge{})).To(idemEnd("skipped duplicate completed")) })
			Expect([]int{during, after}).To(Equal([]int{1, 1}))
		})

		DescribeTable("are none for a run that claims nothing",
			func(run func() *cmdx.Result) {
				Expect(trips(func() { Expect(run()).To(idemEnd("success")) })).To(BeZero())
			},
			Entry("because its key is blank", func() *cmdx.Result {
				return rig.Execute(context.Background(), &redisCharge{}, cmdx.Args{"id": ""})
			}),
			Entry("because its gate is closed", func() *cmdx.Result { return rig.run(&redisGatedCharge{}) }),
			Entry("because it declares nothing", func() *cmdx.Result { return rig.run(&redisWork{}) }),
		)
	})

	Describe("What others see", func() {
		var rig *redisRig
		BeforeEach(func() { rig = newRedisRig(nil) })

		It("is the plain word processing while Work runs, and completed afterwards", func() {
			during := ""
			rig.run(&redisCharge{rig.doing(func(context.Context) error {
				during = rig.value(redisChargeKey)
				return nil
			})})
			Expect([]string{during, rig.value(redisChargeKey)}).To(Equal([]string{"processing", "completed"}))
		})

		It("is a key that ends with its ttl, together with its owner's key, at every step", func() {
			look := func() (left time.Duration) {
				GinkgoHelper()
				keys := redisKeys(rig.other)
				Expect(keys).To(HaveLen(2))
				Expect(keys[redisChargeKey].Ends).To(Equal(keys[redisOwner(redisChargeKey)].Ends))
				left, err := rig.other.PTTL(context.Background(), redisChargeKey).Result()
				Expect(err).NotTo(HaveOccurred())
				return left
			}
			var during time.Duration
			rig.run(&redisCharge{rig.doing(func(context.Context) error { during = look(); return nil })})
			for _, left := range []time.Duration{during, look()} {
				Expect(left).To(And(BeNumerically(">", 200*time.Second), BeNumerically("<=", 300*time.Second)))
			}
		})

		It("begins its ttl anew with the completion", func() {
			var before redisKey
			rig.run(&redisCharge{rig.doing(func(context.Context) error {
				before = redisLook(rig.other, redisChargeKey)
				redisTick(rig.other)
				return nil
			})})
			Expect(redisLook(rig.other, redisChargeKey).Ends).To(BeNumerically(">", before.Ends))
		})

		It("is another token for every run", func() {
			var tokens []string
			for range 2 {
				rig.run(&redisCharge{rig.doing(func(context.Context) error {
					tokens = append(tokens, rig.value(redisOwner(redisChargeKey)))
					return errRedisDeclined
				})})
			}
			Expect(tokens).To(HaveEach(MatchRegexp(`^[0-9a-f]{32}$`)))
			Expect(tokens[0]).NotTo(Equal(tokens[1]))
		})

		It("is nothing once a run has failed", func() {
			Expect(rig.run(&redisCharge{rig.work(errRedisDeclined)})).To(idemEnd("failed"))
			Expect(redisKeys(rig.other)).To(BeEmpty())
		})

		It("is the very key that a duplicate's metadata shows, whatever it holds", func() {
			for _, segment := range []string{"pay 1", "{pay}", "pa}y{", "a:b", "größe\n\x00", strings.Repeat("x", 300)} {
				id := cmdx.Args{"id": segment}
				Expect(rig.Execute(context.Background(), &redisCharge{}, id)).To(idemEnd("success"), segment)
				duplicate := rig.Execute(context.Background(), &redisCharge{}, id)
				Expect(duplicate).To(idemEnd("skipped duplicate completed"), segment)
				key := duplicate.Metadata()["idempotency_key"].(string)
				Expect(key).To(Equal("cmdx:idem:redisCharge:" + segment))
				Expect(rig.value(key)).To(Equal("completed"))
			}
		})
	})

	Describe("A claim that another program wrote", func() {
		var rig *redisRig
		BeforeEach(func() { rig = newRedisRig(nil) })

		DescribeTable("is a duplicate, and stays as it is",
			func(value string) {
				ctx := context.Background()
				Expect(rig.other.Do(ctx, "SET", redisChargeKey, value, "NX", "EX", 90).Err()).To(Succeed())
				before := redisKeys(rig.other)
				res := rig.run(&redisCharge{rig.work(nil)})
				Expect(res).To(idemEnd("skipped duplicate " + value))
				Expect(rig.all()).To(Equal([]string{"duplicate"}))
				Expect(redisKeys(rig.other)).To(Equal(before))
			},
			Entry("while it is processing", "processing"),
			Entry("when it is completed", "completed"),
		)

		It("is a duplicate even without an end", func() {
			Expect(rig.other.Set(context.Background(), redisChargeKey, "processing", 0).Err()).To(Succeed())
			Expect(rig.run(&redisCharge{rig.work(nil)})).To(idemEnd("skipped duplicate processing"))
			Expect(redisKeys(rig.other)).To(Equal(map[string]redisKey{redisChargeKey: {"processing", -1}}))
		})

		It("cannot be written over ours", func() {
			written := true
			rig.run(&redisCharge{rig.doing(func(ctx context.Context) error {
				var err error
				written, err = rig.other.SetNX(ctx, redisChargeKey, "processing", time.Minute).Result()
				return err
			})})
			Expect(written).To(BeFalse())
			Expect(rig.all()).To(Equal([]string{"claimed", "work", "completed"}))
		})
	})

	Describe("A key that somebody deletes by hand", func() {
		var rig *redisRig
		BeforeEach(func() { rig = newRedisRig(nil) })
		byHand := func() { Expect(rig.other.Del(context.Background(), redisChargeKey).Err()).To(Succeed()) }

		It("can be claimed again after a completion", func() {
			rig.runsAgain()
			byHand()
			rig.runsAgain()
		})

		It("can be claimed again while the first run is still at work, which then touches nothing", func() {
			second := make(chan struct{})
			finish := make(chan struct{})
			var after map[string]redisKey
			first := rig.run(&redisCharge{rig.doing(func(context.Context) error {
				byHand()
				go func() {
					defer GinkgoRecover()
					defer close(finish)
					rig.run(&redisCharge{rig.doing(func(context.Context) error {
						close(second)
						Eventually(rig.all).WithTimeout(redisBound).Should(ContainElement("lost"))
						after = redisKeys(rig.other)
						return nil
					})})
				}()
				<-second
				return nil
			})})
			<-finish
			Expect(first).To(idemEnd("success"))
			Expect(rig.all()).To(Equal([]string{"claimed", "work", "claimed", "work", "lost", "completed"}))
			Expect(after[redisChargeKey].Value).To(Equal("processing"))
			Expect(rig.value(redisChargeKey)).To(Equal("completed"))
		})
	})

	// A row is what another program does to a claim's two keys, a column what
	// its owner then asks for.
	Describe("A claim that another program has touched", func() {
		const (
			key = "cmdx:idem:Charge:touched"
			ttl = time.Minute // of claims and of what is set over them
		)
		var (
			server *redistest.Server
			other  *redis.Client
			store  *stores.Redis
		)
		BeforeEach(func() {
			server = redistest.Start(GinkgoTB())
			other = server.Client(nil)
			store = stores.NewRedis(server.Client(nil))
		})
		do := func(words ...any) {
			GinkgoHelper()
			Expect(other.Do(context.Background(), words...).Err()).To(Succeed())
		}
		ask := func(answers []stores.Answer, err error) string {
			GinkgoHelper()
			Expect(err).NotTo(HaveOccurred())
			Expect(answers).To(HaveLen(1))
			Expect(answers[0].Err).NotTo(HaveOccurred())
			return answers[0].Outcome.String()
		}
		leave := func(part stores.Part) func(stores.Token) string {
			return func(token stores.Token) string {
				GinkgoHelper()
				return ask(store.Leave(context.Background(), token, redisClaim(key, part)))
			}
		}
		columns := []struct {
			name string
			ask  func(stores.Token) string // "" where nobody waits for an answer
		}{
			{"complete", leave(stores.PartComplete)},
			{"release", leave(stores.PartRelease)},
			{"extend", func(t stores.Token) string {
				GinkgoHelper()
				return ask(store.Extend(context.Background(), t, redisClaim(key, 0)))
			}},
			{"take back", leave(stores.PartTakeBack)},
			{"take back behind the caller", func(t stores.Token) string { store.TakeBack(t, redisClaim(key, 0)); return "" }},
		}
		rows := []struct {
			name  string
			touch func()
			gone  bool // nobody holds the key afterwards
		}{
			{"deleted", func() { do("DEL", key) }, true},
			{"deleted with its owner's key", func() { do("DEL", key, redisOwner(key)) }, true},
			{"overwritten by SET XX", func() { do("SET", key, "processing", "XX", "PX", ttl.Milliseconds()) }, false},
			{"overwritten by SET XX as completed", func() { do("SET", key, "completed", "XX", "PX", ttl.Milliseconds()) }, false},
			{"overwritten by SET XX without an end", func() { do("SET", key, "processing", "XX") }, false},
			{"deleted and taken by SET NX", func() { do("DEL", key); do("SET", key, "processing", "NX", "PX", ttl.Milliseconds()) }, false},
			{"deleted and taken by SET NX for an hour", func() { do("DEL", key); do("SET", key, "processing", "NX", "EX", 3600) }, false},
			{"persisted", func() { do("PERSIST", key) }, false},
			{"robbed of its owner's key", func() { do("DEL", redisOwner(key)) }, false},
			{"given another owner", func() { do("SET", redisOwner(key), strings.Repeat("0", 32), "KEEPTTL") }, false},
		}

		// claimed is a claim whose keys end at another time than any that is
		// set from now on.
		claimed := func() stores.Token {
			GinkgoHelper()
			token := stores.NewToken()
			redisEnter(store, token, redisClaim(key, 0))
			redisTick(other)
			return token
		}
		settled := func() {
			GinkgoHelper()
			ctx, cancel := context.WithTimeout(context.Background(), redisBound)
			defer cancel()
			Expect(store.Wait(ctx)).To(Succeed())
		}

		var untouched, touched []any
		for _, column := range columns {
			untouched = append(untouched, Entry(column.name, column.ask))
			for _, row := range rows {
				touched = append(touched, Entry(row.name+": "+column.name, row.touch, row.gone, column.ask))
			}
		}
		DescribeTable("does what its owner asks as long as nobody has", append([]any{
			func(ask func(stores.Token) string) {
				token := claimed()
				before := redisKeys(other)
				Expect(ask(token)).To(BeElementOf("done", ""))
				settled()
				Expect(redisKeys(other)).NotTo(Equal(before))
			}}, untouched...)...)

		DescribeTable("is its owner's no more, and none of its keys changes", append([]any{
			func(touch func(), gone bool, ask func(stores.Token) string) {
				token := claimed()
				touch()
				before := redisKeys(other)
				Expect(ask(token)).To(BeElementOf("lost", ""))
				settled()
				Expect(redisKeys(other)).To(Equal(before))

				next, err := store.Enter(context.Background(), stores.NewToken(), redisClaim(key, 0), 0)
				Expect(err).NotTo(HaveOccurred())
				if gone {
					Expect(next.Verdict).To(Equal(stores.VerdictEntered))
					Expect(redisKeys(other)).To(HaveEach(HaveField("Ends", BeNumerically(">", 0))))
					return
				}
				Expect(next.Verdict).To(Equal(stores.VerdictRefused))
				Expect(next.State).To(Equal(before[key].Value))
				Expect(redisKeys(other)).To(Equal(before))
			}}, touched...)...)
	})
})
