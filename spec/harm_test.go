package spec

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

type (
	harmPayment struct {
		doing
		PaymentID string `cmdx:"payment_id"`
	}
	harmNumbered struct {
		doing
		PaymentID int64 `cmdx:"payment_id"`
	}
	harmBrief struct{ doing }
	harmOpen  struct{ doing }
	harmChild struct{ doing }
	harmTold  struct{ doing }
)

func (*harmPayment) Configure(c *cmdx.Config) {
	c.Required("payment_id", inputs.Coerce(inputs.String))
	c.IdempotentBy(cmdx.FromContext("payment_id"))
}

func (*harmNumbered) Configure(c *cmdx.Config) {
	c.Required("payment_id")
	c.IdempotentBy(cmdx.FromContext("payment_id"))
}

func (*harmBrief) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Literal("k"), cmdx.Idempotency{ProcessingTTL: 100 * time.Millisecond})
}

func (*harmOpen) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Literal("k"), cmdx.Idempotency{OnStoreError: cmdx.FailOpen})
}

func (*harmChild) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Literal("k"))
	c.Output("receipt")
}

func (*harmTold) Configure(c *cmdx.Config) {
	c.Subscribe(cmdx.EventTaskStarted, func(cmdx.Event) { runtime.Goexit() })
}

// harmPanicking is a store whose Enter panics.
type harmPanicking struct{ *stores.Memory }

func (harmPanicking) Enter(context.Context, stores.Token, []stores.Entry, int) (stores.Entered, error) {
	panic("no store today")
}

var _ = Describe("Harm", func() {
	bg := context.Background()

	DescribeTable("is not done by a JSON float that may be another number: it is no key", func(t cmdx.Task, reason string) {
		rt := cmdx.New(cmdx.Configuration{})
		for _, body := range []string{`{"payment_id": 9007199254740992}`, `{"payment_id": 9007199254740993}`} {
			var args map[string]any
			Expect(json.Unmarshal([]byte(body), &args)).To(Succeed())
			Expect(rt.Execute(bg, t, args)).To(endFailed(reason))
		}
	},
		Entry("as a string", &harmPayment{}, "payment_id could not coerce into a string"),
		Entry("as an integer", &harmNumbered{}, "payment_id could not coerce into an integer"),
	)

	It("is not done under a claim that was over before Work began", bubble(), func() {
		rt := cmdx.New(cmdx.Configuration{})
		rt.Telemetry().Subscribe(cmdx.EventIdempotencyClaimed, func(cmdx.Event) { time.Sleep(150 * time.Millisecond) })
		worked := false
		res := rt.Execute(bg, &harmBrief{doing{work: func(context.Context, *doing) error { worked = true; return nil }}}, nil)
		Expect(worked).To(BeFalse())
		var lost *cmdx.LeaseLostError
		Expect(errors.As(res.Cause(), &lost)).To(BeTrue())
	})

	It("is not done by an Enter that arrives after its run has failed open and failed", func() {
		faulty := storetest.NewFaulty(stores.NewMemory())
		rt := cmdx.New(cmdx.Configuration{Store: faulty})
		faulty.Fail(storetest.OpEnter, 1, errors.New("connection reset"))
		Expect(rt.Execute(bg, &harmOpen{doing{work: func(context.Context, *doing) error { return errors.New("broken") }}}, nil).IsFailed()).To(BeTrue())
		Expect(faulty.CallsOf(storetest.OpTakeBack)).To(HaveLen(1))
	})

	It("is not done by a store that panics: it fails closed as one that does not answer", func() {
		res := cmdx.New(cmdx.Configuration{Store: harmPanicking{stores.NewMemory()}}).Execute(bg, &harmBrief{}, nil)
		Expect(res.IsFailed()).To(BeTrue())
		Expect(res.Metadata()).To(HaveKeyWithValue("code", cmdx.CodeStoreUnavailable))
		var panicked *cmdx.PanicError
		Expect(errors.As(res.Cause(), &panicked)).To(BeTrue())
	})

	It("is not done by a store that panics when the guard fails open: Work runs", func() {
		worked := false
		res := cmdx.New(cmdx.Configuration{Store: harmPanicking{stores.NewMemory()}}).
			Execute(bg, &harmOpen{doing{work: func(context.Context, *doing) error { worked = true; return nil }}}, nil)
		Expect(res).To(endSuccess())
		Expect(worked).To(BeTrue())
	})

	It("is not done to a nested run that ends after its root: its work counts and its key is completed", func() {
		rt := cmdx.New(cmdx.Configuration{})
		begun, rootEnded, ended := make(chan struct{}), make(chan struct{}), make(chan *cmdx.Result, 1)
		child := &harmChild{doing{work: func(_ context.Context, t *doing) error {
			close(begun)
			<-rootEnded
			t.Context().Set("receipt", "r")
			return nil
		}}}
		root := rt.Execute(bg, do(func(ctx context.Context, _ *doing) error {
			go func() { ended <- rt.Execute(ctx, child, nil) }()
			<-begun
			return nil
		}), nil)
		close(rootEnded)
		late := <-ended
		Expect(late).To(endSuccess())
		Expect(late.Context().ToMap()).To(HaveKeyWithValue("receipt", "r"))
		value, _, _ := rt.Store().Get(bg, "cmdx:idem:harmChild:k")
		Expect(value).To(Equal("completed"))
		By("leaving the closed chain as it was")
		Expect(root.Chain().Len()).To(Equal(1))
		By("closing its context afterwards")
		late.Context().Set("receipt", "other")
		Expect(late.Context().ToMap()).To(HaveKeyWithValue("receipt", "r"))
	})

	It("is not done by a subscriber that ends the goroutine after the result was told", func() {
		rt := cmdx.New(cmdx.Configuration{})
		rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(cmdx.Event) { runtime.Goexit() })
		Expect(doGoexit(func() {
			rt.Execute(bg, do(func(_ context.Context, t *doing) error { t.Metadata()["a"] = 1; return nil }), nil)
		})).To(BeFalse())
	})

	It("is not done by a type's subscriber that ends the goroutine: the runtime's hear the event", func() {
		rt := cmdx.New(cmdx.Configuration{})
		heard := 0
		rt.Telemetry().Subscribe(cmdx.EventTaskStarted, func(cmdx.Event) { heard++ })
		doGoexit(func() { rt.Execute(bg, &harmTold{}, nil) })
		Expect(heard).To(Equal(1))
	})

	It("is not done by a Fault that nobody's run made: it is a raised error", func() {
		fault := &cmdx.Fault{}
		res := doRun(func(context.Context, *doing) error { return fault })
		Expect(res.IsFailed()).To(BeTrue())
		Expect(res.Cause()).To(BeIdenticalTo(error(fault)))
	})

	It("is not done by Reset inside Configure", func() {
		DeferCleanup(cmdx.Reset)
		turns := 0
		cmdx.Configure(func(*cmdx.Configuration) {
			if turns++; turns == 1 {
				cmdx.Reset()
			}
		})
		Expect(turns).To(Equal(2))
	})
})
