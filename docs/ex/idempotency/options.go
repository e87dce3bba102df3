package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx"
)

// region options

// ImportInvoice remembers an invoice for a day, but lets a dead worker block
// it for ten minutes only.
type ImportInvoice struct {
	cmdx.Base
	Number string `cmdx:"number,required"`
	DryRun bool   `cmdx:"dry_run"`
}

// Configure keeps dry runs out of the claim.
func (*ImportInvoice) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("number"), cmdx.Idempotency{
		TTL:           24 * time.Hour,
		ProcessingTTL: 10 * time.Minute,
		Unless:        cmdx.When((*ImportInvoice).dryRun),
	})
}

func (t *ImportInvoice) dryRun() bool { return t.DryRun }

// endregion

// Work imports the invoice.
func (t *ImportInvoice) Work(context.Context) error { return nil }

func options(ctx context.Context) {
	// region options-run
	trial := cmdx.Args{"number": "2026-17", "dry_run": true}
	for range 2 {
		fmt.Println("dry run:", cmdx.Execute(ctx, &ImportInvoice{}, trial).Status())
	}

	invoice := cmdx.Args{"number": "2026-17"}
	for range 2 {
		fmt.Println("real:", cmdx.Execute(ctx, &ImportInvoice{}, invoice).Status())
	}
	// endregion
}
