package main

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/cmdxtest"
)

// ChargeCustomer is what is tested.
type ChargeCustomer struct {
	cmdx.Base
	PaymentID string `cmdx:"payment_id,required"`
	Err       error
}

// Configure lets each payment be charged once in an hour.
func (*ChargeCustomer) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("payment_id"), cmdx.Idempotency{TTL: time.Hour})
}

// Work charges.
func (t *ChargeCustomer) Work(context.Context) error {
	t.Context().Set("receipt", "r_1")
	return t.Err
}

// region gomega

func TestADeclinedCard(t *testing.T) {
	g := NewWithT(t)
	declined := errors.New("card declined")
	rt := cmdxtest.NewRuntime(t)

	result := rt.Execute(context.Background(), &ChargeCustomer{Err: declined}, cmdx.Args{"payment_id": "pay_1"})

	g.Expect(result).To(cmdxtest.BeFailed().WithCause(declined))
	g.Expect(result).To(cmdxtest.HaveContext("receipt", HavePrefix("r_")))
	g.Expect(rt.Execute(context.Background(), &ChargeCustomer{}, nil)).
		To(cmdxtest.HaveErrorOn("payment_id", "is required"))
}

// endregion

// region plain

func TestAPaymentIsChargedOnceAnHour(t *testing.T) {
	rt := cmdxtest.NewRuntime(t)
	charge := func() *cmdx.Result {
		return rt.Execute(context.Background(), &ChargeCustomer{}, cmdx.Args{"payment_id": "pay_1"})
	}
	cmdxtest.AssertSuccess(t, charge())
	cmdxtest.Assert(t, charge(), cmdxtest.BeDuplicate().WithMetadata("state", "completed"))
	rt.Advance(time.Hour)
	cmdxtest.AssertSuccess(t, charge())
}

// endregion

// region events

func TestAChargeTellsOfItself(t *testing.T) {
	rt := cmdxtest.NewRuntime(t)
	rt.Execute(context.Background(), &ChargeCustomer{}, cmdx.Args{"payment_id": "pay_1"})
	want := []cmdx.EventName{
		cmdx.EventTaskStarted, cmdx.EventIdempotencyClaimed, cmdx.EventIdempotencyCompleted, cmdx.EventTaskExecuted,
	}
	if got := rt.Events.Names(); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// endregion
