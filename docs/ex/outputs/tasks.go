package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/outputs"
)

// region basic

// SellTicket promises what others read from the context.
type SellTicket struct {
	cmdx.Base
	Seat     string `cmdx:"seat,required"`
	Delivery string `cmdx:"delivery,default=print"`
}

// Configure declares the promises.
func (*SellTicket) Configure(c *cmdx.Config) {
	c.Output("ticket", outputs.Description("The number of the ticket"))
	c.Output("currency", outputs.Default("eur"))
	c.Output("gate", outputs.DefaultFrom((*SellTicket).nearestGate))
	c.Output("tracking", outputs.If(cmdx.When((*SellTicket).shipped)))
}

func (t *SellTicket) nearestGate() any { return "gate of " + t.Seat }
func (t *SellTicket) shipped() bool    { return t.Delivery == "post" }

// Work leaves the ticket.
func (t *SellTicket) Work(context.Context) error {
	t.Context().Set("ticket", "T-1")
	return nil
}

// endregion

func basic(ctx context.Context) {
	// region basic-run
	result := cmdx.Execute(ctx, &SellTicket{}, cmdx.Args{"seat": "A1"})
	fmt.Println(result.Status(), result.Context().MustGet("currency"), result.Context().MustGet("gate"))

	result = cmdx.Execute(ctx, &SellTicket{}, cmdx.Args{"seat": "A1", "delivery": "post"})
	fmt.Println(result.Status(), result.Reason())
	// endregion
}

// region child

// SellSeason is sold without a seat's gate.
type SellSeason struct{ SellTicket }

// Configure drops an inherited output.
func (*SellSeason) Configure(c *cmdx.Config) { c.RemoveOutput("gate") }

// endregion

func child(ctx context.Context) {
	// region child-run
	result := cmdx.Execute(ctx, &SellSeason{}, cmdx.Args{"seat": "any"})
	fmt.Println(result.Context().Has("gate"))
	// endregion
}

func schema(context.Context) {
	// region schema
	text, _ := json.Marshal(outputs.Schema(&SellSeason{}))
	fmt.Println(string(text))
	// endregion
}
