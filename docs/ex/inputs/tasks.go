package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// region basic

// SendInvoice is given its inputs by tags and by Configure; both lead to the
// same.
type SendInvoice struct {
	cmdx.Base
	InvoiceID string `cmdx:"invoice_id,required,description='The number on it'"`
	Copies    int    `cmdx:"copies,default=1" validate:"gt=0,lte=5"`
	To        string `cmdx:"to"`
}

// Configure declares what needs more than a tag.
func (*SendInvoice) Configure(c *cmdx.Config) {
	c.Required("to", inputs.Transform(strings.ToLower), inputs.Validate("email"))
}

// Work finds the fields bound.
func (t *SendInvoice) Work(context.Context) error {
	fmt.Println(t.InvoiceID, t.Copies, t.To)
	return nil
}

// endregion

func basic(ctx context.Context) {
	// region basic-run
	cmdx.Execute(ctx, &SendInvoice{}, cmdx.Args{"invoice_id": "2026-17", "to": "Ann@Example.com"})

	result := cmdx.Execute(ctx, &SendInvoice{}, cmdx.Args{"copies": "nine", "to": "ann"})
	fmt.Println(result.Reason())
	fmt.Println(result.Errors().ToMap()["copies"])
	// endregion
}

// region options

// BookTransfer takes inputs from each other, from methods, and by other names.
type BookTransfer struct {
	cmdx.Base
	Recipient string `cmdx:"recipient"`
	Amount    int64  `cmdx:"amount_cents"`
	Fee       int64  `cmdx:"fee_cents"`
	Reference string `cmdx:"reference"`
	Bank      string
}

// Configure is asked once for the type; what a run needs comes by methods.
func (*BookTransfer) Configure(c *cmdx.Config) {
	c.Required("to", inputs.As("recipient"))
	c.Required("amount_cents")
	c.Optional("fee_cents", inputs.DefaultFrom((*BookTransfer).usualFee))
	c.Required("purpose", inputs.Coerce(inputs.String), inputs.If(cmdx.When((*BookTransfer).large)))
	c.Optional("bank", inputs.FromFunc((*BookTransfer).bank))
	c.Optional("reference", inputs.FromInput("bank"), inputs.TransformFrom((*BookTransfer).sign))
}

func (t *BookTransfer) usualFee() any { return t.Amount / 100 }
func (t *BookTransfer) large() bool   { return t.Amount > 1_000_00 }
func (t *BookTransfer) bank() any     { return t.Bank }

func (t *BookTransfer) sign(bank any) (any, error) {
	return fmt.Sprintf("%s to %s", bank, t.Recipient), nil
}

// Work has everything.
func (t *BookTransfer) Work(context.Context) error {
	fmt.Println(t.Amount, t.Fee, t.Reference)
	return nil
}

// endregion

func options(ctx context.Context) {
	// region options-run
	template := &BookTransfer{Bank: "First"}
	cmdx.Execute(ctx, template, cmdx.Args{"to": "ann", "amount_cents": 500})

	result := cmdx.Execute(ctx, template, cmdx.Args{"recipient": "ann", "amount_cents": 500_000})
	fmt.Println(result.Reason())
	// endregion
}

// region nested

// PlaceOrder takes an address, and lines with a product each.
type PlaceOrder struct {
	cmdx.Base
	Zip   string      `cmdx:"address.zip"`
	Lines []OrderLine `cmdx:"lines,required"`
}

// OrderLine declares by its tags what every element of the list must hold.
type OrderLine struct {
	SKU   string `cmdx:"sku,required"`
	Count int    `cmdx:"count,default=1" validate:"gt=0"`
}

// Configure declares the address by hand; the lines speak for themselves.
func (*PlaceOrder) Configure(c *cmdx.Config) {
	c.Required("address", inputs.Nested(
		inputs.Required("zip", inputs.Coerce(inputs.String)),
		inputs.Optional("place", inputs.Nested(
			inputs.Required("latitude", inputs.Coerce(inputs.Float)),
		)),
	))
}

// Work reads nested inputs by their path.
func (t *PlaceOrder) Work(context.Context) error {
	fmt.Println(t.Zip, t.Input("address.place.latitude"), t.Lines)
	return nil
}

// endregion

func nested(ctx context.Context) {
	// region nested-run
	cmdx.Execute(ctx, &PlaceOrder{}, cmdx.Args{
		"address": `{"zip": "01099", "place": {"latitude": 51.05}}`,
		"lines":   []any{map[string]any{"sku": "a-1"}, map[string]any{"sku": "b-2", "count": "3"}},
	})

	result := cmdx.Execute(ctx, &PlaceOrder{}, cmdx.Args{
		"address": map[string]any{"place": "Dresden"},
		"lines":   []any{map[string]any{"sku": "a-1"}, map[string]any{"count": 0}},
	})
	for _, message := range result.Errors().FullMessages() {
		fmt.Println(message)
	}
	// endregion
}

// region child

// SendReminder is a SendInvoice that asks for less and for more.
type SendReminder struct {
	SendInvoice
	Level int `cmdx:"level,required"`
}

// Configure drops one inherited input and declares another one anew.
func (*SendReminder) Configure(c *cmdx.Config) {
	c.RemoveInput("copies")
	c.Optional("to", inputs.Default("billing@example.com"))
}

// endregion

func child(ctx context.Context) {
	// region child-run
	result := cmdx.Execute(ctx, &SendReminder{}, cmdx.Args{"invoice_id": 17})
	fmt.Println(result.Reason())
	cmdx.Execute(ctx, &SendReminder{}, cmdx.Args{"invoice_id": 17, "copies": 4, "level": 1})
	// endregion
}

// region sensitive

// ChargeCard must not show the card's number.
type ChargeCard struct {
	cmdx.Base
	Card string `cmdx:"card,required,sensitive" validate:"credit_card"`
}

// Configure may use the number for a key only as its hash.
func (*ChargeCard) Configure(c *cmdx.Config) {
	c.LockWith(cmdx.Hashed(cmdx.FromContext("card")))
}

// Work has the number; what it says about it is cleaned.
func (t *ChargeCard) Work(context.Context) error {
	t.Context().Set("request", "charge "+t.Card)
	return t.Fail("declined: " + t.Card)
}

// endregion

func sensitive(ctx context.Context) {
	// region sensitive-run
	result := cmdx.Execute(ctx, &ChargeCard{}, cmdx.Args{"card": "4242424242424242"})
	fmt.Println(result.Reason())
	fmt.Println(result.ToMap()["context"])
	// endregion
}

func schema(context.Context) {
	// region schema
	for _, field := range inputs.Schema(&SendInvoice{}) {
		fmt.Println(field.Name, field.Required, field.Coercions)
	}

	schema, err := inputs.JSONSchema(&SendInvoice{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := json.MarshalIndent(schema["properties"], "", "  ")
	fmt.Println(string(text))
	// endregion
}
