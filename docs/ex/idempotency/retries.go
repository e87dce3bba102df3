package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

// region retries

var errBusy = errors.New("the warehouse is busy")

// ReserveInventory tries a busy warehouse up to three times.
type ReserveInventory struct {
	cmdx.Base
	Warehouse *warehouse
	OrderID   string `cmdx:"order_id,required"`
}

// Configure lets one claim cover all attempts.
func (*ReserveInventory) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("order_id"))
	c.RetryOn(cmdx.ErrorIs(errBusy), cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

// Work may be entered more than once in one execution, never in two at once.
func (t *ReserveInventory) Work(context.Context) error { return t.Warehouse.reserve(t.OrderID) }

// endregion

// warehouse is busy for some calls.
type warehouse struct{ busy int }

func (w *warehouse) reserve(string) error {
	if w.busy > 0 {
		w.busy--
		return errBusy
	}
	return nil
}

func retries(ctx context.Context) {
	// region retries-run
	order := cmdx.Args{"order_id": "o_1"}
	reserve := &ReserveInventory{Warehouse: &warehouse{busy: 4}}

	for range 3 {
		result := cmdx.Execute(ctx, reserve, order)
		fmt.Println(result.Status(), "after", result.Retries(), "retries")
	}
	// endregion
}
