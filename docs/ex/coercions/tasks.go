package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// region basic

// BookPayment takes what a form or a queue delivers: text, mostly.
type BookPayment struct {
	cmdx.Base
	Amount  decimal.Decimal `cmdx:"amount"`
	Due     time.Time       `cmdx:"due"`
	Retry   time.Duration   `cmdx:"retry"`
	Express bool            `cmdx:"express"`
}

// Configure names the coercions; without them the fields' types would ask for
// the same ones, but for the day.
func (*BookPayment) Configure(c *cmdx.Config) {
	c.Required("amount", inputs.Coerce(inputs.Decimal))
	c.Required("due", inputs.Coerce(inputs.Date))
	c.Optional("retry", inputs.Coerce(inputs.Duration), inputs.Default("30s"))
	c.Optional("express", inputs.Coerce(inputs.Boolean))
}

// Work has values of the right types.
func (t *BookPayment) Work(context.Context) error {
	fmt.Println(t.Amount.StringFixed(2), t.Due.Format(time.DateOnly), t.Retry, t.Express)
	return nil
}

// endregion

func basic(ctx context.Context) {
	// region basic-run
	cmdx.Execute(ctx, &BookPayment{}, cmdx.Args{"amount": " 1_250.50 ", "due": "2026-03-04", "express": "yes"})
	cmdx.Execute(ctx, &BookPayment{}, cmdx.Args{"amount": 0.1, "due": "2026-03-04T23:30:00-05:00", "retry": 90})

	result := cmdx.Execute(ctx, &BookPayment{}, cmdx.Args{"amount": "1e999999999", "due": "2026-02-30", "retry": "90"})
	fmt.Println(result.Reason())
	// endregion
}

// region options

// ReadMeter reads a protocol that was made for other eyes.
type ReadMeter struct{ cmdx.Base }

// Configure says how its text is written.
func (*ReadMeter) Configure(c *cmdx.Config) {
	c.Required("register", inputs.Coerce(inputs.Integer), inputs.Base(16))
	c.Required("read_on", inputs.Coerce(inputs.Date), inputs.Layout("02.01.2006", "02.01.06"))
	c.Required("reading", inputs.Coerce(inputs.Integer, inputs.Boolean))
	c.Optional("channels", inputs.Coerce(inputs.Array.Of(inputs.Integer)))
}

// Work reads the inputs by name.
func (t *ReadMeter) Work(context.Context) error {
	day := cmdx.In[time.Time](t, "read_on").Format(time.DateOnly)
	fmt.Println(t.Input("register"), day, t.Input("reading"), t.Input("channels"))
	return nil
}

// endregion

func options(ctx context.Context) {
	// region options-run
	cmdx.Execute(ctx, &ReadMeter{}, cmdx.Args{"register": "0x1F", "read_on": "04.03.2026", "reading": "017"})
	cmdx.Execute(ctx, &ReadMeter{}, cmdx.Args{"register": 31, "read_on": "04.03.26", "reading": "off", "channels": "[1, 2]"})

	result := cmdx.Execute(ctx, &ReadMeter{}, cmdx.Args{"register": "1G", "read_on": "2026-03-04", "reading": "perhaps"})
	fmt.Println(result.Reason())
	// endregion
}

// region own

// Money is an amount with its currency.
type Money struct {
	Cents    int64
	Currency string
}

func parseMoney(v any) (Money, error) {
	text, _ := v.(string)
	amount, currency, _ := strings.Cut(text, " ")
	d, err := decimal.NewFromString(amount)
	if err != nil || len(currency) != 3 {
		return Money{}, errors.New("write an amount and a currency, such as 12.50 EUR")
	}
	return Money{Cents: d.Shift(2).IntPart(), Currency: currency}, nil
}

// MoneyCoercion is registered while the program starts, so that a declaration
// anywhere can name it.
var MoneyCoercion = inputs.Register("money", parseMoney)

// RefundOrder uses it three ways.
type RefundOrder struct {
	cmdx.Base
	Total Money `cmdx:"total"`
}

// Configure names it by its variable, by its name, and makes one on the spot.
func (*RefundOrder) Configure(c *cmdx.Config) {
	c.Required("total", inputs.Coerce(MoneyCoercion))
	c.Optional("fee", inputs.Coerce(inputs.Named("money")))
	c.Optional("ticket", inputs.Coerce(inputs.Func("ticket", func(v any) (string, error) {
		if text, ok := v.(string); ok && strings.HasPrefix(text, "T-") {
			return strings.ToUpper(text), nil
		}
		return "", errors.New("no ticket")
	})))
}

// Work has a Money.
func (t *RefundOrder) Work(context.Context) error {
	fmt.Println(t.Total.Cents, t.Total.Currency, t.Input("ticket"))
	return nil
}

// endregion

func own(ctx context.Context) {
	// region own-run
	cmdx.Execute(ctx, &RefundOrder{}, cmdx.Args{"total": "12.50 EUR", "ticket": "T-1a"})

	result := cmdx.Execute(ctx, &RefundOrder{}, cmdx.Args{"total": "12.50", "ticket": "1a"})
	fmt.Println(result.Reason())
	// endregion
}

// region fields

// Parcel is a part of a shipment.
type Parcel struct {
	Weight decimal.Decimal `json:"weight"`
	Codes  []int           `json:"codes"`
}

// PlanShipment has fields of many types; each asks for its coercion by itself.
type PlanShipment struct {
	cmdx.Base
	Parcels []Parcel       `cmdx:"parcels"`
	Labels  map[string]int `cmdx:"labels"`
	Gateway netip.Addr     `cmdx:"gateway"` // reads itself from text
	Note    sql.NullString `cmdx:"note"`    // Valid when it was given
	Limit   *int16         `cmdx:"limit"`   // nil when it was not
}

// Work has them all.
func (t *PlanShipment) Work(context.Context) error {
	for _, p := range t.Parcels {
		fmt.Println(p.Weight, p.Codes)
	}
	fmt.Println(t.Labels, t.Gateway, t.Note.Valid, t.Limit == nil)
	return nil
}

// endregion

func fields(ctx context.Context) {
	// region fields-run
	cmdx.Execute(ctx, &PlanShipment{}, cmdx.Args{
		"parcels": `[{"weight": 2.50, "codes": [7, "8"]}, {"weight": "0.75"}]`,
		"labels":  map[string]any{"fragile": "1"},
		"gateway": "10.0.0.1",
		"note":    "",
	})

	result := cmdx.Execute(ctx, &PlanShipment{}, cmdx.Args{
		"parcels": []any{map[string]any{"weight": 1}, map[string]any{"codes": []any{7, "eight"}}},
		"gateway": "somewhere",
		"limit":   40_000,
	})
	fmt.Println(strings.ReplaceAll(result.Reason(), ". ", "\n"))
	// endregion
}

func form(ctx context.Context) {
	// region form
	query, _ := url.ParseQuery("amount=12.50&amount=99&due=2026-03-04&express=on")
	cmdx.Execute(ctx, &BookPayment{}, query) // or request.Form

	query, _ = url.ParseQuery("register=1f&read_on=04.03.2026&reading=1&channels=1&channels=2")
	cmdx.Execute(ctx, &ReadMeter{}, query)
	// endregion
}

func structs(ctx context.Context) {
	// region struct
	type payment struct {
		Amount decimal.Decimal `cmdx:"amount"`
		Due    time.Time       `json:"due"`
		Retry  sql.NullInt64   `json:"retry"`
		Secret string          `json:"-"`
	}
	cmdx.Execute(ctx, &BookPayment{}, payment{
		Amount: decimal.RequireFromString("12345678901234567890.10"),
		Due:    time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC),
	})
	// endregion
}
