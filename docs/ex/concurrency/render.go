package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx"
)

// farm renders slowly: it announces that it is busy, and is so until told to
// finish.
type farm struct{ busy, finish chan struct{} }

func (f *farm) render(context.Context) error {
	f.busy <- struct{}{}
	<-f.finish
	return nil
}

// region render

// RenderVideo takes minutes and much memory: two at once per customer, however
// many machines there are.
type RenderVideo struct {
	cmdx.Base
	Farm       *farm
	CustomerID string `cmdx:"customer_id,required"`
}

// Configure gives a place a short life and renews it, so that a machine that
// dies keeps its place for half a minute only.
func (*RenderVideo) Configure(c *cmdx.Config) {
	c.LimitConcurrency(cmdx.FromContext("customer_id"), cmdx.Concurrency{
		Limit: 2,
		TTL:   30 * time.Second,
		Renew: cmdx.On,
	})
}

// Work renders.
func (t *RenderVideo) Work(ctx context.Context) error { return t.Farm.render(ctx) }

// endregion

func basicUsage(ctx context.Context) {
	// region basic-usage
	render := &RenderVideo{Farm: &farm{make(chan struct{}), make(chan struct{})}}
	customer := cmdx.Args{"customer_id": "cus_1"}

	results := make(chan *cmdx.Result)
	for range 2 {
		go func() { results <- cmdx.Execute(ctx, render, customer) }()
		<-render.Farm.busy
	}

	third := cmdx.Execute(ctx, render, customer)
	fmt.Printf("%s: %s\n", third.Status(), third.Reason())
	fmt.Println(third.Metadata()["code"], third.Metadata()["concurrency_key"])

	close(render.Farm.finish)
	fmt.Println((<-results).Status(), (<-results).Status())
	// endregion
}
