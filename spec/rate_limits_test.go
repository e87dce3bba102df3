package spec

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// The tasks of this page send mail for the account with the id that they are
// given.
type (
	rateMail     struct{ idemWorker }
	rateWhole    struct{ idemWorker }
	rateBoth     struct{ idemWorker }
	ratePolicies struct{ idemWorker }
	rateSmooth   struct{ idemWorker }
	rateMixed    struct{ idemWorker }
	rateGated    struct{ idemWorker }
	rateOpen     struct{ idemWorker }
	rateReplaced struct{ rateBoth }
	rateKept     struct{ rateBoth }
	rateOff      struct{ rateMail }
	rateShared1  struct{ rateShared }
	rateShared2  struct{ rateShared }
	rateShared   struct{ idemWorker }
	rateCounted  struct {
		idemWorker
		Asked *int
	}
)

func (*rateMail) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.FromContext("id"), cmdx.Rate{Limit: 3, Per: time.Second})
}

func (*rateWhole) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{Limit: 1, Per: time.Second})
}

func (*rateBoth) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.FromContext("id"), cmdx.Rate{Limit: 2, Per: time.Second}, cmdx.Rate{Limit: 3, Per: time.Minute})
}

func (*ratePolicies) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.FromContext("id"),
		cmdx.Rate{Limit: 1, Per: time.Second, OnLimit: cmdx.PolicySkip},
		cmdx.Rate{Limit: 2, Per: time.Minute, Namespace: "spec:slow"})
}

func (*rateSmooth) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.FromContext("id"), cmdx.Rate{Limit: 3, Per: time.Second, Pace: cmdx.PaceSmooth})
}

func (*rateMixed) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.FromContext("id"),
		cmdx.Rate{Limit: 10, Per: time.Second, Pace: cmdx.PaceSmooth}, cmdx.Rate{Limit: 2, Per: time.Minute})
}

func (*rateGated) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.FromContext("id"),
		cmdx.Rate{Limit: 1, Per: time.Minute, If: cmdx.When(func(t *rateGated) bool { return t.Context().Has("strict") })},
		cmdx.Rate{Limit: 2, Per: time.Minute})
}

func (*rateOpen) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.FromContext("id"),
		cmdx.Rate{Limit: 1, Per: time.Minute, Namespace: "spec:open", OnStoreError: cmdx.FailOpen},
		cmdx.Rate{Limit: 2, Per: time.Minute, Namespace: "spec:closed"})
}

func (*rateReplaced) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{Limit: 5, Per: time.Second})
}

func (*rateKept) Configure(c *cmdx.Config) { c.RateLimit(cmdx.PerTask) }

func (*rateOff) Configure(c *cmdx.Config) { c.RateLimit(cmdx.Disabled) }

func (*rateShared) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.FromContext("id"), cmdx.Rate{Scope: "spec.smtp", Limit: 1, Per: time.Second})
}

func (*rateCounted) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.KeyFunc(func(t *rateCounted) string { *t.Asked++; return "acc" }),
		cmdx.Rate{Limit: 9, Per: time.Second}, cmdx.Rate{Limit: 99, Per: time.Minute})
}

const rateMailKey = "cmdx:rate:rateMail:acc"

var rateEvents = []cmdx.EventName{cmdx.EventRateLimited, cmdx.EventRateLimitStoreFailed}

// rateRun runs a task n times and tells how each run ended.
func rateRun(rig *idemRig, task cmdx.Task, n int) (ends []string) {
	for range n {
		ends = append(ends, idemOutcome(rig.run(task, "acc")))
	}
	return ends
}

const rateLimited = "failed rate_limited"

var _ = Describe("Rate limits", func() {
	Describe("A window", func() {
		It("lets as many runs pass as its limit says, and refuses the next", bubble(), func() {
			rig := newIdemRig()
			Expect(rateRun(rig, &rateMail{}, 4)).To(Equal([]string{"success", "success", "success", rateLimited}))
		})

		It("counts each key for itself", bubble(), func() {
			rig := newIdemRig()
			rateRun(rig, &rateMail{}, 3)
			Expect(rig.run(&rateMail{}, "other")).To(idemEnd("success"))
		})

		It("counts a run when it begins, whatever becomes of it", bubble(), func() {
			rig := newIdemRig()
			Expect(rateRun(rig, &rateMail{idemReturning(rig, errIdemOutage)}, 4)).To(Equal([]string{"failed", "failed", "failed", rateLimited}))
		})

		It("slides: a run passes exactly when the oldest is one period old, not a millisecond before", bubble(), func() {
			rig := newIdemRig()
			for range 3 {
				rateRun(rig, &rateMail{}, 1)
				time.Sleep(100 * time.Millisecond)
			}
			time.Sleep(699 * time.Millisecond)
			Expect(rateRun(rig, &rateMail{}, 1)).To(Equal([]string{rateLimited}))
			time.Sleep(time.Millisecond)
			Expect(rateRun(rig, &rateMail{}, 2)).To(Equal([]string{"success", rateLimited}))
		})

		It("holds in every window, also across the edge of a period", bubble(), func() {
			rig := newIdemRig()
			var mu sync.Mutex
			var passed []time.Duration
			began := time.Now()
			var all sync.WaitGroup
			for i := range 5 {
				all.Go(func() {
					for range 200 {
						if rig.run(&rateMail{}, "acc").IsSuccess() {
							mu.Lock()
							passed = append(passed, time.Since(began))
							mu.Unlock()
						}
						time.Sleep(time.Duration(7+3*i) * time.Millisecond)
					}
				})
			}
			all.Wait()
			slices.Sort(passed)
			Expect(len(passed)).To(BeNumerically(">", 6))
			for i := range passed[3:] {
				Expect(passed[i+3]-passed[i]).To(BeNumerically(">=", time.Second), "four runs within a second: %v", passed[i:i+4])
			}
		})

		It("is not prolonged by those whom it refuses", bubble(), func() {
			rig := newIdemRig()
			rateRun(rig, &rateMail{}, 3)
			for range 9 {
				time.Sleep(100 * time.Millisecond)
				Expect(rateRun(rig, &rateMail{}, 1)).To(Equal([]string{rateLimited}))
			}
			time.Sleep(100 * time.Millisecond)
			Expect(rateRun(rig, &rateMail{}, 3)).To(HaveEach("success"))
		})

		It("costs one trip to the store, whether it lets pass or refuses", bubble(), func() {
			rig := newIdemRig()
			rateRun(rig, &rateMail{}, 4)
			Expect(rig.store.Trace()).To(HaveLen(4))
			Expect(rig.store.Trace()).To(HaveEach("enter " + rateMailKey))
		})
	})

	Describe("A refusal", func() {
		It("tells code, key and exactly when one more run would pass", bubble(), func() {
			rig := newIdemRig(rateEvents...)
			rateRun(rig, &rateMail{}, 3)
			time.Sleep(250 * time.Millisecond)
			res := rig.run(&rateMail{idemReturning(rig, nil)}, "acc")
			Expect(res).To(idemEnd(rateLimited))
			Expect(res.Reason()).To(Equal("rate limited: 3 per 1s have passed"))
			Expect(res.Metadata()).To(Equal(cmdx.Metadata{
				"code": "rate_limited", "rate_key": rateMailKey, "retry_after": 750 * time.Millisecond,
			}))
			Expect(rig.works()).To(BeZero())
			Expect(rig.payloads(cmdx.EventRateLimited)).To(Equal([]map[string]any{{
				"code": "rate_limited", "rate_key": rateMailKey, "retry_after": 750 * time.Millisecond, "limit": 3, "per": time.Second,
			}}))
		})

		It("can be a skip", bubble(), func() {
			rig := newIdemRig()
			Expect(rateRun(rig, &ratePolicies{}, 2)).To(Equal([]string{"success", "skipped rate_limited"}))
		})

		It("is no accident that an enclosing task's AnyError tries again", bubble(), func() {
			rig := newIdemRig()
			rateRun(rig, &rateMail{}, 3)
			outer := 0
			rig.run(&idemRetriesAny{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				outer++
				return rig.Execute(ctx, &rateMail{}, cmdx.Args{"id": "acc"}).Err()
			})}, nil)
			Expect(outer).To(Equal(1))
		})
	})

	Describe("Several limits", func() {
		It("refuse as one, by the one that keeps a run away longest", bubble(), func() {
			rig := newIdemRig()
			Expect(rateRun(rig, &rateBoth{}, 2)).To(HaveEach("success"))
			res := rig.run(&rateBoth{}, "acc")
			Expect(res.Metadata()["retry_after"]).To(Equal(time.Second))
			time.Sleep(time.Second)
			Expect(rateRun(rig, &rateBoth{}, 1)).To(Equal([]string{"success"}))
			res = rig.run(&rateBoth{}, "acc")
			Expect(res.Reason()).To(Equal("rate limited: 3 per 1m0s have passed"))
			Expect(res.Metadata()["retry_after"]).To(Equal(59 * time.Second))
		})

		It("count together or not at all", bubble(), func() {
			rig := newIdemRig()
			rateRun(rig, &ratePolicies{}, 1)
			for range 5 { // refused by the first; not counted by the second
				Expect(rateRun(rig, &ratePolicies{}, 1)).To(Equal([]string{"skipped rate_limited"}))
			}
			time.Sleep(time.Second)
			Expect(rateRun(rig, &ratePolicies{}, 1)).To(Equal([]string{"success"}))
			time.Sleep(time.Second)
			res := rig.run(&ratePolicies{}, "acc")
			Expect(res).To(idemEnd(rateLimited))
			Expect(res.Metadata()).To(HaveKeyWithValue("rate_key", "spec:slow:ratePolicies:acc"))
		})

		It("work out the key once", bubble(), func() {
			rig, asked := newIdemRig(), 0
			rig.run(&rateCounted{Asked: &asked}, "acc")
			Expect(asked).To(Equal(1))
		})

		It("have gates of their own", bubble(), func() {
			rig := newIdemRig()
			strict := func() *cmdx.Result {
				return rig.Execute(context.Background(), &rateGated{}, cmdx.Args{"id": "acc", "strict": true})
			}
			Expect(strict()).To(idemEnd("success"))
			Expect(strict()).To(idemEnd(rateLimited))
			Expect(rateRun(rig, &rateGated{}, 2)).To(Equal([]string{"success", rateLimited}))
		})

		It("fail open or closed each for itself", bubble(), func() {
			rig := newIdemRig(rateEvents...)
			rig.store.FailEntry(storetest.OpEnter, "spec:open:rateOpen:acc", storetest.Always, errStoreAway)
			Expect(rateRun(rig, &rateOpen{}, 3)).To(Equal([]string{"success", "success", rateLimited}))
			Expect(rig.payloads(cmdx.EventRateLimitStoreFailed)).To(Equal(slices.Repeat([]map[string]any{{
				"code": "store_unavailable", "rate_key": "spec:open:rateOpen:acc", "error": errStoreAway, "policy": "fail_open",
			}}, 3)))
			rig.store.FailEntry(storetest.OpEnter, "spec:closed:rateOpen:acc", storetest.Always, errStoreAway)
			Expect(rateRun(rig, &rateOpen{}, 1)).To(Equal([]string{"failed store_unavailable"}))
		})
	})

	Describe("PaceSmooth", func() {
		It("keeps Per/Limit between two runs, without a burst and without drift", bubble(), func() {
			rig := newIdemRig()
			began := time.Now()
			for i := range 30 {
				for {
					res := rig.run(&rateSmooth{}, "acc")
					if res.IsSuccess() {
						break
					}
					time.Sleep(res.Metadata()["retry_after"].(time.Duration))
				}
				Expect(time.Since(began)).To(BeNumerically("~", time.Duration(i)*time.Second/3, 40*time.Millisecond))
			}
		})

		It("has a key of its own beside the windows", bubble(), func() {
			rig := newIdemRig()
			rig.run(&rateMixed{}, "acc")
			Expect(rig.store.Trace()).To(Equal([]string{"enter cmdx:rate:rateMixed:acc:smooth:1000 cmdx:rate:rateMixed:acc"}))
		})

		It("shares no key with a segment that looks like its own", bubble(), func() {
			rig := newIdemRig()
			Expect(rig.run(&rateMixed{}, "acc:smooth:1000")).To(idemEnd("success"))
			Expect(rig.run(&rateMixed{}, "acc:smooth:1000:window")).To(idemEnd("success"))
			time.Sleep(100 * time.Millisecond)
			Expect(rig.run(&rateMixed{}, "acc")).To(idemEnd("success"))
			keys := map[string]bool{}
			for _, call := range rig.store.Calls() {
				for _, e := range call.Entries {
					Expect(keys).NotTo(HaveKey(e.Key))
					keys[e.Key] = true
				}
			}
		})
	})

	Describe("Keys and layers", func() {
		It("counts for the whole type when nobody says a key", bubble(), func() {
			rig := newIdemRig()
			Expect(rig.run(&rateWhole{}, "a")).To(idemEnd("success"))
			Expect(rig.run(&rateWhole{}, "b")).To(idemEnd(rateLimited))
			Expect(rig.store.CallsOf(storetest.OpEnter)[0].Key).To(Equal("cmdx:rate:rateWhole:all"))
		})

		It("does not count a run whose key is blank", bubble(), func() {
			rig := newIdemRig()
			for range 5 {
				Expect(rig.run(&rateMail{}, "")).To(idemEnd("success"))
			}
			Expect(rig.store.Trace()).To(BeEmpty())
		})

		It("replaces the inherited limits as a whole", func() {
			definition, err := cmdx.DefinitionOf(&rateReplaced{})
			Expect(err).NotTo(HaveOccurred())
			Expect(definition.Rates()).To(Equal([]cmdx.Rate{{
				Limit: 5, Per: time.Second, Pace: cmdx.PaceWindow, Namespace: "cmdx:rate", OnLimit: cmdx.PolicyFail,
				If: cmdx.Always, Unless: cmdx.Never, OnStoreError: cmdx.FailClosed,
			}}))
			Expect(definition.RateKey()).To(Equal(cmdx.FromContext("id")))
		})

		It("keeps the limits where only the key is said anew", func() {
			definition, err := cmdx.DefinitionOf(&rateKept{})
			Expect(err).NotTo(HaveOccurred())
			Expect(definition.Rates()).To(HaveLen(2))
			Expect(definition.RateKey()).To(Equal(cmdx.KeyResolver(cmdx.PerTask)))
		})

		It("is off in a child that says Disabled", bubble(), func() {
			rig := newIdemRig()
			Expect(rateRun(rig, &rateOff{}, 9)).To(HaveEach("success"))
			Expect(rig.store.Trace()).To(BeEmpty())
		})

		It("is shared by all who name its scope", bubble(), func() {
			rig := newIdemRig()
			Expect(rateRun(rig, &rateShared1{}, 1)).To(Equal([]string{"success"}))
			Expect(rateRun(rig, &rateShared2{}, 1)).To(Equal([]string{rateLimited}))
		})
	})

	Describe("A store that fails", func() {
		It("fails the run with the store's error", bubble(), func() {
			rig := newIdemRig()
			rig.store.Fail(storetest.OpEnter, 1, errStoreAway)
			res := rig.run(&rateMail{}, "acc")
			Expect(res).To(idemEnd("failed store_unavailable"))
			Expect(res.Reason()).To(HavePrefix("the store cannot tell whether the rate limit lets the run pass: "))
			Expect(errors.Is(res.Cause(), errStoreAway)).To(BeTrue())
		})

		It("counts a run once whose answer was lost", bubble(), func() {
			rig := newIdemRig()
			rig.store.LoseAnswer(storetest.OpEnter, 1)
			Expect(rateRun(rig, &rateMail{}, 4)).To(Equal([]string{"success", "success", "success", rateLimited}))
		})
	})
})
