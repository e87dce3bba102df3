package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

var (
	errUnavailable = errors.New("503 from the gateway")
	errDeclined    = errors.New("card declined")
)

// region charge

// Charge calls a payment gateway, which now and then is away.
type Charge struct {
	cmdx.Base
	Gateway func(ctx context.Context) error
}

// Configure opens the circuit of the gateway after two failures in a row. A
// declined card is an error too, but says nothing about the gateway.
func (*Charge) Configure(c *cmdx.Config) {
	c.CircuitBreaker(cmdx.PerTask, cmdx.Breaker{
		Threshold: 2,
		CoolOff:   time.Minute,
		CountIf:   cmdx.ErrorIs(errUnavailable),
	})
}

// Work calls the gateway.
func (t *Charge) Work(ctx context.Context) error { return t.Gateway(ctx) }

// endregion

func basicUsage(ctx context.Context) {
	// region basic-usage
	store := stores.NewMemory()
	runtime := cmdx.New(cmdx.Configuration{Store: store})
	charge := func(answer error) {
		gateway := func(context.Context) error { return answer }
		result := runtime.Execute(ctx, &Charge{Gateway: gateway}, nil)
		report, err := runtime.BreakerState(ctx, &Charge{})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%-7s %v, the circuit is %s\n", result.Status(), result.Metadata()["code"], report.State)
	}

	charge(errUnavailable)
	charge(errDeclined) // does not count, and does not end the row
	charge(errUnavailable)
	charge(nil) // refused: the gateway is not called
	store.Advance(time.Minute)
	charge(nil) // a probe, which succeeds
	charge(nil)
	// endregion
}

// region failure-rate

// Search opens its circuit when half of the calls of the last 30 seconds
// failed, of 50 at least, and lets three probes through at a time.
type Search struct{ cmdx.Base }

// Configure says a rate, which displaces the number of failures in a row.
func (*Search) Configure(c *cmdx.Config) {
	c.CircuitBreaker(cmdx.PerTask, cmdx.Breaker{
		FailureRate: 0.5, Window: 30 * time.Second, MinCalls: 50,
		Probes: 3,
	})
}

// endregion

// Work searches.
func (*Search) Work(context.Context) error { return nil }

func failureRate(ctx context.Context) {
	fmt.Println(cmdx.Execute(ctx, &Search{}, nil).Status())
}
