package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx"
)

// region inheritance

// ApplicationTask is the parent of the application's tasks.
type ApplicationTask struct{ cmdx.Base }

// Configure is laid first.
func (*ApplicationTask) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("request_id"), cmdx.Idempotency{TTL: 10 * time.Minute})
}

// RefundCustomer replaces the resolver and adds an option; the TTL stays ten
// minutes.
type RefundCustomer struct{ ApplicationTask }

// Configure is laid over the parent's.
func (*RefundCustomer) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("payment_id"), cmdx.Idempotency{OnProcessing: cmdx.PolicyFail})
}

// NotifyCustomer keeps the resolver and changes the TTL.
type NotifyCustomer struct{ ApplicationTask }

// Configure gives options only: nil keeps the inherited resolver.
func (*NotifyCustomer) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{TTL: time.Hour})
}

// PreviewCharge makes no claim; its work runs every time.
type PreviewCharge struct{ ApplicationTask }

// Configure turns the feature off for the type and its descendants.
func (*PreviewCharge) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Disabled)
}

// endregion

// Work refunds.
func (t *RefundCustomer) Work(context.Context) error { return nil }

// Work notifies.
func (t *NotifyCustomer) Work(context.Context) error { return nil }

// Work previews.
func (t *PreviewCharge) Work(context.Context) error { return nil }

func inheritance(context.Context) {
	// region inheritance-run
	for _, task := range []cmdx.Task{&RefundCustomer{}, &NotifyCustomer{}, &PreviewCharge{}} {
		definition, err := cmdx.DefinitionOf(task)
		if err != nil {
			panic(err)
		}
		fmt.Println(definition.Name(), definition.IdempotencyKey(), definition.Idempotency().TTL)
	}
	// endregion
}
