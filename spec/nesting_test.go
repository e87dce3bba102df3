package spec

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// Chargers fail in a nested run; the shops around them pass it on.
type (
	patientShop struct {
		cmdx.Base
		charge func(try int) error
		tries  *int
		throw  bool
	}
	anyErrorShop    struct{ patientShop }
	networkShop     struct{ patientShop }
	nestedDuplicate struct{ cmdx.Base }
	nestedLease     struct{ cmdx.Base }
	leaseShop       struct {
		cmdx.Base
		tries *int
	}
)

func (*nestedLease) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Literal("nightly"), cmdx.Idempotency{TTL: time.Second})
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Delay: time.Minute})
}

func (*nestedLease) Work(context.Context) error { return errDeclined }

func (*leaseShop) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

func (t *leaseShop) Work(ctx context.Context) error {
	*t.tries++
	return cmdx.Execute(ctx, &nestedLease{}, nil).Err()
}

func (*anyErrorShop) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

func (*networkShop) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorType[*net.OpError](), cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

func (*nestedDuplicate) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Literal("nightly"), cmdx.Idempotency{OnDuplicate: cmdx.PolicyFail})
}

func (*nestedDuplicate) Work(context.Context) error { return nil }

func (t *patientShop) Work(ctx context.Context) error {
	*t.tries++
	nested := cmdx.Execute(ctx, do(func(_ context.Context, n *doing) error {
		if err := t.charge(n.Attempt() + *t.tries); err != nil {
			return err
		}
		return n.Fail("no funds", cmdx.Metadata{"code": "funds"})
	}), nil)
	if t.throw {
		return t.Throw(nested)
	}
	return nested.Err()
}

var _ = Describe("Echoes", func() {
	failing := func(_ context.Context, t *doing) error {
		return t.Fail("no funds", cmdx.Metadata{"code": "funds"})
	}
	raising := func(context.Context, *doing) error { return errDeclined }

	// around runs a nested task and lets pass decide what Work returns.
	around := func(work func(context.Context, *doing) error, pass func(t *doing, nested *cmdx.Result) error) (outer, nested *cmdx.Result) {
		outer = doRun(func(ctx context.Context, t *doing) error {
			nested = cmdx.Execute(ctx, do(work), nil)
			return pass(t, nested)
		})
		return outer, nested
	}
	returned := func(_ *doing, nested *cmdx.Result) error { return nested.Err() }
	thrown := func(t *doing, nested *cmdx.Result) error { return t.Throw(nested) }

	for name, pass := range map[string]func(*doing, *cmdx.Result) error{"a returned Err()": returned, "Throw": thrown} {
		Context("by "+name, func() {
			It("have the reason, the metadata and the cause of the nested run", func() {
				outer, nested := around(failing, pass)
				Expect(outer).To(endFailed("no funds"))
				Expect(outer.Metadata()).To(Equal(cmdx.Metadata{"code": "funds"}))
				Expect(outer.Cause()).To(BeNil())
				Expect(outer.Origin()).To(BeIdenticalTo(nested))
			})

			It("keep the cause of a nested raised error", func() {
				outer, _ := around(raising, pass)
				Expect(outer).To(endFailed("[errors.errorString] card declined"))
				Expect(errors.Is(outer.Err(), errDeclined)).To(BeTrue())
			})

			It("name the nearest and the first failure", func() {
				outer, nested := around(failing, pass)
				Expect(outer.ThrewFailure()).To(BeIdenticalTo(nested))
				Expect(outer.CausedFailure()).To(BeIdenticalTo(nested))
				Expect(nested.ThrewFailure()).To(BeIdenticalTo(nested))
				Expect(nested.CausedFailure()).To(BeIdenticalTo(nested))
				Expect(nested.Origin()).To(BeNil())
			})

			It("two deep, tell the nearest from the first", func() {
				var middle, leaf *cmdx.Result
				outer, _ := around(func(ctx context.Context, t *doing) error {
					leaf = cmdx.Execute(ctx, do(failing), nil)
					return pass(t, leaf)
				}, func(t *doing, nested *cmdx.Result) error {
					middle = nested
					return pass(t, nested)
				})
				Expect(outer).To(endFailed("no funds"))
				Expect(outer.Metadata()).To(HaveKeyWithValue("code", "funds"))
				Expect(outer.Origin()).To(BeIdenticalTo(middle))
				Expect(outer.ThrewFailure()).To(BeIdenticalTo(middle))
				Expect(outer.CausedFailure()).To(BeIdenticalTo(leaf))
			})
		})
	}

	It("keep the code of a nested guard", func() {
		rt := cmdx.New(cmdx.Configuration{})
		Expect(rt.Execute(context.Background(), &nestedDuplicate{}, nil)).To(endSuccess())
		outer := rt.Execute(context.Background(), do(func(ctx context.Context, _ *doing) error {
			_, err := cmdx.ExecuteBang(ctx, &nestedDuplicate{}, nil)
			return err
		}), nil)
		Expect(outer).To(endFailed())
		Expect(outer.Metadata()).To(HaveKeyWithValue("code", cmdx.CodeDuplicate))
		Expect(outer.Metadata()).To(HaveKeyWithValue("idempotency_key", "cmdx:idem:nestedDuplicate:nightly"))
	})

	It("of a wrapped Err() have the wrapper's text as reason", func() {
		outer, nested := around(failing, func(_ *doing, nested *cmdx.Result) error { return fmt.Errorf("order 7: %w", nested.Err()) })
		Expect(outer).To(endFailed("order 7: " + nested.Err().Error()))
		Expect(outer.Origin()).To(BeIdenticalTo(nested))
		Expect(outer.Metadata()).To(HaveKeyWithValue("code", "funds"))
	})

	It("are none when another error stands beside the Err()", func() {
		outer, nested := around(failing, func(_ *doing, nested *cmdx.Result) error { return errors.Join(nested.Err(), errClose) })
		Expect(outer.Origin()).To(BeNil())
		Expect(outer.Reason()).To(HavePrefix("[errors.joinError] "))
		Expect(errors.Is(outer.Err(), errClose)).To(BeTrue())
		var fault *cmdx.Fault
		Expect(errors.As(outer.Err().(*cmdx.Fault).Unwrap(), &fault)).To(BeTrue())
		Expect(fault.Result()).To(BeIdenticalTo(nested))
	})

	It("add what Throw is given to the nested metadata", func() {
		outer, nested := around(failing, func(t *doing, nested *cmdx.Result) error {
			return t.Throw(nested, cmdx.Metadata{"order": 7, "code": "order"})
		})
		Expect(outer.Metadata()).To(Equal(cmdx.Metadata{"order": 7, "code": "order"}))
		Expect(nested.Metadata()).To(Equal(cmdx.Metadata{"code": "funds"}))
	})

	It("come about also when a Throw is dropped", func() {
		outer, nested := around(failing, func(t *doing, nested *cmdx.Result) error { _ = t.Throw(nested); return nil })
		Expect(outer).To(endFailed("no funds"))
		Expect(outer.Origin()).To(BeIdenticalTo(nested))
	})

	It("come about from a failure of another chain", func() {
		other := doRun(raising)
		outer := doRun(func(context.Context, *doing) error { return other.Err() })
		Expect(outer.Origin()).To(BeIdenticalTo(other))
		Expect(outer.CID()).NotTo(Equal(other.CID()))
	})

	It("are none for a nested run that did not fail: Throw of it does nothing", func() {
		for _, work := range []func(context.Context, *doing) error{
			nil, func(_ context.Context, t *doing) error { return t.Skip("closed") },
		} {
			outer, _ := around(work, func(t *doing, nested *cmdx.Result) error {
				Expect(t.Throw(nested)).To(BeNil())
				return t.Throw(nested)
			})
			Expect(outer).To(endSuccess(""))
		}
		Expect((&doing{}).Throw(nil)).To(BeNil())
	})

	It("are none when Work ignores the nested failure", func() {
		outer, nested := around(failing, func(*doing, *cmdx.Result) error { return nil })
		Expect(outer).To(endSuccess())
		Expect(nested).To(endFailed())
		Expect([]*cmdx.Result{outer.Origin(), outer.ThrewFailure(), outer.CausedFailure()}).To(HaveEach(BeNil()))
	})

	Context("and retries", func() {
		nothing := func(int) error { return nil }
		refused := func(int) error { return &net.OpError{Op: "dial", Err: errDeclined} }
		tries := func(shop func(*int) cmdx.Task) (int, *cmdx.Result) {
			n := 0
			r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), shop(&n), nil)
			return n, r
		}

		It("a returned Err() is matched through its cause and echoed when it leaves the loop", func() {
			n, r := tries(func(n *int) cmdx.Task {
				return &networkShop{patientShop{charge: refused, tries: n}}
			})
			Expect(n).To(Equal(3))
			Expect(r).To(endFailed("[net.OpError] dial: card declined"))
			Expect(r.Origin()).NotTo(BeNil())
			Expect(r.Retries()).To(Equal(2))
			Expect(r.Chain().Len()).To(Equal(4), "each try has a nested run of its own")
		})

		It("AnyError matches the Fault of a nested raised error", func() {
			n, _ := tries(func(n *int) cmdx.Task { return &anyErrorShop{patientShop{charge: refused, tries: n}} })
			Expect(n).To(Equal(3))
		})

		It("AnyError does not match the Fault of a nested Fail", func() {
			n, r := tries(func(n *int) cmdx.Task { return &anyErrorShop{patientShop{charge: nothing, tries: n}} })
			Expect(n).To(Equal(1))
			Expect(r).To(endFailed("no funds"))
		})

		It("AnyError does not match the Fault of a nested panic", func() {
			n, _ := tries(func(n *int) cmdx.Task {
				return &anyErrorShop{patientShop{charge: func(int) error { panic("boom") }, tries: n}}
			})
			Expect(n).To(Equal(1))
		})

		It("AnyError does not match the Fault of a nested run that lost its claim", func() {
			n, r := tries(func(n *int) cmdx.Task { return &leaseShop{tries: n} })
			Expect(n).To(Equal(1))
			var lost *cmdx.LeaseLostError
			Expect(errors.As(r.Err(), &lost)).To(BeTrue())
			Expect(errors.Is(r.Err(), errDeclined)).To(BeTrue())
		}, bubble())

		It("Throw halts at once", func() {
			n, r := tries(func(n *int) cmdx.Task {
				return &networkShop{patientShop{charge: refused, tries: n, throw: true}}
			})
			Expect(n).To(Equal(1))
			Expect(r.Origin()).NotTo(BeNil())
		})
	})
})
