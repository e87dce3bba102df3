package main

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

// region queue

// PackParcel is started by messages that a queue may deliver more than once.
type PackParcel struct {
	cmdx.Base
	Shelf    Shelf
	ParcelID string `cmdx:"parcel_id,required"`
}

// Configure refuses a second delivery while the first is still at work.
func (*PackParcel) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("parcel_id"), cmdx.Idempotency{OnProcessing: cmdx.PolicyFail})
}

// Work packs the parcel.
func (t *PackParcel) Work(ctx context.Context) error { return t.Shelf.Pack(ctx, t.ParcelID) }

// deliver tells whether the queue may forget the message.
func deliver(ctx context.Context, shelf Shelf, message cmdx.Args) (acknowledge bool) {
	result := cmdx.Execute(ctx, &PackParcel{Shelf: shelf}, message)
	return result.IsOK() // success now, or completed before
}

// endregion

// Shelf is where parcels are packed.
type Shelf interface {
	Pack(ctx context.Context, parcelID string) error
}

// slowShelf is where a second delivery arrives before the first is done.
type slowShelf struct{ meanwhile func() }

func (s slowShelf) Pack(context.Context, string) error {
	s.meanwhile()
	return nil
}

func queue(ctx context.Context) {
	message := cmdx.Args{"parcel_id": "p_1"}
	nobody := slowShelf{func() {}}
	first := deliver(ctx, slowShelf{func() {
		fmt.Println("second, while the first is at work:", deliver(ctx, nobody, message))
	}}, message)
	fmt.Println("first:", first)
	fmt.Println("third, after the first:", deliver(ctx, nobody, message))
}
