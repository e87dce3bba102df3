package spec

import (
	"errors"
	"math"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// What is declared wrongly.
type (
	guardNoLockKey     struct{ wrongWork }
	guardNoPlaceKey    struct{ wrongWork }
	guardNoLimit       struct{ wrongWork }
	guardNoRate        struct{ wrongWork }
	guardRateNoLimit   struct{ wrongWork }
	guardRateNoPer     struct{ wrongWork }
	guardRateNegative  struct{ wrongWork }
	guardRateShort     struct{ wrongWork }
	guardRatePace      struct{ wrongWork }
	guardTwoSmooth     struct{ wrongWork }
	guardNegativeLimit struct{ wrongWork }
	guardNegativeWait  struct{ wrongWork }
	guardShortTTL      struct{ wrongWork }
	guardBothRules     struct{ wrongWork }
	guardShare         struct{ wrongWork }
	guardNaN           struct{ wrongWork }
	guardCoolOff       struct{ wrongWork }
	guardProbes        struct{ wrongWork }
	guardMatcher       struct{ wrongWork }
	guardBlankLiteral  struct{ wrongWork }
	guardErrorGate     struct{ wrongWork }
	guardForeignGate   struct{ wrongWork }
	guardForeignKey    struct{ wrongWork }
	guardPolicy        struct{ wrongWork }
	guardReserved      struct{ wrongWork }
	guardOwnClash      struct{ wrongWork }
	guardOwnScopes     struct{ wrongWork }
)

func guardID() cmdx.KeyResolver { return cmdx.FromContext("id") }

func (*guardNoLockKey) Configure(c *cmdx.Config) { c.LockWith(nil, cmdx.Lock{TTL: time.Second}) }
func (*guardNoPlaceKey) Configure(c *cmdx.Config) {
	c.LimitConcurrency(nil, cmdx.Concurrency{Limit: 3})
}
func (*guardNoLimit) Configure(c *cmdx.Config) { c.LimitConcurrency(guardID()) }
func (*guardNoRate) Configure(c *cmdx.Config)  { c.RateLimit(guardID()) }
func (*guardRateNoLimit) Configure(c *cmdx.Config) {
	c.RateLimit(guardID(), cmdx.Rate{Per: time.Second})
}
func (*guardRateNoPer) Configure(c *cmdx.Config) { c.RateLimit(guardID(), cmdx.Rate{Limit: 3}) }
func (*guardRateNegative) Configure(c *cmdx.Config) {
	c.RateLimit(guardID(), cmdx.Rate{Limit: -1, Per: time.Second})
}
func (*guardRateShort) Configure(c *cmdx.Config) {
	c.RateLimit(guardID(), cmdx.Rate{Limit: 1, Per: time.Microsecond})
}
func (*guardRatePace) Configure(c *cmdx.Config) {
	c.RateLimit(guardID(), cmdx.Rate{Limit: 1, Per: time.Second, Pace: 77})
}
func (*guardTwoSmooth) Configure(c *cmdx.Config) {
	c.RateLimit(guardID(), cmdx.Rate{Limit: 1, Per: time.Second, Pace: cmdx.PaceSmooth}, cmdx.Rate{Limit: 2, Per: time.Second, Pace: cmdx.PaceSmooth})
}
func (*guardNegativeLimit) Configure(c *cmdx.Config) {
	c.LimitConcurrency(guardID(), cmdx.Concurrency{Limit: -1})
}
func (*guardNegativeWait) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Wait: -time.Second})
}
func (*guardShortTTL) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{TTL: time.Microsecond})
}
func (*guardBothRules) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{Threshold: 3, FailureRate: 0.5})
}
func (*guardShare) Configure(c *cmdx.Config) { c.CircuitBreaker(nil, cmdx.Breaker{FailureRate: 1.5}) }
func (*guardNaN) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{FailureRate: math.NaN()})
}
func (*guardCoolOff) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{CoolOff: -time.Second})
}
func (*guardProbes) Configure(c *cmdx.Config) { c.CircuitBreaker(nil, cmdx.Breaker{Probes: -1}) }
func (*guardMatcher) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil, cmdx.Breaker{CountIf: cmdx.ErrorFunc(nil)})
}
func (*guardBlankLiteral) Configure(c *cmdx.Config) { c.LockWith(cmdx.Literal("")) }
func (*guardErrorGate) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{If: cmdx.WhenError(func(*guardErrorGate, error, int) bool { return true })})
}
func (*guardForeignGate) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{Limit: 1, Per: time.Second, If: cmdx.When(func(*guardPay) bool { return true })})
}
func (*guardForeignKey) Configure(c *cmdx.Config) {
	c.LimitConcurrency(cmdx.KeyFunc(func(*guardPay) string { return "k" }), cmdx.Concurrency{Limit: 1})
}
func (*guardPolicy) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{OnConflict: cmdx.PolicyStepAside})
}
func (*guardReserved) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Namespace: "cmdx-owner"})
}
func (*guardOwnClash) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Namespace: "spec:one"})
	c.IdempotentBy(guardID(), cmdx.Idempotency{Namespace: "spec:one"})
}
func (*guardOwnScopes) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Namespace: "spec:one", Scope: "account"})
	c.CircuitBreaker(guardID(), cmdx.Breaker{Namespace: "spec:one", Scope: "account"})
}

// Pairs of types that share a scope.
type (
	scopeLock1  struct{ wrongWork }
	scopeLock2  struct{ wrongWork }
	scopeRate1  struct{ wrongWork }
	scopeRate2  struct{ wrongWork }
	scopeRate3  struct{ wrongWork }
	scopeRate4  struct{ wrongWork }
	scopeOther1 struct{ wrongWork }
	scopeOther2 struct{ wrongWork }
	scopeGates1 struct{ wrongWork }
	scopeGates2 struct{ wrongWork }
	scopeName1  struct{ wrongWork }
	scopeName2  struct{ wrongWork }
	scopeApart1 struct{ wrongWork }
	scopeApart2 struct{ wrongWork }

	clashFeature1 struct{ wrongWork }
	clashFeature2 struct{ wrongWork }
	clashRates1   struct{ wrongWork }
	clashRates2   struct{ wrongWork }
)

func (*scopeLock1) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Scope: "spec.scope.a"})
}
func (*scopeLock2) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Scope: "spec.scope.a", TTL: time.Minute})
}

var (
	scopeSecond = cmdx.Rate{Scope: "spec.scope.b", Limit: 10, Per: time.Second}
	scopeHour   = cmdx.Rate{Scope: "spec.scope.b", Limit: 100, Per: time.Hour}

	scopeElsewhere = cmdx.Rate{Scope: "spec.scope.g", Limit: 10, Per: time.Second}
)

func (*scopeRate1) Configure(c *cmdx.Config) { c.RateLimit(guardID(), scopeSecond, scopeHour) }
func (*scopeRate2) Configure(c *cmdx.Config) {
	c.RateLimit(guardID(), scopeHour, scopeSecond, cmdx.Rate{Limit: 1, Per: time.Second})
}
func (*scopeRate3) Configure(c *cmdx.Config) { c.RateLimit(guardID(), scopeElsewhere) }
func (*scopeRate4) Configure(c *cmdx.Config) {
	c.RateLimit(guardID(), scopeElsewhere, cmdx.Rate{Scope: "spec.scope.g", Limit: 100, Per: time.Hour})
}
func (*scopeOther1) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Scope: "spec.scope.c", Namespace: "spec:scopes"})
}
func (*scopeOther2) Configure(c *cmdx.Config) {
	c.LimitConcurrency(guardID(), cmdx.Concurrency{Scope: "spec.scope.c", Namespace: "spec:scopes", Limit: 1})
}
func (*scopeGates1) Configure(c *cmdx.Config) {
	c.CircuitBreaker(guardID(), cmdx.Breaker{Scope: "spec.scope.d", If: cmdx.When(func(*scopeGates1) bool { return true })})
}
func (*scopeGates2) Configure(c *cmdx.Config) {
	c.CircuitBreaker(guardID(), cmdx.Breaker{Scope: "spec.scope.d", CountIf: cmdx.AnyError})
}
func (*scopeName1) Configure(c *cmdx.Config) { c.Name("spec.scope.e"); c.LockWith(guardID()) }
func (*scopeName2) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Scope: "spec.scope.e"})
}
func (*scopeApart1) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Scope: "spec.scope.f", Namespace: "spec:f1"})
}
func (*scopeApart2) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{Scope: "spec.scope.f", Namespace: "spec:f2", TTL: time.Minute})
}
func (*clashFeature1) Configure(c *cmdx.Config) {
	c.Name("spec.clash.f")
	c.LockWith(guardID(), cmdx.Lock{Namespace: "spec:g"})
}
func (*clashFeature2) Configure(c *cmdx.Config) {
	c.Name("spec.clash.f")
	c.CircuitBreaker(guardID(), cmdx.Breaker{Namespace: "spec:g"})
}
func (*clashRates1) Configure(c *cmdx.Config) {
	c.Name("spec.clash.r")
	c.RateLimit(guardID(), cmdx.Rate{Limit: 1, Per: time.Second}, cmdx.Rate{Limit: 9, Per: time.Minute})
}
func (*clashRates2) Configure(c *cmdx.Config) {
	c.Name("spec.clash.r")
	c.RateLimit(guardID(), cmdx.Rate{Limit: 1, Per: time.Second, Namespace: "spec:r"}, cmdx.Rate{Limit: 9, Per: time.Minute})
}

// Layers.
type (
	layerParent    struct{ clashWork }
	layerSilent    struct{ layerParent }
	layerDisabled  struct{ layerParent }
	layerStillOff  struct{ layerDisabled }
	layerAgain     struct{ layerDisabled }
	layerUnkeyed   struct{ clashWork }
	layerBackAgain struct{ layerParent }
)

func (*layerParent) Configure(c *cmdx.Config) {
	c.LockWith(guardID(), cmdx.Lock{TTL: time.Minute, Wait: time.Second, Renew: cmdx.On})
	c.LimitConcurrency(guardID(), cmdx.Concurrency{Limit: 7})
	c.CircuitBreaker(guardID(), cmdx.Breaker{Threshold: 9})
	c.RateLimit(guardID(), cmdx.Rate{Limit: 8, Per: time.Second})
}

func (*layerDisabled) Configure(c *cmdx.Config) {
	c.LockWith(cmdx.Disabled)
	c.LimitConcurrency(cmdx.Disabled)
	c.CircuitBreaker(cmdx.Disabled)
	c.RateLimit(cmdx.Disabled)
}

func layerOptions(c *cmdx.Config, key cmdx.KeyResolver) {
	c.LockWith(key, cmdx.Lock{TTL: time.Hour})
	c.LimitConcurrency(key, cmdx.Concurrency{TTL: time.Hour})
	c.CircuitBreaker(key, cmdx.Breaker{CoolOff: time.Hour})
	c.RateLimit(key)
}

func (*layerStillOff) Configure(c *cmdx.Config) { layerOptions(c, nil) }

func (*layerAgain) Configure(c *cmdx.Config) { layerOptions(c, cmdx.Literal("again")) }

func (*layerUnkeyed) Configure(c *cmdx.Config) {
	c.CircuitBreaker(nil)
	c.RateLimit(nil, cmdx.Rate{Limit: 1, Per: time.Second})
}

func (*layerBackAgain) Configure(c *cmdx.Config) {
	c.LockWith(nil, cmdx.Lock{Wait: cmdx.NoWait, Renew: cmdx.Off})
}

var _ = Describe("Declaring guards", func() {
	DescribeTable("refuses",
		func(task cmdx.Task, anchor, problem string) {
			_, err := cmdx.DefinitionOf(task)
			var mistake *cmdx.DefinitionError
			Expect(errors.As(err, &mistake)).To(BeTrue(), "%v", err)
			Expect(mistake.Anchor).To(Equal(anchor))
			Expect(mistake.Problem).To(ContainSubstring(problem))
			Expect(mistake.Where).To(ContainSubstring("guard_declarations_test.go:"))
			Expect(mistake.Fix).NotTo(BeEmpty())
		},
		Entry("a lock without a key", &guardNoLockKey{}, "options-without-a-resolver", "LockWith has options"),
		Entry("places without a key", &guardNoPlaceKey{}, "options-without-a-resolver", "LimitConcurrency has options"),
		Entry("places without a number", &guardNoLimit{}, "a-wrong-option", "says a Limit"),
		Entry("a rate limit without a limit", &guardNoRate{}, "a-wrong-option", "says a limit"),
		Entry("a rate without Limit", &guardRateNoLimit{}, "a-wrong-option", "Limit is 0"),
		Entry("a rate without Per", &guardRateNoPer{}, "a-wrong-option", "Per is 0s"),
		Entry("a rate below zero", &guardRateNegative{}, "a-wrong-option", "Limit is -1"),
		Entry("a period below a millisecond", &guardRateShort{}, "a-wrong-option", "Per is 1µs"),
		Entry("an unknown pace", &guardRatePace{}, "a-wrong-option", "Pace is unknown"),
		Entry("two smooth rates of one period", &guardTwoSmooth{}, "a-wrong-option", "would share one key"),
		Entry("places below zero", &guardNegativeLimit{}, "a-wrong-option", "Limit is -1"),
		Entry("a wait below zero", &guardNegativeWait{}, "a-wrong-option", "Wait is -1s"),
		Entry("a lifetime below a millisecond", &guardShortTTL{}, "a-wrong-option", "TTL is 1µs"),
		Entry("two rules of one circuit", &guardBothRules{}, "a-wrong-option", "both Threshold and FailureRate"),
		Entry("a share above all", &guardShare{}, "a-wrong-option", "FailureRate is 1.5"),
		Entry("a share that is no number", &guardNaN{}, "a-wrong-option", "FailureRate is NaN"),
		Entry("a cool-off below zero", &guardCoolOff{}, "a-wrong-option", "CoolOff is -1s"),
		Entry("probes below zero", &guardProbes{}, "a-wrong-option", "Probes is -1"),
		Entry("a matcher without a function", &guardMatcher{}, "a-wrong-option", "ErrorFunc is nil"),
		Entry("a key that is always blank", &guardBlankLiteral{}, "a-wrong-option", `Literal("")`),
		Entry("a gate about errors", &guardErrorGate{}, "whenerror-elsewhere", "LockWith"),
		Entry("a gate of another type", &guardForeignGate{}, "a-function-of-another-type", "RateLimit"),
		Entry("a key of another type", &guardForeignKey{}, "a-function-of-another-type", "LimitConcurrency"),
		Entry("a policy that it does not know", &guardPolicy{}, "a-wrong-option", "OnConflict is PolicyStepAside"),
		Entry("a namespace of the store's own", &guardReserved{}, "a-wrong-option", "Namespace"),
		Entry("two guards of one task that share keys", &guardOwnClash{}, "clashing-keys", `"spec:one:guardOwnClash:"`),
		Entry("two guards of one task under one scope", &guardOwnScopes{}, "a-scope-with-other-options", `"spec:one:account:"`),
	)

	DescribeTable("refuses two types of which one would be wrong about what they share",
		func(first, second cmdx.Task, anchor, problem string) {
			mistakes := clashMistakes(cmdx.Validate(first, second))
			Expect(mistakes).To(HaveLen(2))
			for _, m := range mistakes {
				Expect(m.Anchor).To(Equal(anchor))
				Expect(m.Problem).To(ContainSubstring(problem))
			}
		},
		Entry("locks with other lifetimes", &scopeLock1{}, &scopeLock2{}, "a-scope-with-other-options", `"cmdx:lock:spec.scope.a:"`),
		Entry("limits of which one is missing", &scopeRate3{}, &scopeRate4{}, "a-scope-with-other-options", `"cmdx:rate:spec.scope.g:"`),
		Entry("two kinds of guards", &scopeOther1{}, &scopeOther2{}, "a-scope-with-other-options", `"spec:scopes:spec.scope.c:"`),
		Entry("two kinds of guards of one name and namespace", &clashFeature1{}, &clashFeature2{}, "clashing-keys", `"spec:g:spec.clash.f:"`),
		Entry("two types with rates of one name", &clashRates1{}, &clashRates2{}, "clashing-keys", `"cmdx:rate:spec.clash.r:"`),
	)

	DescribeTable("takes two types that mean the same, or do not meet",
		func(first, second cmdx.Task) { Expect(cmdx.Validate(first, second)).To(Succeed()) },
		Entry("limits in another order, beside others", &scopeRate1{}, &scopeRate2{}),
		Entry("other gates, and another CountIf", &scopeGates1{}, &scopeGates2{}),
		Entry("a scope that is another task's name: whoever writes one means to share", &scopeName1{}, &scopeName2{}),
		Entry("one scope in two namespaces", &scopeApart1{}, &scopeApart2{}),
	)

	Describe("Layers", func() {
		type keys struct{ lock, place, breaker, rate cmdx.KeyResolver }
		of := func(task cmdx.Task) (*cmdx.Definition, keys) {
			GinkgoHelper()
			d, err := cmdx.DefinitionOf(task)
			Expect(err).NotTo(HaveOccurred())
			return d, keys{d.LockKey(), d.ConcurrencyKey(), d.BreakerKey(), d.RateKey()}
		}

		It("inherit what a child does not say", func() {
			d, k := of(&layerSilent{})
			Expect(k).To(Equal(keys{guardID(), guardID(), guardID(), guardID()}))
			Expect(d.Lock().TTL).To(Equal(time.Minute))
			Expect(d.Concurrency().Limit).To(Equal(7))
			Expect(d.Breaker().Threshold).To(Equal(9))
			Expect(d.Rates()[0].Limit).To(Equal(8))
		})

		It("stay off when a child of a disabled parent says options only, which flow through", func() {
			d, k := of(&layerStillOff{})
			Expect(k).To(Equal(keys{}))
			Expect(d.Lock().TTL).To(Equal(time.Hour))
			_, again := of(&layerAgain{})
			literal := cmdx.Literal("again")
			Expect(again).To(Equal(keys{literal, literal, literal, literal}))
			d, _ = of(&layerAgain{})
			Expect(d.Breaker()).To(Equal(cmdx.Breaker{
				Threshold: 9, Window: time.Minute, MinCalls: 20, CoolOff: time.Hour, Probes: 1, CountIf: cmdx.AnyRaised,
				Namespace: "cmdx:breaker", OnOpen: cmdx.PolicyFail, If: cmdx.Always, Unless: cmdx.Never, OnStoreError: cmdx.FailClosed,
			}))
			Expect(d.Rates()).To(HaveLen(1))
		})

		It("count for the whole type where nothing is inherited and nil is said: rate limits and circuits only", func() {
			_, k := of(&layerUnkeyed{})
			Expect(k).To(Equal(keys{breaker: cmdx.PerTask, rate: cmdx.PerTask}))
		})

		It("lead back", func() {
			d, _ := of(&layerBackAgain{})
			Expect(d.Lock().Wait).To(Equal(cmdx.NoWait))
			Expect(d.Lock().Renew).To(Equal(cmdx.Off))
			Expect(d.Lock().TTL).To(Equal(time.Minute))
		})

		It("give lists of the caller's own", func() {
			d, _ := of(&layerParent{})
			d.Rates()[0].Limit = 99
			Expect(d.Rates()[0].Limit).To(Equal(8))
		})
	})
})
