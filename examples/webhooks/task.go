package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cmdx-go/cmdx"
)

// HandleDelivery handles a webhook delivery, once per delivery id, however
// often the sender delivers it and however many workers receive it at once.
type HandleDelivery struct {
	cmdx.Base
	Service *Service // what the work changes
	Ledger  *Ledger  // the example's own check, unknown to the framework

	Delivery string          `cmdx:"delivery"`
	Event    string          `cmdx:"event"`
	Body     json.RawMessage `cmdx:"body"`
}

// Configure declares what is known of every delivery.
func (*HandleDelivery) Configure(c *cmdx.Config) {
	c.Required("delivery")
	c.Required("event")
	c.Optional("body")

	c.IdempotentBy(cmdx.FromContext("delivery"), cmdx.Idempotency{
		// Remembered for as long as the sender may still redeliver.
		TTL: 24 * time.Hour,
		// Covers the longest work with all its retries; a worker that died
		// blocks its delivery for that long.
		ProcessingTTL: 5 * time.Minute,
		// Handled already: skipped, and the sender hears "thank you".
		OnDuplicate: cmdx.PolicySkip,
		// Somebody is at it and may yet fail. A sender that was thanked for
		// this one would not come back then, and the delivery would be lost.
		OnProcessing: cmdx.PolicyFail,
		// Without an id there is no telling a duplicate.
		OnBlank: cmdx.PolicyFail,
	})

	// One claim covers all attempts: nobody comes in between.
	c.RetryOn(cmdx.ErrorIs(ErrUnavailable), cmdx.Retry{
		Limit: 3, Delay: 10 * time.Millisecond, MaxDelay: 100 * time.Millisecond, Jitter: cmdx.FullRandom,
	})
}

// Work runs for the one caller that holds the claim of this delivery.
func (t *HandleDelivery) Work(ctx context.Context) error {
	if err := t.Service.Apply(ctx, t.Delivery, t.Event, t.Body); err != nil {
		return err
	}
	return t.Ledger.Record(t.Delivery)
}
