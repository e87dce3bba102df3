// Command readme holds the sample of the README.
package main

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// Gateway is the payment provider's client.
type Gateway interface {
	Charge(ctx context.Context, idempotencyKey string, amountCents int64) (id string, err error)
}

// region task

// ChargeCustomer charges a customer once per payment.
type ChargeCustomer struct {
	cmdx.Base
	Gateway     Gateway
	PaymentID   string `cmdx:"payment_id"`
	AmountCents int64  `cmdx:"amount_cents"`
}

// Configure describes the type; it runs once.
func (*ChargeCustomer) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("payment_id"))

	c.Required("payment_id", inputs.Coerce(inputs.String))
	c.Required("amount_cents", inputs.Coerce(inputs.Integer))
}

// Work is entered at most once per payment_id.
func (t *ChargeCustomer) Work(ctx context.Context) error {
	charge, err := t.Gateway.Charge(ctx, t.PaymentID, t.AmountCents)
	if err != nil {
		return err
	}
	t.Context().Set("charge", charge)
	return nil
}

// endregion

func run(ctx context.Context, gateway Gateway) {
	// region run
	charge := &ChargeCustomer{Gateway: gateway}
	payment := cmdx.Args{"payment_id": "pay_123", "amount_cents": 9_900}

	first := cmdx.Execute(ctx, charge, payment)
	fmt.Println(first.Status())

	second := cmdx.Execute(ctx, charge, payment)
	fmt.Printf("%s: %s\n", second.Status(), second.Metadata()["code"])
	// endregion
}

func main() {
	run(context.Background(), fakeGateway{})
}

type fakeGateway struct{}

func (fakeGateway) Charge(context.Context, string, int64) (string, error) { return "ch_1", nil }
