package spec

import (
	"context"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// idemChargeCustomer is the page's first task.
type idemChargeCustomer struct {
	cmdx.Base
	Charge      func(ctx context.Context, t *idemChargeCustomer) (string, error)
	PaymentID   string `cmdx:"payment_id"`
	AmountCents int64  `cmdx:"amount_cents"`
}

func (*idemChargeCustomer) Configure(c *cmdx.Config) {
	c.Name("ChargeCustomer")
	c.IdempotentBy(cmdx.FromContext("payment_id"))
	c.Required("payment_id", inputs.Coerce(inputs.String))
	c.Required("amount_cents", inputs.Coerce(inputs.Integer))
}

func (t *idemChargeCustomer) Work(ctx context.Context) error {
	charge, err := t.Charge(ctx, t)
	if err != nil {
		return err
	}
	t.Context().Set("charge", charge)
	return nil
}

// idemPlainCharge claims by id with nothing but defaults.
type idemPlainCharge struct{ idemWorker }

func (*idemPlainCharge) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("id")) }

// idemRefusingCharge lets duplicates fail.
type idemRefusingCharge struct{ idemWorker }

func (*idemRefusingCharge) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{OnDuplicate: cmdx.PolicyFail})
}

// idemNamespaced keeps its claims elsewhere.
type idemNamespaced struct{ idemWorker }

func (*idemNamespaced) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{Namespace: "billing:once"})
}

// idemGatedIf, idemGatedUnless and idemGatedBoth turn the claim on and off
// for one run.
type (
	idemGates struct {
		idemWorker
		Live, DryRun bool
	}
	idemGatedIf     struct{ idemGates }
	idemGatedUnless struct{ idemGates }
	idemGatedBoth   struct{ idemGates }
)

func (t *idemGates) live() bool   { return t.Live }
func (t *idemGates) dryRun() bool { return t.DryRun }

func (*idemGatedIf) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{If: cmdx.When((*idemGates).live)})
}

func (*idemGatedUnless) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{Unless: cmdx.When((*idemGates).dryRun)})
}

func (*idemGatedBoth) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{
		If: cmdx.When((*idemGates).live), Unless: cmdx.When((*idemGates).dryRun),
	})
}

// idemLiteral, idemByMethod and idemByObject are the other key resolvers.
type (
	idemLiteral  struct{ idemWorker }
	idemByMethod struct {
		idemWorker
		UserID int
	}
	idemByObject struct{ idemWorker }
)

func (*idemLiteral) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.Literal("nightly")) }

func (t *idemByMethod) key() string {
	key, _ := cmdx.Get[string](t.Context(), "idempotency_key")
	return fmt.Sprintf("%d:%s", t.UserID, key)
}

func (*idemByMethod) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.KeyFunc((*idemByMethod).key)) }

// idemTenantKey is a small resolver object.
type idemTenantKey struct{ tenant string }

func (k idemTenantKey) Key(_ context.Context, task cmdx.Task) (any, error) {
	id, _ := task.(*idemByObject).Context().Get("id")
	return fmt.Sprintf("%s/%v", k.tenant, id), nil
}

func (*idemByObject) Configure(c *cmdx.Config) { c.IdempotentBy(idemTenantKey{"acme"}) }

// idemQueued answers a run in progress otherwise than a completed one.
type (
	idemQueued        struct{ idemWorker }
	idemQueuedReverse struct{ idemWorker }
)

func (*idemQueued) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{OnProcessing: cmdx.PolicyFail})
}

func (*idemQueuedReverse) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{OnDuplicate: cmdx.PolicyFail, OnProcessing: cmdx.PolicySkip})
}

// idemShort remembers a claim for two seconds and a completion for ten.
type idemShort struct{ idemWorker }

func (*idemShort) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{TTL: 10 * time.Second, ProcessingTTL: 2 * time.Second})
}

// idemUneven has a ttl that is not whole milliseconds.
type idemUneven struct{ idemWorker }

func (*idemUneven) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{TTL: 1500 * time.Microsecond})
}

// idemLong has a ttl of a hundred years.
type idemLong struct{ idemWorker }

func (*idemLong) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{TTL: 100 * 365 * 24 * time.Hour})
}

// idemStrictBlank refuses to work without a key.
type idemStrictBlank struct{ idemWorker }

func (*idemStrictBlank) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{OnBlank: cmdx.PolicyFail})
}

var errIdemOutage = errors.New("the provider is away")

// idemRetrying tries again, and must leave a receipt.
type idemRetrying struct{ idemWorker }

func (*idemRetrying) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"))
	c.RetryOn(cmdx.ErrorIs(errIdemOutage), cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
	c.Output("receipt")
}

// The page's family of tasks.
type (
	idemApplicationTask struct{ idemWorker }
	idemInherits        struct{ idemApplicationTask }
	idemOwnKey          struct{ idemApplicationTask }
	idemOwnTTL          struct{ idemApplicationTask }
	idemPreview         struct{ idemApplicationTask }
	idemPreviewChild    struct{ idemPreview }
	idemPreviewOnAgain  struct{ idemPreview }
)

func (*idemApplicationTask) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("request_id"), cmdx.Idempotency{TTL: 600 * time.Second})
}

func (*idemOwnKey) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("payment_id")) }

func (*idemOwnTTL) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{TTL: 900 * time.Second})
}

func (*idemPreview) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.Disabled) }

func (*idemPreviewOnAgain) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("payment_id"))
}

// idemAsking asks for the settings so far while it declares; what it sees is
// kept here, since a Configure has no receiver.
type idemAsking struct{ idemApplicationTask }

var idemAsked struct {
	inherited, own cmdx.Idempotency
	key            cmdx.KeyResolver
}

func (*idemAsking) Configure(c *cmdx.Config) {
	idemAsked.inherited, idemAsked.key = c.Idempotency(), c.IdempotencyKey()
	c.IdempotentBy(nil, cmdx.Idempotency{Namespace: "asking"})
	idemAsked.own = c.Idempotency()
}

// idemTellsItself has subscribers of its type.
type idemTellsItself struct{ idemWorker }

var idemToldOwn = make(chan cmdx.Event, 16)

func (*idemTellsItself) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"))
	c.Subscribe(cmdx.EventIdempotencyDuplicate, func(e cmdx.Event) { idemToldOwn <- e })
}

// idemOuter runs other tasks.
type idemOuter struct{ idemWorker }

// idemPlainKey is the store key of an idemPlainCharge.
func idemPlainKey(segment string) string { return "cmdx:idem:idemPlainCharge:" + segment }

var _ = Describe("Idempotency", func() {
	var rig *idemRig

	BeforeEach(func() { rig = newIdemRig() })

	working := func() idemWorker { return idemReturning(rig, nil) }

	It("lets the work of one key happen at most once", func() {
		for range 5 {
			rig.run(&idemPlainCharge{working()}, "pay_123")
		}
		Expect(rig.works()).To(Equal(1))
	})

	It("stops the second caller before work runs", func() {
		rig.run(&idemPlainCharge{}, "pay_123")
		Expect(rig.run(&idemPlainCharge{working()}, "pay_123")).To(idemEnd("skipped duplicate completed"))
		Expect(rig.works()).To(BeZero())
	})

	It("claims in one step, marks success in another, and needs nothing else registered", func() {
		rig.run(&idemPlainCharge{}, "pay_123")
		Expect(rig.store.Trace()).To(Equal([]string{
			"enter " + idemPlainKey("pay_123"), "leave " + idemPlainKey("pay_123") + "=complete",
		}))
	})

	It("works for every key once", func() {
		for _, id := range []string{"pay_1", "pay_2", "pay_3", "pay_2"} {
			rig.run(&idemPlainCharge{working()}, id)
		}
		Expect(rig.works()).To(Equal(3))
	})

	Describe("Where the claim stands", func() {
		It("claims after the inputs are resolved", func() {
			res := rig.Execute(context.Background(), &idemChargeCustomer{}, cmdx.Args{"payment_id": "pay_123", "amount_cents": "much"})
			Expect(res).To(idemEnd("failed"))
			Expect(rig.store.Calls()).To(BeEmpty())
		})

		It("wraps the whole retry loop, not each attempt", func() {
			rig.watchStore()
			rig.run(&idemRetrying{idemReturning(rig, errIdemOutage)}, "r")
			Expect(rig.order()).To(Equal([]string{
				"enter cmdx:idem:idemRetrying:r", "work", "work", "work", "leave cmdx:idem:idemRetrying:r=release",
			}))
		})

		It("marks the slot completed after one successful run", func() {
			rig.run(&idemPlainCharge{}, "pay_123")
			Expect(rig.value(idemPlainKey("pay_123"))).To(Equal("completed"))
		})

		It("deletes the claim after a raised error, so that a retry gets to work again", func() {
			rig.run(&idemPlainCharge{idemReturning(rig, errIdemOutage)}, "pay_123")
			Expect(rig.value(idemPlainKey("pay_123"))).To(BeEmpty())
			Expect(rig.run(&idemPlainCharge{working()}, "pay_123")).To(idemEnd("success"))
			Expect(rig.works()).To(Equal(2))
		})
	})

	Describe("Basic usage", func() {
		charge := func(paymentID any) *cmdx.Result {
			task := &idemChargeCustomer{Charge: func(_ context.Context, t *idemChargeCustomer) (string, error) {
				rig.note("charge " + t.PaymentID)
				return "ch_1", nil
			}}
			return rig.Execute(context.Background(), task, cmdx.Args{"payment_id": paymentID, "amount_cents": 9_900})
		}

		It("succeeds the first time and skips the second as a duplicate", func() {
			Expect(charge("pay_123")).To(idemEnd("success"))
			Expect(charge("pay_123")).To(idemEnd("skipped duplicate completed"))
			Expect(rig.order()).To(Equal([]string{"charge pay_123"}))
		})

		It("picks the key from what the input became", func() {
			charge(123)
			Expect(charge("123")).To(idemEnd("skipped duplicate completed"))
		})

		It("gives a duplicate nothing of the first run's context", func() {
			charge("pay_123")
			Expect(charge("pay_123").Context().Has("charge")).To(BeFalse())
		})
	})

	Describe("Options", func() {
		It("has the page's defaults", func() {
			d, err := cmdx.DefinitionOf(&idemPlainCharge{})
			Expect(err).NotTo(HaveOccurred())
			o := d.Idempotency()
			Expect([]any{o.TTL, o.ProcessingTTL, o.Namespace}).To(Equal([]any{300 * time.Second, 300 * time.Second, "cmdx:idem"}))
			Expect([]any{o.OnDuplicate, o.OnProcessing, o.OnBlank, o.OnStoreError}).To(Equal(
				[]any{cmdx.PolicySkip, cmdx.PolicySkip, cmdx.PolicyStepAside, cmdx.FailClosed}))
			Expect([]any{o.If, o.Unless}).To(Equal([]any{cmdx.Always, cmdx.Never}))
			Expect(o.Settle).To(Equal(cmdx.AfterPipeline))
		})

		It("lets a new run claim again once the ttl has passed, and not before", bubble(), func() {
			rig := newIdemRig()
			rig.run(&idemPlainCharge{}, "pay_123")
			time.Sleep(300*time.Second - time.Millisecond)
			Expect(rig.run(&idemPlainCharge{}, "pay_123")).To(idemEnd("skipped duplicate completed"))
			time.Sleep(time.Millisecond)
			Expect(rig.run(&idemPlainCharge{}, "pay_123")).To(idemEnd("success"))
		})

		It("begins the store key with the namespace", func() {
			rig.run(&idemNamespaced{}, "pay_123")
			Expect(rig.value("billing:once:idemNamespaced:pay_123")).To(Equal("completed"))
		})

		It("skips a duplicate under PolicySkip, the default", func() {
			rig.run(&idemPlainCharge{}, "pay_123")
			Expect(rig.run(&idemPlainCharge{}, "pay_123")).To(idemEnd("skipped duplicate completed"))
		})

		It("fails a duplicate under PolicyFail", func() {
			rig.run(&idemRefusingCharge{}, "pay_123")
			Expect(rig.run(&idemRefusingCharge{}, "pay_123")).To(idemEnd("failed duplicate completed"))
		})

		const on, off = 1, 2
		DescribeTable("If and Unless turn it on or off for one run",
			func(task func(idemGates) cmdx.Task, live, dryRun bool, works int) {
				for range 2 {
					rig.run(task(idemGates{working(), live, dryRun}), "pay_123")
				}
				Expect(rig.works()).To(Equal(works))
				Expect(rig.store.CallsOf(storetest.OpEnter)).To(HaveLen(map[int]int{on: 2, off: 0}[works]))
			},
			func(_ func(idemGates) cmdx.Task, live, dryRun bool, works int) string {
				return fmt.Sprintf("live %t, dry run %t: on %t", live, dryRun, works == on)
			},
			Entry(nil, func(g idemGates) cmdx.Task { return &idemGatedIf{g} }, true, false, on),
			Entry(nil, func(g idemGates) cmdx.Task { return &idemGatedIf{g} }, false, false, off),
			Entry(nil, func(g idemGates) cmdx.Task { return &idemGatedUnless{g} }, false, false, on),
			Entry(nil, func(g idemGates) cmdx.Task { return &idemGatedUnless{g} }, false, true, off),
			Entry(nil, func(g idemGates) cmdx.Task { return &idemGatedBoth{g} }, true, false, on),
			Entry(nil, func(g idemGates) cmdx.Task { return &idemGatedBoth{g} }, true, true, off),
			Entry(nil, func(g idemGates) cmdx.Task { return &idemGatedBoth{g} }, false, false, off),
			Entry(nil, func(g idemGates) cmdx.Task { return &idemGatedBoth{g} }, false, true, off),
		)
	})

	Describe("Key resolvers", func() {
		Context("by name", func() {
			It("takes the input of that name after inputs ran", func() {
				task := &idemChargeCustomer{Charge: func(context.Context, *idemChargeCustomer) (string, error) { return "", nil }}
				rig.Execute(context.Background(), task, cmdx.Args{"payment_id": 42, "amount_cents": 1})
				Expect(rig.value("cmdx:idem:ChargeCustomer:42")).To(Equal("completed"))
			})

			It("takes the context's value where no input is declared", func() {
				rig.run(&idemPlainCharge{}, 42)
				Expect(rig.value(idemPlainKey("42"))).To(Equal("completed"))
			})
		})

		It("takes a literal as it is and looks nothing up", func() {
			rig.Execute(context.Background(), &idemLiteral{}, cmdx.Args{"nightly": "other"})
			Expect(rig.value("cmdx:idem:idemLiteral:nightly")).To(Equal("completed"))
		})

		It("calls a method on the executed task", func() {
			rig.Execute(context.Background(), &idemByMethod{UserID: 7}, cmdx.Args{"idempotency_key": "o_1"})
			Expect(rig.value("cmdx:idem:idemByMethod:7:o_1")).To(Equal("completed"))
		})

		It("hands the task to any other resolver", func() {
			rig.run(&idemByObject{}, 5)
			Expect(rig.value("cmdx:idem:idemByObject:acme/5")).To(Equal("completed"))
		})

		DescribeTable("steps aside for a blank segment: work runs every time and nothing is written",
			func(args cmdx.Args) {
				for range 2 {
					Expect(rig.Execute(context.Background(), &idemPlainCharge{working()}, args)).To(idemEnd("success"))
				}
				Expect(rig.works()).To(Equal(2))
				Expect(rig.store.Calls()).To(BeEmpty())
			},
			Entry("missing", cmdx.Args{}),
			Entry("nil", cmdx.Args{"id": nil}),
			Entry("a typed nil", cmdx.Args{"id": (*string)(nil)}),
			Entry("an empty text", cmdx.Args{"id": ""}),
		)
	})

	Describe("Store keys", func() {
		charge := func(work func(ctx context.Context, t *idemChargeCustomer) (string, error)) *cmdx.Result {
			return rig.Execute(context.Background(), &idemChargeCustomer{Charge: work}, cmdx.Args{"payment_id": "pay_123", "amount_cents": 9_900})
		}

		It("is namespace, task name and segment, joined by colons", func() {
			charge(func(context.Context, *idemChargeCustomer) (string, error) { return "", nil })
			Expect(rig.store.CallsOf(storetest.OpEnter)[0].Key).To(Equal("cmdx:idem:ChargeCustomer:pay_123"))
		})

		It("refuses empty parts", func() {
			for _, parts := range [][3]string{{"", "T", "s"}, {"n", "", "s"}, {"n", "T", ""}} {
				_, err := stores.Compose(parts[0], parts[1], parts[2])
				Expect(err).To(BeAssignableToTypeOf(&stores.KeyError{}))
			}
		})

		It("reads processing while work is running and completed after a success", func() {
			var during string
			charge(func(context.Context, *idemChargeCustomer) (string, error) {
				during = rig.value("cmdx:idem:ChargeCustomer:pay_123")
				return "", nil
			})
			Expect(during).To(Equal("processing"))
			Expect(rig.value("cmdx:idem:ChargeCustomer:pay_123")).To(Equal("completed"))
		})

		It("tells a duplicate which of the two it met", func() {
			none := func(context.Context, *idemChargeCustomer) (string, error) { return "", nil }
			var during *cmdx.Result
			charge(func(context.Context, *idemChargeCustomer) (string, error) {
				during = charge(none)
				return "", nil
			})
			Expect(during.Reason()).To(And(ContainSubstring("duplicate"), ContainSubstring("state=processing")))
			Expect(charge(none).Reason()).To(And(ContainSubstring("duplicate"), ContainSubstring("state=completed")))
		})
	})

	Describe("Interaction with retries", func() {
		It("stands between the inputs and the retry loop, and completes behind the outputs", func() {
			d, err := cmdx.DefinitionOf(&idemRetrying{})
			Expect(err).NotTo(HaveOccurred())
			Expect(d.Steps()).To(Equal([]string{"idempotency claim", "retry loop { Work }", "verify outputs", "completed"}))
			d, err = cmdx.DefinitionOf(&idemChargeCustomer{})
			Expect(err).NotTo(HaveOccurred())
			Expect(d.Steps()).To(Equal([]string{"resolve inputs", "idempotency claim", "retry loop { Work }", "completed"}))
		})

		It("keeps the claim from the first attempt to the last", func() {
			var seen []string
			attempt := 0
			rig.run(&idemRetrying{idemDoing(func(_ context.Context, w *idemWorker) error {
				seen = append(seen, rig.value("cmdx:idem:idemRetrying:r"))
				if attempt++; attempt < 3 {
					return errIdemOutage
				}
				w.Context().Set("receipt", "r_1")
				return nil
			})}, "r")
			Expect(seen).To(Equal([]string{"processing", "processing", "processing"}))
			Expect(rig.value("cmdx:idem:idemRetrying:r")).To(Equal("completed"))
		})

		It("has deleted the claim when an enclosing task sees the error", func() {
			var seen string
			outer := &idemOuter{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				err := cmdx.Execute(ctx, &idemPlainCharge{idemReturning(rig, errIdemOutage)}, cmdx.Args{"id": "in"}).Err()
				seen = rig.value(idemPlainKey("in"))
				return err
			})}
			Expect(rig.run(outer, "out")).To(idemEnd("failed"))
			Expect(seen).To(BeEmpty())
		})

		It("releases the claim when work skips", func() {
			rig.run(&idemPlainCharge{idemDoing(func(_ context.Context, w *idemWorker) error { return w.Skip("later") })}, "s")
			Expect(rig.value(idemPlainKey("s"))).To(BeEmpty())
		})

		It("releases the claim when work fails", func() {
			rig.run(&idemPlainCharge{idemDoing(func(_ context.Context, w *idemWorker) error { return w.Fail("no") })}, "f")
			Expect(rig.value(idemPlainKey("f"))).To(BeEmpty())
		})

		It("releases the claim when the outputs do not hold", func() {
			Expect(rig.run(&idemRetrying{working()}, "o")).To(idemEnd("failed"))
			Expect(rig.value("cmdx:idem:idemRetrying:o")).To(BeEmpty())
		})

		It("never enters work again once the slot is completed", func() {
			receipt := idemDoing(func(_ context.Context, w *idemWorker) error {
				rig.note("work")
				w.Context().Set("receipt", "r_1")
				return nil
			})
			Expect(rig.run(&idemRetrying{receipt}, "c")).To(idemEnd("success"))
			Expect(rig.run(&idemRetrying{receipt}, "c")).To(idemEnd("skipped duplicate completed"))
			Expect(rig.works()).To(Equal(1))
		})

		It("completes the slot for a run that halted with Success", func() {
			rig.run(&idemRetrying{idemDoing(func(_ context.Context, w *idemWorker) error { return w.Success("nothing to do") })}, "s")
			Expect(rig.value("cmdx:idem:idemRetrying:s")).To(Equal("completed"))
		})

		It("shares claims through a shared store", func() {
			shared := stores.NewMemory()
			first, second := cmdx.New(cmdx.Configuration{Store: shared}), cmdx.New(cmdx.Configuration{Store: shared})
			first.Execute(context.Background(), &idemPlainCharge{}, cmdx.Args{"id": 1})
			Expect(second.Execute(context.Background(), &idemPlainCharge{}, cmdx.Args{"id": 1})).To(idemEnd("skipped duplicate completed"))
		})

		It("shares nothing between two memory stores, the default", func() {
			for range 2 {
				own := cmdx.New(cmdx.Configuration{})
				Expect(own.Execute(context.Background(), &idemPlainCharge{}, cmdx.Args{"id": 1})).To(idemEnd("success"))
			}
		})
	})

	Describe("TTL and crashes", func() {
		It("keeps the key of a dead worker until the ttl ends, then lets another run work", bubble(), func() {
			rig := newIdemRig()
			rig.store.Fail(storetest.OpLeave, storetest.Always, nil) // the worker never gets to clean up
			rig.run(&idemPlainCharge{idemReturning(rig, errIdemOutage)}, "pay_123")
			began := time.Now()
			rig.store.Heal()
			Expect(rig.run(&idemPlainCharge{}, "pay_123")).To(idemEnd("skipped duplicate processing"))
			time.Sleep(300 * time.Second)
			Expect(time.Since(began)).To(BeNumerically(">=", 300*time.Second))
			Expect(rig.run(&idemPlainCharge{idemReturning(rig, nil)}, "pay_123")).To(idemEnd("success"))
		})
	})

	Describe("Inheritance", func() {
		effective := func(task cmdx.Task) (cmdx.KeyResolver, time.Duration) {
			d, err := cmdx.DefinitionOf(task)
			Expect(err).NotTo(HaveOccurred())
			return d.IdempotencyKey(), d.Idempotency().TTL
		}

		It("hands the parent's settings to its children", func() {
			key, ttl := effective(&idemInherits{})
			Expect(key).To(Equal(cmdx.FromContext("request_id")))
			Expect(ttl).To(Equal(600 * time.Second))
		})

		It("gives what a type has so far when asked, inherited settings included", func() {
			effective(&idemAsking{})
			Expect(idemAsked.key).To(Equal(cmdx.FromContext("request_id")))
			Expect(idemAsked.inherited.TTL).To(Equal(600 * time.Second))
			Expect(idemAsked.inherited.Namespace).To(Equal("cmdx:idem"))
			Expect(idemAsked.own.Namespace).To(Equal("asking"))
			Expect(idemAsked.own.TTL).To(Equal(600 * time.Second))
		})

		It("replaces the resolver when a new one is given and keeps the options", func() {
			key, ttl := effective(&idemOwnKey{})
			Expect(key).To(Equal(cmdx.FromContext("payment_id")))
			Expect(ttl).To(Equal(600 * time.Second))
			rig.Execute(context.Background(), &idemOwnKey{}, cmdx.Args{"request_id": "r", "payment_id": "p"})
			Expect(rig.store.Trace()).To(HaveExactElements("enter cmdx:idem:idemOwnKey:p", HavePrefix("leave")))
		})

		It("merges the options when only options are given and keeps the resolver", func() {
			key, ttl := effective(&idemOwnTTL{})
			Expect(key).To(Equal(cmdx.FromContext("request_id")))
			Expect(ttl).To(Equal(900 * time.Second))
		})

		It("leaves the parent as it was", func() {
			effective(&idemOwnTTL{})
			effective(&idemPreview{})
			key, ttl := effective(&idemApplicationTask{})
			Expect(key).To(Equal(cmdx.FromContext("request_id")))
			Expect(ttl).To(Equal(600 * time.Second))
		})

		DescribeTable("is turned off by Disabled, for descendants too: no claim, and work runs every time",
			func(task func(idemWorker) cmdx.Task) {
				for range 2 {
					Expect(rig.Execute(context.Background(), task(working()), cmdx.Args{"request_id": "r"})).To(idemEnd("success"))
				}
				Expect(rig.works()).To(Equal(2))
				Expect(rig.store.Calls()).To(BeEmpty())
				key, _ := effective(task(idemWorker{}))
				Expect(key).To(BeNil())
			},
			Entry("the type itself", func(w idemWorker) cmdx.Task { return &idemPreview{idemApplicationTask{w}} }),
			Entry("its child", func(w idemWorker) cmdx.Task { return &idemPreviewChild{idemPreview{idemApplicationTask{w}}} }),
		)

		It("comes on again with a resolver, with the options that flowed through", func() {
			key, ttl := effective(&idemPreviewOnAgain{})
			Expect(key).To(Equal(cmdx.FromContext("payment_id")))
			Expect(ttl).To(Equal(600 * time.Second))
		})
	})

	Describe("Skip and fail on duplicates", func() {
		It("is OK for a caller under skip", func() {
			rig.run(&idemPlainCharge{}, "pay_123")
			Expect(rig.run(&idemPlainCharge{}, "pay_123").IsOK()).To(BeTrue())
		})

		It("is not OK for a caller under fail", func() {
			rig.run(&idemRefusingCharge{}, "pay_123")
			Expect(rig.run(&idemRefusingCharge{}, "pay_123").IsOK()).To(BeFalse())
		})

		DescribeTable("tells code, full store key and state in the metadata",
			func(task cmdx.Task, key string) {
				rig.run(task, "pay_123")
				Expect(rig.run(task, "pay_123").Metadata()).To(Equal(cmdx.Metadata{
					"code": "duplicate", "idempotency_key": key, "state": "completed",
				}))
			},
			Entry("skip", &idemPlainCharge{}, "cmdx:idem:idemPlainCharge:pay_123"),
			Entry("fail", &idemRefusingCharge{}, "cmdx:idem:idemRefusingCharge:pay_123"),
		)

		It("never makes a duplicate look like a fresh success, and verifies no output of it", func() {
			receipt := idemDoing(func(_ context.Context, w *idemWorker) error { w.Context().Set("receipt", 1); return nil })
			rig.run(&idemRetrying{receipt}, "r")
			res := rig.run(&idemRetrying{receipt}, "r")
			Expect(res).To(idemEnd("skipped duplicate completed"))
			Expect(res.IsSuccess()).To(BeFalse())
			Expect(res.Errors().Len()).To(BeZero())
		})
	})

	Describe("Signals", func() {
		It("gives a result under Execute", func() {
			rig.run(&idemPlainCharge{}, 1)
			rig.run(&idemRefusingCharge{}, 1)
			Expect(rig.run(&idemPlainCharge{}, 1).IsSkipped()).To(BeTrue())
			Expect(rig.run(&idemRefusingCharge{}, 1).IsFailed()).To(BeTrue())
		})

		It("gives a Fault with the metadata under ExecuteBang when duplicates fail", func() {
			rig.run(&idemRefusingCharge{}, 1)
			res, err := rig.ExecuteBang(context.Background(), &idemRefusingCharge{}, cmdx.Args{"id": 1})
			var fault *cmdx.Fault
			Expect(errors.As(err, &fault)).To(BeTrue())
			Expect(fault.Metadata()).To(Equal(res.Metadata()))
			Expect(fault.Metadata()).To(HaveKeyWithValue("code", "duplicate"))
			Expect(fault.Result()).To(BeIdenticalTo(res))
		})

		It("gives no error under ExecuteBang for a skip, which means that the work is done", func() {
			rig.run(&idemPlainCharge{}, 1)
			res, err := rig.ExecuteBang(context.Background(), &idemPlainCharge{}, cmdx.Args{"id": 1})
			Expect(err).NotTo(HaveOccurred())
			Expect(res).To(idemEnd("skipped duplicate completed"))
		})

		It("gives a Fault for a skip too where FaultOn lists it", func() {
			strict := cmdx.New(cmdx.Configuration{FaultOn: []cmdx.Status{cmdx.StatusFailed, cmdx.StatusSkipped}})
			strict.Execute(context.Background(), &idemPlainCharge{}, cmdx.Args{"id": 1})
			_, err := strict.ExecuteBang(context.Background(), &idemPlainCharge{}, cmdx.Args{"id": 1})
			var fault *cmdx.Fault
			Expect(errors.As(err, &fault)).To(BeTrue())
			Expect(fault.Metadata()).To(HaveKeyWithValue("code", "duplicate"))
		})
	})

	Describe("Telemetry", func() {
		all := []cmdx.EventName{
			cmdx.EventTaskStarted, cmdx.EventTaskRetried, cmdx.EventTaskExecuted,
			cmdx.EventIdempotencyClaimed, cmdx.EventIdempotencyCompleted, cmdx.EventIdempotencyDuplicate,
			cmdx.EventIdempotencyBlank, cmdx.EventIdempotencyLost, cmdx.EventIdempotencyCompletionFailed,
			cmdx.EventIdempotencyReleaseFailed, cmdx.EventIdempotencyStoreFailed, cmdx.EventIdempotencyTakenBack,
		}

		BeforeEach(func() { rig = newIdemRig(all...) })

		It("brackets work, retries and the outputs' verification by claimed and completed", func() {
			attempt := 0
			rig.watchStore()
			rig.run(&idemRetrying{idemDoing(func(_ context.Context, w *idemWorker) error {
				rig.note("work")
				if attempt++; attempt == 1 {
					return errIdemOutage
				}
				w.Context().Set("receipt", "r_1")
				return nil
			})}, "r")
			Expect(rig.order()).To(Equal([]string{
				"task_started", "enter cmdx:idem:idemRetrying:r", "idempotency_claimed", "work", "task_retried", "work",
				"leave cmdx:idem:idemRetrying:r=complete", "idempotency_completed", "task_executed",
			}))
		})

		It("gives claimed and completed the store key and nothing else", func() {
			rig.run(&idemPlainCharge{}, "pay_123")
			payload := map[string]any{"idempotency_key": idemPlainKey("pay_123")}
			Expect(rig.payloads(cmdx.EventIdempotencyClaimed)).To(Equal([]map[string]any{payload}))
			Expect(rig.payloads(cmdx.EventIdempotencyCompleted)).To(Equal([]map[string]any{payload}))
		})

		It("sends the duplicate before the signal, with what the result's metadata will hold", func() {
			rig.run(&idemPlainCharge{}, "pay_123")
			before := len(rig.order())
			res := rig.run(&idemPlainCharge{working()}, "pay_123")
			Expect(rig.order()[before:]).To(Equal([]string{"task_started", "idempotency_duplicate", "task_executed"}))
			Expect(rig.payloads(cmdx.EventIdempotencyDuplicate)).To(Equal([]map[string]any{res.Metadata()}))
		})

		It("gives a duplicate's event the run's task, type and ids", func() {
			rig.run(&idemPlainCharge{}, "pay_123")
			res := rig.run(&idemPlainCharge{}, "pay_123")
			rig.mu.Lock()
			defer rig.mu.Unlock()
			for _, e := range rig.events {
				if e.Name == cmdx.EventIdempotencyDuplicate {
					Expect([]any{e.Task, e.Type, e.TID, e.CID, e.Root}).To(Equal(
						[]any{"idemPlainCharge", "Task", res.TID(), res.CID(), true}))
				}
			}
		})

		It("sends no completed for a run that failed", func() {
			rig.run(&idemPlainCharge{idemReturning(rig, errIdemOutage)}, "f")
			Expect(rig.order()).To(Equal([]string{"task_started", "idempotency_claimed", "work", "task_executed"}))
		})

		It("is silent for a run that a gate leaves out", func() {
			rig.run(&idemGatedIf{idemGates{working(), false, false}}, "f")
			Expect(rig.order()).To(Equal([]string{"task_started", "work", "task_executed"}))
		})

		It("hands nothing that a subscriber writes to anybody else", func() {
			spoiled := newIdemRig()
			spoiled.Telemetry().Subscribe(cmdx.EventIdempotencyDuplicate, func(e cmdx.Event) { clear(e.Payload) })
			spoiled.run(&idemPlainCharge{}, 1)
			Expect(spoiled.run(&idemPlainCharge{}, 1).Metadata()).To(HaveLen(3))
		})

		It("reaches the type's own subscribers", func() {
			rig.run(&idemTellsItself{}, 1)
			rig.run(&idemTellsItself{}, 1)
			rig.run(&idemPlainCharge{}, 1)
			rig.run(&idemPlainCharge{}, 1)
			Expect(idemToldOwn).To(Receive(HaveField("Task", "idemTellsItself")))
			Expect(idemToldOwn).NotTo(Receive())
		})
	})
})

var _ = Describe("Idempotency, beside the page", func() {
	var rig *idemRig

	BeforeEach(func() { rig = newIdemRig() })

	Describe("Lifetimes", func() {
		It("starts the ttl with the claim and again with the completion", bubble(), func() {
			rig := newIdemRig()
			rig.run(&idemPlainCharge{idemDoing(func(context.Context, *idemWorker) error {
				time.Sleep(200 * time.Second)
				return nil
			})}, "k")
			time.Sleep(300*time.Second - time.Millisecond) // 500 s after the claim
			Expect(rig.run(&idemPlainCharge{}, "k")).To(idemEnd("skipped duplicate completed"))
			time.Sleep(time.Millisecond)
			Expect(rig.value(idemPlainKey("k"))).To(BeEmpty())
		})

		It("keeps a claim for its ProcessingTTL and a completion for its TTL", bubble(), func() {
			rig := newIdemRig()
			rig.store.Fail(storetest.OpLeave, storetest.Always, nil)
			const key = "cmdx:idem:idemShort:k"
			began := time.Now()
			rig.run(&idemShort{}, "k")
			rig.store.Heal()
			time.Sleep(2*time.Second - time.Millisecond - time.Since(began))
			Expect(rig.value(key)).To(Equal("processing"))
			time.Sleep(time.Millisecond)
			Expect(rig.value(key)).To(BeEmpty())
			rig.run(&idemShort{}, "k")
			time.Sleep(10*time.Second - time.Millisecond)
			Expect(rig.value(key)).To(Equal("completed"))
			time.Sleep(time.Millisecond)
			Expect(rig.value(key)).To(BeEmpty())
		})

		It("rounds a ttl up to whole milliseconds", bubble(), func() {
			rig := newIdemRig()
			rig.run(&idemUneven{}, "k")
			time.Sleep(2*time.Millisecond - time.Nanosecond)
			Expect(rig.run(&idemUneven{}, "k")).To(idemEnd("skipped duplicate completed"))
			time.Sleep(time.Nanosecond)
			Expect(rig.run(&idemUneven{}, "k")).To(idemEnd("success"))
		})

		It("takes a ttl of a hundred years", func() {
			rig.run(&idemLong{}, "k")
			Expect(rig.run(&idemLong{}, "k")).To(idemEnd("skipped duplicate completed"))
		})

		It("enters every key with a positive lifetime for the claim and for the completion", func() {
			rig.run(&idemShort{}, "k")
			entry := rig.store.CallsOf(storetest.OpEnter)[0].Entries[0]
			Expect([]time.Duration{entry.TTL, entry.Keep}).To(Equal([]time.Duration{2 * time.Second, 10 * time.Second}))
		})

		It("writes nothing when it completes a key that has expired and that nobody holds", bubble(), func() {
			rig := newIdemRig(cmdx.EventIdempotencyLost, cmdx.EventIdempotencyCompleted)
			res := rig.run(&idemShort{idemDoing(func(context.Context, *idemWorker) error {
				time.Sleep(2 * time.Second)
				return nil
			})}, "k")
			Expect(res).To(idemEnd("success"))
			Expect(rig.value("cmdx:idem:idemShort:k")).To(BeEmpty())
			Expect(rig.order()).To(Equal([]string{"idempotency_lost"}))
		})

		DescribeTable("touches nobody else's claim after outliving its own, and keeps what Work gave",
			func(work error, words string) {
				rig := newIdemRig(cmdx.EventIdempotencyLost, cmdx.EventIdempotencyCompleted)
				release, gone := make(chan struct{}), make(chan struct{})
				defer func() { <-gone }()
				res := rig.run(&idemShort{idemDoing(func(context.Context, *idemWorker) error {
					time.Sleep(2 * time.Second) // the claim is over: somebody else takes it
					started := make(chan struct{})
					go func() {
						defer close(gone)
						rig.run(&idemShort{idemDoing(func(context.Context, *idemWorker) error {
							close(started)
							<-release
							return nil
						})}, "k")
					}()
					<-started
					return work
				})}, "k")
				Expect(res).To(idemEnd(words))
				Expect(rig.value("cmdx:idem:idemShort:k")).To(Equal("processing"))
				Expect(rig.payloads(cmdx.EventIdempotencyLost)).To(Equal([]map[string]any{{"idempotency_key": "cmdx:idem:idemShort:k"}}))
				Expect(rig.logged("cmdx:idem:idemShort:k")).NotTo(BeEmpty())
				close(release)
				<-gone
				Expect(rig.value("cmdx:idem:idemShort:k")).To(Equal("completed"))
			},
			Entry("a success", bubble(), nil, "success"),
			Entry("a failure", bubble(), errIdemOutage, "failed"),
		)
	})

	Describe("A run in progress", func() {
		during := func(task func(idemWorker) cmdx.Task) (during, after *cmdx.Result) {
			rig.run(task(idemDoing(func(context.Context, *idemWorker) error {
				during = rig.run(task(idemWorker{}), "k")
				return nil
			})), "k")
			return during, rig.run(task(idemWorker{}), "k")
		}

		It("may be answered otherwise than a completed one", func() {
			progress, done := during(func(w idemWorker) cmdx.Task { return &idemQueued{w} })
			Expect(progress).To(idemEnd("failed duplicate processing"))
			Expect(done).To(idemEnd("skipped duplicate completed"))
			progress, done = during(func(w idemWorker) cmdx.Task { return &idemQueuedReverse{w} })
			Expect(progress).To(idemEnd("skipped duplicate processing"))
			Expect(done).To(idemEnd("failed duplicate completed"))
		})

		It("is answered as a completed one where nothing else is said", func() {
			progress, done := during(func(w idemWorker) cmdx.Task { return &idemRefusingCharge{w} })
			Expect(progress).To(idemEnd("failed duplicate processing"))
			Expect(done).To(idemEnd("failed duplicate completed"))
		})
	})

	Describe("A blank key", func() {
		BeforeEach(func() {
			rig = newIdemRig(cmdx.EventIdempotencyBlank, cmdx.EventIdempotencyClaimed, cmdx.EventIdempotencyCompleted, cmdx.EventIdempotencyDuplicate)
		})

		It("is told by an event without a payload when the claim steps aside", func() {
			Expect(rig.run(&idemPlainCharge{}, "")).To(idemEnd("success"))
			Expect(rig.order()).To(Equal([]string{"idempotency_blank"}))
			Expect(rig.payloads(cmdx.EventIdempotencyBlank)).To(Equal([]map[string]any{{}}))
		})

		It("fails the run without work under PolicyFail", func() {
			res := rig.run(&idemStrictBlank{idemReturning(rig, nil)}, nil)
			Expect(res).To(idemEnd("failed key_blank"))
			Expect(rig.order()).To(Equal([]string{"idempotency_blank"}))
			Expect(rig.payloads(cmdx.EventIdempotencyBlank)).To(Equal([]map[string]any{{"code": "key_blank"}}))
			Expect(rig.store.Calls()).To(BeEmpty())
		})

		It("does not concern a key of one blank character", func() {
			rig.run(&idemStrictBlank{}, " ")
			Expect(rig.value("cmdx:idem:idemStrictBlank: ")).To(Equal("completed"))
		})

		It("does not concern a run that a gate leaves out", func() {
			rig.run(&idemGatedIf{idemGates{}}, "")
			Expect(rig.order()).To(BeEmpty())
		})
	})

	Describe("What a duplicate costs", func() {
		It("asks the store once and changes nothing", func() {
			rig.run(&idemPlainCharge{}, "k")
			rig.store.Forget()
			rig.run(&idemPlainCharge{}, "k")
			Expect(rig.store.Trace()).To(Equal([]string{"enter " + idemPlainKey("k")}))
		})

		It("leaves a refused caller nothing to clean up, however it is refused", func() {
			rig.run(&idemRefusingCharge{}, "k")
			rig.store.Forget()
			rig.run(&idemRefusingCharge{}, "k")
			Expect(rig.store.CallsOf(storetest.OpLeave)).To(BeEmpty())
			Expect(rig.store.CallsOf(storetest.OpTakeBack)).To(BeEmpty())
			Expect(rig.value("cmdx:idem:idemRefusingCharge:k")).To(Equal("completed"))
		})
	})

	Describe("The token", func() {
		It("is one per run and the same from the claim to the end", func() {
			rig.run(&idemPlainCharge{}, "a")
			rig.run(&idemPlainCharge{}, "b")
			calls := rig.store.Calls()
			Expect(calls).To(HaveLen(4))
			Expect(calls[0].HasToken()).To(BeTrue())
			Expect(calls[1].Token).To(Equal(calls[0].Token))
			Expect(calls[3].Token).To(Equal(calls[2].Token))
			Expect(calls[2].Token).NotTo(Equal(calls[0].Token))
		})

		It("is not the template's: one template claims anew in every run", func() {
			template := &idemPlainCharge{}
			rig.run(template, "a")
			rig.run(template, "b")
			calls := rig.store.CallsOf(storetest.OpEnter)
			Expect(calls[1].Token).NotTo(Equal(calls[0].Token))
		})

		It("holds a key without a token, as another program writes it, for somebody's", func() {
			for _, state := range []string{"processing", "completed"} {
				_, err := rig.memory.Set(context.Background(), idemPlainKey(state), state, stores.SetOptions{TTL: time.Minute})
				Expect(err).NotTo(HaveOccurred())
				Expect(rig.run(&idemPlainCharge{idemReturning(rig, nil)}, state)).To(idemEnd("skipped duplicate " + state))
			}
			Expect(rig.works()).To(BeZero())
		})
	})

	Describe("Nested runs", func() {
		It("answers a task that runs its own key from inside at once, and leaves the outer claim alone", func() {
			var inner *cmdx.Result
			outer := rig.run(&idemPlainCharge{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				inner = cmdx.Execute(ctx, &idemPlainCharge{idemReturning(rig, nil)}, cmdx.Args{"id": "k"})
				Expect(rig.value(idemPlainKey("k"))).To(Equal("processing"))
				return nil
			})}, "k")
			Expect(inner).To(idemEnd("skipped duplicate processing"))
			Expect(outer).To(idemEnd("success"))
			Expect(rig.works()).To(BeZero())
			Expect(rig.store.Trace()).To(Equal([]string{
				"enter " + idemPlainKey("k"), "enter " + idemPlainKey("k"), "leave " + idemPlainKey("k") + "=complete",
			}))
		})

		It("answers itself also through a shared context and ExecuteBang", func() {
			rig.run(&idemRefusingCharge{idemDoing(func(ctx context.Context, w *idemWorker) error {
				inner, err := cmdx.ExecuteBang(ctx, &idemRefusingCharge{}, w.Context())
				Expect(inner).To(idemEnd("failed duplicate processing"))
				Expect(err).To(HaveOccurred())
				return nil
			})}, "k")
			Expect(rig.value("cmdx:idem:idemRefusingCharge:k")).To(Equal("completed"))
		})

		It("claims other keys beside the outer one, each with its own end", func() {
			rig.run(&idemPlainCharge{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				Expect(cmdx.Execute(ctx, &idemPlainCharge{}, cmdx.Args{"id": "in"})).To(idemEnd("success"))
				Expect(rig.value(idemPlainKey("in"))).To(Equal("completed"))
				Expect(rig.value(idemPlainKey("out"))).To(Equal("processing"))
				return errIdemOutage
			})}, "out")
			Expect(rig.value(idemPlainKey("in"))).To(Equal("completed"))
			Expect(rig.value(idemPlainKey("out"))).To(BeEmpty())
		})

		It("fails as an echo with the inner refusal's code and metadata, and frees its own key", func() {
			rig.run(&idemRefusingCharge{}, "in")
			res := rig.run(&idemPlainCharge{idemDoing(func(ctx context.Context, _ *idemWorker) error {
				return cmdx.Execute(ctx, &idemRefusingCharge{}, cmdx.Args{"id": "in"}).Err()
			})}, "out")
			Expect(res).To(idemEnd("failed duplicate completed"))
			Expect(res.Metadata()).To(HaveKeyWithValue("idempotency_key", "cmdx:idem:idemRefusingCharge:in"))
			Expect(rig.value(idemPlainKey("out"))).To(BeEmpty())
			Expect(rig.value("cmdx:idem:idemRefusingCharge:in")).To(Equal("completed"))
		})
	})

	Describe("Every way to start a task", func() {
		DescribeTable("meets the same claim",
			func(start func(ctx context.Context, task cmdx.Task, args any) *cmdx.Result) {
				rig.run(&idemPlainCharge{}, "k")
				Expect(start(context.Background(), &idemPlainCharge{idemReturning(rig, nil)}, cmdx.Args{"id": "k"})).To(idemEnd("skipped duplicate completed"))
				Expect(rig.works()).To(BeZero())
			},
			Entry("Execute", func(ctx context.Context, task cmdx.Task, args any) *cmdx.Result { return rig.Execute(ctx, task, args) }),
			Entry("ExecuteBang", func(ctx context.Context, task cmdx.Task, args any) *cmdx.Result {
				res, _ := rig.ExecuteBang(ctx, task, args)
				return res
			}),
			Entry("nested in another run", func(ctx context.Context, task cmdx.Task, args any) *cmdx.Result {
				var inner *cmdx.Result
				rig.Execute(ctx, &idemOuter{idemDoing(func(ctx context.Context, _ *idemWorker) error {
					inner = cmdx.Execute(ctx, task, args)
					return nil
				})}, nil)
				return inner
			}),
			Entry("detached from another run", func(ctx context.Context, task cmdx.Task, args any) *cmdx.Result {
				var inner *cmdx.Result
				rig.Execute(ctx, &idemOuter{idemDoing(func(ctx context.Context, _ *idemWorker) error {
					inner = cmdx.Execute(cmdx.Detach(ctx), task, args)
					return nil
				})}, nil)
				return inner
			}),
			Entry("with a context instead of arguments", func(ctx context.Context, task cmdx.Task, args any) *cmdx.Result {
				return rig.Execute(ctx, task, rig.Execute(ctx, &idemOuter{}, args))
			}),
			Entry("with a struct's fields", func(ctx context.Context, task cmdx.Task, _ any) *cmdx.Result {
				return rig.Execute(ctx, task, struct {
					ID string `cmdx:"id"`
				}{"k"})
			}),
		)
	})

	Describe("Definition errors", func() {
		DescribeTable("refuse what no claim can be made of, and name the option",
			func(task cmdx.Task, problem string) {
				err := cmdx.Validate(task)
				Expect(err).To(MatchError(ContainSubstring(problem)))
				var wrong *cmdx.DefinitionError
				Expect(errors.As(err, &wrong)).To(BeTrue())
				Expect(wrong.Where).To(ContainSubstring("idempotency_test.go:"))
				res := rig.run(task, "k")
				Expect(res).To(idemEnd("failed"))
				Expect(errors.As(res.Cause(), &wrong)).To(BeTrue())
				Expect(rig.store.Calls()).To(BeEmpty())
			},
			Entry("a negative TTL", &idemWrong[idemNegative]{}, "TTL is -1ns"),
			Entry("another negative TTL", &idemWrong[idemMinusTwo]{}, "TTL is -2ns"),
			Entry("a TTL of a nanosecond", &idemWrong[idemNanosecond]{}, "TTL is 1ns"),
			Entry("a TTL of 999 microseconds", &idemWrong[idemSubMillisecond]{}, "TTL is 999µs"),
			Entry("a negative ProcessingTTL", &idemWrong[idemNegativeProcessing]{}, "ProcessingTTL is -1s"),
			Entry("an unknown OnDuplicate", &idemWrong[idemUnknownDuplicate]{}, "OnDuplicate is"),
			Entry("an OnDuplicate that steps aside", &idemWrong[idemDuplicateAside]{}, "OnDuplicate is PolicyStepAside"),
			Entry("an OnProcessing that steps aside", &idemWrong[idemProcessingAside]{}, "OnProcessing is PolicyStepAside"),
			Entry("an OnBlank that skips", &idemWrong[idemBlankSkip]{}, "OnBlank is PolicySkip"),
			Entry("an unknown OnStoreError", &idemWrong[idemUnknownStore]{}, "OnStoreError is"),
			Entry("a blank literal", &idemWrong[idemBlankLiteral]{}, `Literal("")`),
			Entry("options without a resolver", &idemWrong[idemOptionsOnly]{}, "IdempotentBy has options"),
			Entry("a gate that asks for an error", &idemWrong[idemErrorGate]{}, "WhenError"),
		)

		It("allow the smallest ttl", func() { Expect(cmdx.Validate(&idemWrong[idemSmallest]{})).To(Succeed()) })
	})
})

// idemWrong declares idempotency as its mark says.
type (
	idemWrong[M idemMark] struct{ cmdx.Base }
	idemMark              interface{ declare(c *cmdx.Config) }

	idemNegative           struct{}
	idemMinusTwo           struct{}
	idemNanosecond         struct{}
	idemSubMillisecond     struct{}
	idemNegativeProcessing struct{}
	idemUnknownDuplicate   struct{}
	idemDuplicateAside     struct{}
	idemProcessingAside    struct{}
	idemBlankSkip          struct{}
	idemUnknownStore       struct{}
	idemBlankLiteral       struct{}
	idemOptionsOnly        struct{}
	idemErrorGate          struct{}
	idemSmallest           struct{}
)

func (*idemWrong[M]) Configure(c *cmdx.Config) {
	var mark M
	mark.declare(c)
}

func (*idemWrong[M]) Work(context.Context) error { panic("a task that is declared wrongly was run") }

func idemDeclare(c *cmdx.Config, o cmdx.Idempotency) { c.IdempotentBy(cmdx.FromContext("id"), o) }

func (idemNegative) declare(c *cmdx.Config)   { idemDeclare(c, cmdx.Idempotency{TTL: -1}) }
func (idemMinusTwo) declare(c *cmdx.Config)   { idemDeclare(c, cmdx.Idempotency{TTL: -2}) }
func (idemNanosecond) declare(c *cmdx.Config) { idemDeclare(c, cmdx.Idempotency{TTL: 1}) }
func (idemSubMillisecond) declare(c *cmdx.Config) {
	idemDeclare(c, cmdx.Idempotency{TTL: 999 * time.Microsecond})
}
func (idemNegativeProcessing) declare(c *cmdx.Config) {
	idemDeclare(c, cmdx.Idempotency{ProcessingTTL: -time.Second})
}
func (idemUnknownDuplicate) declare(c *cmdx.Config) {
	idemDeclare(c, cmdx.Idempotency{OnDuplicate: 77})
}
func (idemDuplicateAside) declare(c *cmdx.Config) {
	idemDeclare(c, cmdx.Idempotency{OnDuplicate: cmdx.PolicyStepAside})
}
func (idemProcessingAside) declare(c *cmdx.Config) {
	idemDeclare(c, cmdx.Idempotency{OnProcessing: cmdx.PolicyStepAside})
}
func (idemBlankSkip) declare(c *cmdx.Config) {
	idemDeclare(c, cmdx.Idempotency{OnBlank: cmdx.PolicySkip})
}
func (idemUnknownStore) declare(c *cmdx.Config) { idemDeclare(c, cmdx.Idempotency{OnStoreError: 77}) }
func (idemBlankLiteral) declare(c *cmdx.Config) { c.IdempotentBy(cmdx.Literal("")) }
func (idemOptionsOnly) declare(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{TTL: time.Minute})
}
func (idemErrorGate) declare(c *cmdx.Config) {
	idemDeclare(c, cmdx.Idempotency{If: cmdx.WhenError(func(*idemWrong[idemErrorGate], error, int) bool { return true })})
}
func (idemSmallest) declare(c *cmdx.Config) { idemDeclare(c, cmdx.Idempotency{TTL: time.Millisecond}) }
