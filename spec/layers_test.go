package spec

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/outputs"
)

// layersWork makes tasks of parents.
type layersWork struct{ cmdx.Base }

func (*layersWork) Work(context.Context) error { return nil }

// layersAll says every option; what a child does not say comes from here.
type layersAll struct{ layersWork }

func (*layersAll) Configure(c *cmdx.Config) {
	c.Name("layers.All")
	c.IdempotentBy(cmdx.FromContext("request_id"), layersIdempotency)
	c.RetryOn(cmdx.ErrorIs(errLayersParent), layersRetry)
	c.Tags("parent")
}

var (
	errLayersParent = errors.New("parent's")
	errLayersChild  = errors.New("child's")
	errLayersOther  = errors.New("other's")

	layersIdempotency = cmdx.Idempotency{
		TTL: 10 * time.Minute, ProcessingTTL: time.Minute, Namespace: "layers:all",
		OnDuplicate: cmdx.PolicyFail, OnProcessing: cmdx.PolicySkip, OnBlank: cmdx.PolicyFail,
		If: cmdx.Never, Unless: cmdx.Always, OnStoreError: cmdx.FailOpen, Settle: cmdx.AfterMiddlewares,
	}
	layersRetry = cmdx.Retry{
		Limit: 7, Delay: time.Second, MaxDelay: time.Minute,
		Jitter: cmdx.Linear, If: cmdx.Never, Unless: cmdx.Always,
	}
)

// layersSays is a child of layersAll that says what the argument of its type
// says; each row of a table is a type of its own.
type layersSays[S interface{ say(*cmdx.Config) }] struct{ layersAll }

func (*layersSays[S]) Configure(c *cmdx.Config) {
	var s S
	s.say(c)
}

type layersNothing struct{}

func (layersNothing) say(*cmdx.Config) {}

// One type per option of Idempotency and Retry, and per way back.
type (
	layersTTL           struct{}
	layersProcessingTTL struct{}
	layersNamespace     struct{}
	layersOnDuplicate   struct{}
	layersOnProcessing  struct{}
	layersOnBlank       struct{}
	layersIf            struct{}
	layersUnless        struct{}
	layersOnStoreError  struct{}
	layersSettle        struct{}
	layersLimit         struct{}
	layersDelay         struct{}
	layersMaxDelay      struct{}
	layersJitter        struct{}
	layersRetryIf       struct{}
	layersRetryUnless   struct{}
)

func (layersTTL) say(c *cmdx.Config) { c.IdempotentBy(nil, cmdx.Idempotency{TTL: time.Hour}) }
func (layersProcessingTTL) say(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{ProcessingTTL: time.Hour})
}
func (layersNamespace) say(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{Namespace: "layers:child"})
}
func (layersOnDuplicate) say(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{OnDuplicate: cmdx.PolicySkip})
}
func (layersOnProcessing) say(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{OnProcessing: cmdx.PolicyFail})
}
func (layersOnBlank) say(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{OnBlank: cmdx.PolicyStepAside})
}
func (layersIf) say(c *cmdx.Config)     { c.IdempotentBy(nil, cmdx.Idempotency{If: cmdx.Always}) }
func (layersUnless) say(c *cmdx.Config) { c.IdempotentBy(nil, cmdx.Idempotency{Unless: cmdx.Never}) }
func (layersSettle) say(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{Settle: cmdx.AfterPipeline})
}
func (layersOnStoreError) say(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{OnStoreError: cmdx.FailClosed})
}
func (layersLimit) say(c *cmdx.Config)    { c.RetryOn(nil, cmdx.Retry{Limit: cmdx.NoRetries}) }
func (layersDelay) say(c *cmdx.Config)    { c.RetryOn(nil, cmdx.Retry{Delay: cmdx.NoDelay}) }
func (layersMaxDelay) say(c *cmdx.Config) { c.RetryOn(nil, cmdx.Retry{MaxDelay: cmdx.NoMaxDelay}) }
func (layersJitter) say(c *cmdx.Config)   { c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.NoJitter}) }
func (layersRetryIf) say(c *cmdx.Config)  { c.RetryOn(nil, cmdx.Retry{If: cmdx.Always}) }
func (layersRetryUnless) say(c *cmdx.Config) {
	c.RetryOn(nil, cmdx.Retry{Unless: cmdx.Never})
}

// Resolvers and switches.
type (
	layersKeeps    struct{ layersAll }
	layersReplaces struct{ layersAll }
	layersOff      struct{ layersAll }
	layersOffBelow struct{ layersOff }
	layersOnAgain  struct{ layersOffBelow }
)

func (*layersKeeps) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil)
	c.RetryOn(nil)
}
func (*layersReplaces) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("payment_id"))
	c.RetryOn(cmdx.ErrorIs(errLayersChild))
}
func (*layersOff) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Disabled, cmdx.Idempotency{TTL: time.Hour})
	c.RetryOn(cmdx.Disabled, cmdx.Retry{Limit: 9})
}
func (*layersOffBelow) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{OnBlank: cmdx.PolicyStepAside})
	c.RetryOn(nil, cmdx.Retry{Delay: time.Minute})
}
func (*layersOnAgain) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("payment_id"))
	c.RetryOn(cmdx.ErrorIs(errLayersChild))
}

// Siblings over one parent.
type (
	layersFamily struct {
		layersWork
		Port int64 `cmdx:"port"`
	}
	layersElder   struct{ layersFamily }
	layersYounger struct{ layersFamily }
	layersGrand   struct{ layersElder }
)

var layersHeard struct{ parent, elder, younger atomic.Int64 }

func (*layersFamily) Configure(c *cmdx.Config) {
	c.Name("layers.Family")
	c.Optional("port", inputs.Coerce(inputs.Integer), inputs.Default(1))
	c.Optional("host", inputs.Default("parent"))
	c.Output("receipt", outputs.Default("parent"))
	c.Tags("a", "b", "c")
	c.Tags("d")
	for range 3 { // leaves room behind the slice for a careless append
		c.RetryOn(cmdx.ErrorIs(errLayersParent))
	}
	c.Subscribe(cmdx.EventTaskExecuted, func(cmdx.Event) { layersHeard.parent.Add(1) })
}
func (*layersElder) Configure(c *cmdx.Config) {
	c.Optional("host", inputs.Default("elder"))
	c.Optional("elder", inputs.Default("only"))
	c.Output("receipt", outputs.Default("elder"))
	c.Output("elder_receipt", outputs.Default("only"))
	c.Tags("b", "elder")
	c.RetryOn(cmdx.ErrorIs(errLayersChild))
	c.Subscribe(cmdx.EventTaskExecuted, func(cmdx.Event) { layersHeard.elder.Add(1) })
}
func (*layersYounger) Configure(c *cmdx.Config) {
	c.Optional("host", inputs.Default("younger"))
	c.Tags("younger")
	c.RetryOn(cmdx.ErrorIs(errLayersOther))
	c.Subscribe(cmdx.EventTaskExecuted, func(cmdx.Event) { layersHeard.younger.Add(1) })
}

// Counted Configures.
type (
	layersCounted      struct{ layersWork }
	layersCountedMixin struct{}
	layersCountedOne   struct {
		layersCounted
		layersCountedMixin
	}
	layersCountedTwo struct {
		layersCountedMixin
		layersCounted
	}
	layersCountedThree struct{ layersCountedTwo }
)

var layersRuns struct{ parent, mixin, one, three, receivers atomic.Int64 }

func (t *layersCounted) Configure(*cmdx.Config) {
	layersRuns.parent.Add(1)
	if t != nil {
		layersRuns.receivers.Add(1)
	}
}
func (m *layersCountedMixin) Configure(*cmdx.Config) {
	layersRuns.mixin.Add(1)
	if m != nil {
		layersRuns.receivers.Add(1)
	}
}
func (t *layersCountedOne) Configure(*cmdx.Config) {
	layersRuns.one.Add(1)
	if t != nil {
		layersRuns.receivers.Add(1)
	}
}
func (*layersCountedThree) Configure(*cmdx.Config) { layersRuns.three.Add(1) }

// layersReads notes what a Configure sees of what it inherits.
type layersReads struct{ layersAll }

var layersSaw atomic.Pointer[cmdx.Idempotency]

func (*layersReads) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Literal("reads"), cmdx.Idempotency{Namespace: "layers:reads", TTL: time.Hour})
	saw := c.Idempotency()
	layersSaw.Store(&saw)
	list := c.TagList()
	list[0] = "written into"
	matchers := c.RetryMatchers()
	matchers[0] = cmdx.AnyError
}

// layersFields are the options that this page speaks of.
func layersFields(o cmdx.Idempotency) []any {
	return []any{
		o.TTL, o.ProcessingTTL, o.Namespace, o.OnDuplicate, o.OnProcessing,
		o.OnBlank, o.If, o.Unless, o.OnStoreError, o.Settle,
	}
}

func layersOf(task cmdx.Task) *cmdx.Definition {
	GinkgoHelper()
	definition, err := cmdx.DefinitionOf(task)
	Expect(err).NotTo(HaveOccurred())
	return definition
}

var _ = Describe("Layers", func() {
	run := func(task cmdx.Task, args any) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), task, args)
	}

	Describe("Options", func() {
		DescribeTable("merge field by field, each with a way back",
			func(task cmdx.Task, change func(*cmdx.Idempotency, *cmdx.Retry)) {
				idempotency, retry := layersOf(&layersAll{}).Idempotency(), layersOf(&layersAll{}).Retry()
				change(&idempotency, &retry)
				definition := layersOf(task)
				Expect(definition.Idempotency()).To(Equal(idempotency))

				gotRetry := definition.Retry()
				Expect(gotRetry.Jitter(3, time.Second, 0)).To(Equal(retry.Jitter(3, time.Second, 0)), "the jitter is another")
				gotRetry.Jitter, retry.Jitter = nil, nil
				Expect(gotRetry).To(Equal(retry))
			},
			Entry("nothing said", &layersSays[layersNothing]{}, func(*cmdx.Idempotency, *cmdx.Retry) {}),
			Entry("TTL", &layersSays[layersTTL]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.TTL = time.Hour }),
			Entry("ProcessingTTL", &layersSays[layersProcessingTTL]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.ProcessingTTL = time.Hour }),
			Entry("Namespace", &layersSays[layersNamespace]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.Namespace = "layers:child" }),
			Entry("OnDuplicate", &layersSays[layersOnDuplicate]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.OnDuplicate = cmdx.PolicySkip }),
			Entry("OnProcessing", &layersSays[layersOnProcessing]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.OnProcessing = cmdx.PolicyFail }),
			Entry("OnBlank", &layersSays[layersOnBlank]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.OnBlank = cmdx.PolicyStepAside }),
			Entry("If", &layersSays[layersIf]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.If = cmdx.Always }),
			Entry("Unless", &layersSays[layersUnless]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.Unless = cmdx.Never }),
			Entry("OnStoreError", &layersSays[layersOnStoreError]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.OnStoreError = cmdx.FailClosed }),
			Entry("Settle", &layersSays[layersSettle]{}, func(i *cmdx.Idempotency, _ *cmdx.Retry) { i.Settle = cmdx.AfterPipeline }),
			Entry("Limit", &layersSays[layersLimit]{}, func(_ *cmdx.Idempotency, r *cmdx.Retry) { r.Limit = cmdx.NoRetries }),
			Entry("Delay", &layersSays[layersDelay]{}, func(_ *cmdx.Idempotency, r *cmdx.Retry) { r.Delay = cmdx.NoDelay }),
			Entry("MaxDelay", &layersSays[layersMaxDelay]{}, func(_ *cmdx.Idempotency, r *cmdx.Retry) { r.MaxDelay = cmdx.NoMaxDelay }),
			Entry("Jitter", &layersSays[layersJitter]{}, func(_ *cmdx.Idempotency, r *cmdx.Retry) { r.Jitter = cmdx.NoJitter }),
			Entry("Retry.If", &layersSays[layersRetryIf]{}, func(_ *cmdx.Idempotency, r *cmdx.Retry) { r.If = cmdx.Always }),
			Entry("Retry.Unless", &layersSays[layersRetryUnless]{}, func(_ *cmdx.Idempotency, r *cmdx.Retry) { r.Unless = cmdx.Never }),
		)

		It("are what the type says", func() {
			definition := layersOf(&layersAll{})
			Expect(layersFields(definition.Idempotency())).To(Equal(layersFields(layersIdempotency)))
			retry := definition.Retry()
			Expect(retry.Jitter(3, time.Second, 0)).To(Equal(4 * time.Second)) // linear
			Expect([]any{retry.Limit, retry.Delay, retry.MaxDelay, retry.If, retry.Unless}).To(Equal(
				[]any{7, time.Second, time.Minute, cmdx.Never, cmdx.Always}))
		})

		It("have their defaults where nobody says anything", func() {
			definition := layersOf(&layersWork{})
			Expect(layersFields(definition.Idempotency())).To(Equal(layersFields(cmdx.Idempotency{
				TTL: 300 * time.Second, ProcessingTTL: 300 * time.Second, Namespace: "cmdx:idem",
				OnDuplicate: cmdx.PolicySkip, OnProcessing: cmdx.PolicySkip, OnBlank: cmdx.PolicyStepAside,
				If: cmdx.Always, Unless: cmdx.Never, OnStoreError: cmdx.FailClosed, Settle: cmdx.AfterPipeline,
			})))
			Expect(definition.Retry().Limit).To(Equal(3))
			Expect(definition.Retry().Delay).To(Equal(500 * time.Millisecond))
			Expect(definition.IdempotencyKey()).To(BeNil())
			Expect(definition.RetryMatchers()).To(BeEmpty())
		})
	})

	Describe("A resolver", func() {
		It("stays when the child says nil", func() {
			Expect(layersOf(&layersKeeps{}).IdempotencyKey()).To(Equal(cmdx.FromContext("request_id")))
		})

		It("replaces the parent's, whose options stay", func() {
			definition := layersOf(&layersReplaces{})
			Expect(definition.IdempotencyKey()).To(Equal(cmdx.FromContext("payment_id")))
			Expect(layersFields(definition.Idempotency())).To(Equal(layersFields(layersIdempotency)))
		})
	})

	Describe("Matchers", func() {
		It("append to the parent's", func() {
			Expect(layersOf(&layersReplaces{}).RetryMatchers()).To(Equal(
				[]cmdx.ErrorMatcher{cmdx.ErrorIs(errLayersParent), cmdx.ErrorIs(errLayersChild)}))
		})

		It("stay when the child says nil", func() {
			Expect(layersOf(&layersKeeps{}).RetryMatchers()).To(Equal([]cmdx.ErrorMatcher{cmdx.ErrorIs(errLayersParent)}))
		})
	})

	Describe("Disabled", func() {
		It("turns the feature off for the type", func() {
			definition := layersOf(&layersOff{})
			Expect(definition.IdempotencyKey()).To(BeNil())
			Expect(definition.RetryMatchers()).To(BeEmpty())
			Expect(definition.Steps()).NotTo(ContainElement("idempotency claim"))
		})

		It("turns it off for descendants, also when they say options", func() {
			definition := layersOf(&layersOffBelow{})
			Expect(definition.IdempotencyKey()).To(BeNil())
			Expect(definition.RetryMatchers()).To(BeEmpty())
		})

		It("ends where a resolver is given again, and the options have flowed through", func() {
			definition := layersOf(&layersOnAgain{})
			Expect(definition.IdempotencyKey()).To(Equal(cmdx.FromContext("payment_id")))
			want := layersIdempotency
			want.TTL, want.OnBlank = time.Hour, cmdx.PolicyStepAside
			Expect(layersFields(definition.Idempotency())).To(Equal(layersFields(want)))
			Expect(definition.RetryMatchers()).To(Equal([]cmdx.ErrorMatcher{cmdx.ErrorIs(errLayersChild)}))
			Expect(definition.Retry().Limit).To(Equal(9))
			Expect(definition.Retry().Delay).To(Equal(time.Minute))
			Expect(definition.Retry().MaxDelay).To(Equal(time.Minute))
		})
	})

	Describe("Children of one parent", func() {
		It("replace inputs by name and add their own", func() {
			elder := run(&layersElder{}, nil).Task().(*layersElder)
			Expect(elder.Input("host")).To(Equal("elder"))
			Expect(elder.Input("elder")).To(Equal("only"))
			Expect(elder.Port).To(BeEquivalentTo(1))
		})

		It("leave the parent's and each other's inputs alone", func() {
			Expect(run(&layersFamily{}, nil).Task().(*layersFamily).Input("host")).To(Equal("parent"))
			younger := run(&layersYounger{}, nil).Task().(*layersYounger)
			Expect(younger.Input("host")).To(Equal("younger"))
			Expect(younger.Input("elder")).To(BeNil())
		})

		It("replace outputs by name and add their own", func() {
			data := run(&layersElder{}, nil).Context().ToMap()
			Expect(data).To(HaveKeyWithValue("receipt", "elder"))
			Expect(data).To(HaveKeyWithValue("elder_receipt", "only"))
		})

		It("leave the parent's and each other's outputs alone", func() {
			for _, task := range []cmdx.Task{&layersFamily{}, &layersYounger{}} {
				data := run(task, nil).Context().ToMap()
				Expect(data).To(HaveKeyWithValue("receipt", "parent"))
				Expect(data).NotTo(HaveKey("elder_receipt"))
			}
		})

		It("add tags, each once", func() {
			Expect(layersOf(&layersElder{}).TagList()).To(Equal([]string{"a", "b", "c", "d", "elder"}))
			Expect(layersOf(&layersYounger{}).TagList()).To(Equal([]string{"a", "b", "c", "d", "younger"}))
			Expect(layersOf(&layersFamily{}).TagList()).To(Equal([]string{"a", "b", "c", "d"}))
		})

		It("append matchers without writing into the parent's", func() {
			parents := []cmdx.ErrorMatcher{cmdx.ErrorIs(errLayersParent), cmdx.ErrorIs(errLayersParent), cmdx.ErrorIs(errLayersParent)}
			elder, younger := layersOf(&layersElder{}), layersOf(&layersYounger{})
			Expect(elder.RetryMatchers()).To(Equal(append(parents[:3:3], cmdx.ErrorIs(errLayersChild))))
			Expect(younger.RetryMatchers()).To(Equal(append(parents[:3:3], cmdx.ErrorIs(errLayersOther))))
			Expect(layersOf(&layersFamily{}).RetryMatchers()).To(Equal(parents))
		})

		It("add subscriptions, and descendants hear with them", Serial, func() {
			heard := func(task cmdx.Task) [3]int64 {
				p, e, y := layersHeard.parent.Load(), layersHeard.elder.Load(), layersHeard.younger.Load()
				run(task, nil)
				return [3]int64{layersHeard.parent.Load() - p, layersHeard.elder.Load() - e, layersHeard.younger.Load() - y}
			}
			Expect(heard(&layersFamily{})).To(Equal([3]int64{1, 0, 0}))
			Expect(heard(&layersElder{})).To(Equal([3]int64{1, 1, 0}))
			Expect(heard(&layersYounger{})).To(Equal([3]int64{1, 0, 1}))
			Expect(heard(&layersGrand{})).To(Equal([3]int64{1, 1, 0}))
		})

		It("do not inherit the name", func() {
			Expect(layersOf(&layersFamily{}).Name()).To(Equal("layers.Family"))
			Expect(layersOf(&layersElder{}).Name()).To(Equal("layersElder"))
		})
	})

	Describe("Configure", func() {
		It("runs once per type and a mixin's once per embedding type, on a nil receiver", func() {
			for range 3 {
				for _, task := range []cmdx.Task{&layersCountedOne{}, &layersCountedTwo{}, &layersCountedThree{}, &layersCounted{}} {
					Expect(run(task, nil).IsSuccess()).To(BeTrue())
					layersOf(task)
				}
			}
			Expect(layersRuns.parent.Load()).To(BeEquivalentTo(1))
			Expect(layersRuns.one.Load()).To(BeEquivalentTo(1))
			Expect(layersRuns.three.Load()).To(BeEquivalentTo(1))
			Expect(layersRuns.mixin.Load()).To(BeEquivalentTo(2))
			Expect(layersRuns.receivers.Load()).To(BeZero())
		})

		It("reads the effective values so far", func() {
			layersOf(&layersReads{})
			want := layersIdempotency
			want.TTL, want.Namespace = time.Hour, "layers:reads"
			Expect(layersFields(*layersSaw.Load())).To(Equal(layersFields(want)))
		})

		It("writes into copies only when it writes into what a getter gave", func() {
			definition := layersOf(&layersReads{})
			Expect(definition.TagList()).To(Equal([]string{"parent"}))
			Expect(definition.RetryMatchers()).To(Equal([]cmdx.ErrorMatcher{cmdx.ErrorIs(errLayersParent)}))
			definition.TagList()[0] = "written into"
			definition.RetryMatchers()[0] = cmdx.AnyError
			definition.Steps()[0] = "written into"
			Expect(definition.TagList()).To(Equal([]string{"parent"}))
			Expect(definition.RetryMatchers()).To(Equal([]cmdx.ErrorMatcher{cmdx.ErrorIs(errLayersParent)}))
			Expect(definition.Steps()).NotTo(ContainElement("written into"))
			Expect(layersOf(&layersAll{}).TagList()).To(Equal([]string{"parent"}))
		})
	})
})
