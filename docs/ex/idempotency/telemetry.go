package main

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

// counter stands for the client of a metrics service.
type counter map[string]int

func (c counter) increment(name string, tags ...string) { c[fmt.Sprint(name, tags)]++ }

func telemetry(ctx context.Context) {
	metrics := counter{}
	// region telemetry
	cmdx.Configure(func(c *cmdx.Configuration) {
		c.Telemetry.Subscribe(cmdx.EventIdempotencyDuplicate, func(e cmdx.Event) {
			metrics.increment("cmdx.idempotency.duplicate",
				"task:"+e.Task,
				fmt.Sprint("state:", e.Payload["state"]))
		})
	})
	// endregion
	for range 3 {
		cmdx.Execute(ctx, &ChargeCustomer{Gateway: &provider{}}, cmdx.Args{"payment_id": "pay_123", "amount_cents": 9_900})
	}
	fmt.Println(metrics)
}
