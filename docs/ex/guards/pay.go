package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx"
)

// region pay

// PayInvoice pays an invoice once, on one account at a time, through a gateway
// that has its limits and its bad days.
type PayInvoice struct {
	cmdx.Base
	InvoiceID string `cmdx:"invoice_id,required"`
	AccountID string `cmdx:"account_id,required"`
}

// Configure may declare the guards in any order.
func (*PayInvoice) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{Scope: "gateway", Limit: 100, Per: time.Second})
	c.CircuitBreaker(nil, cmdx.Breaker{Scope: "gateway"})
	c.LimitConcurrency(cmdx.PerTask, cmdx.Concurrency{Scope: "gateway", Limit: 20})
	c.LockWith(cmdx.FromContext("account_id"), cmdx.Lock{Wait: 5 * time.Second})
	c.IdempotentBy(cmdx.FromContext("invoice_id"))
}

// Work pays.
func (*PayInvoice) Work(context.Context) error { return nil }

// endregion

func together(ctx context.Context) {
	// region together
	definition, err := cmdx.DefinitionOf(&PayInvoice{})
	if err != nil {
		panic(err)
	}
	for _, step := range definition.Steps() {
		fmt.Println(step)
	}

	invoice := cmdx.Args{"invoice_id": "inv_1", "account_id": "acc_1"}
	fmt.Println(cmdx.Execute(ctx, &PayInvoice{}, invoice).Status())
	fmt.Println(cmdx.Execute(ctx, &PayInvoice{}, invoice).Metadata()["code"])
	// endregion
}
