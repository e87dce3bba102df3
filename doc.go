// Package cmdx runs business operations as tasks: types with declared inputs,
// guards and outputs and one Work method. Running a task always gives a
// [Result]; a task that declares IdempotentBy does its work at most once per
// key, whoever calls it and however often.
//
// A task embeds [Base] and declares what it needs in Configure, which runs
// once per type:
//
//	type ChargeCustomer struct {
//		cmdx.Base
//		Gateway     Gateway
//		PaymentID   string `cmdx:"payment_id"`
//		AmountCents int64  `cmdx:"amount_cents"`
//	}
//
//	func (*ChargeCustomer) Configure(c *cmdx.Config) {
//		c.Required("payment_id")
//		c.Required("amount_cents", inputs.Validate("gt=0"))
//		c.IdempotentBy(cmdx.FromContext("payment_id"))
//		c.RetryOn(cmdx.ErrorType[*net.OpError]())
//	}
//
//	func (t *ChargeCustomer) Work(ctx context.Context) error {
//		charge, err := t.Gateway.Charge(ctx, t.PaymentID, t.AmountCents)
//		if err != nil {
//			return err
//		}
//		t.Context().Set("charge", charge)
//		return nil
//	}
//
// [Execute] runs a copy of it and tells what became of it:
//
//	result := cmdx.Execute(ctx, &ChargeCustomer{Gateway: gw}, cmdx.Args{
//		"payment_id": "pay_123", "amount_cents": 9_900,
//	})
//
// # Pipeline
//
// Every execution takes these steps, of which a task has only those that it
// declares:
//
//	resolve inputs → rate limit → circuit breaker → concurrency → lock → idempotency claim → retry loop { Work } → verify outputs → completed
//
// # Halting
//
// Work halts by returning what [Base] makes: t.Skip, t.Fail, t.Success,
// t.Throw. Any other error is a raised one: it is tried again when RetryOn
// matches it, and fails the task otherwise.
//
// # Layers
//
// A parent is a struct embedded by value that embeds Base in turn. Its
// Configure is laid first, the type's own over it: a resolver replaces the
// inherited one, options merge, [Disabled] turns a feature off.
package cmdx
