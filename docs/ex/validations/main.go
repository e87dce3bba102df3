// Command validations holds the samples of docs/validations.md and
// docs/messages.md and runs them one after another.
package main

import (
	"context"
	"fmt"
	"regexp"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// region basic

var currency = regexp.MustCompile("^[A-Z]{3}$")

// RefundOrder holds its inputs to rules before Work.
type RefundOrder struct{ cmdx.Base }

// Configure gives each rule what it needs, and words of its own where the
// built-in ones do not serve.
func (*RefundOrder) Configure(c *cmdx.Config) {
	c.Required("amount", inputs.Coerce(inputs.Decimal), inputs.Numeric(inputs.Within(0.01, 500)))
	c.Required("currency", inputs.Coerce(inputs.String), inputs.Format(currency, inputs.Message("must be a currency code")))
	c.Required("reason", inputs.Coerce(inputs.String), inputs.Inclusion(inputs.OneOf("damaged", "late")))
	c.Optional("note", inputs.Coerce(inputs.String), inputs.Length(inputs.AtMost(5)))
	c.Optional("mail", inputs.Coerce(inputs.String), inputs.Validate("email"))
}

// Work runs with values that hold.
func (*RefundOrder) Work(context.Context) error { return nil }

// endregion

func basic(ctx context.Context) {
	// region basic-run
	result := cmdx.Execute(ctx, &RefundOrder{}, cmdx.Args{
		"amount": "500.01", "currency": "eur", "reason": "bored", "note": "broken", "mail": "nobody",
	})
	for _, message := range result.Errors().FullMessages() {
		fmt.Println(message)
	}
	// endregion
}

func locales(ctx context.Context) {
	// region messages
	err := cmdx.RegisterMessages("es", map[string]string{
		"inputs.required":            "es obligatorio",
		"validations.inclusion.list": "debe ser uno de: {list}",
	})
	if err != nil {
		fmt.Println(err)
	}
	ctx = cmdx.WithLocale(ctx, "es-MX") // or Configuration.Locale
	result := cmdx.Execute(ctx, &RefundOrder{}, cmdx.Args{"amount": 1, "reason": "bored"})
	fmt.Println(result.Reason())
	// endregion
}

func main() {
	ctx := context.Background()
	basic(ctx)
	locales(ctx)
}
