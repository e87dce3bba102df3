package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/outputs"
	"github.com/cmdx-go/cmdx/stores"
)

// region first-task

// GreetUser says hello.
type GreetUser struct {
	cmdx.Base
	Name  string `cmdx:"name,required"`
	Times int    `cmdx:"times"`
}

// Work does the work.
func (t *GreetUser) Work(context.Context) error {
	for range max(t.Times, 1) {
		fmt.Println("Hello,", t.Name)
	}
	return nil
}

// endregion

func firstTask(ctx context.Context) {
	// region first-task-run
	result := cmdx.Execute(ctx, &GreetUser{}, cmdx.Args{"name": "Ada", "times": "2"})
	fmt.Println(result.Status())
	// endregion
}

// region inputs

// CreateUser checks what it is given.
type CreateUser struct {
	cmdx.Base
	Email string `cmdx:"email"`
	Age   int    `cmdx:"age"`
	Plan  string `cmdx:"plan"`
}

// Configure declares the inputs; the tags bind them to fields.
func (*CreateUser) Configure(c *cmdx.Config) {
	c.Required("email", inputs.Coerce(inputs.String), inputs.Presence(), inputs.Validate("email"))
	c.Required("age", inputs.Coerce(inputs.Integer), inputs.Validate("gte=18"))
	c.Optional("plan", inputs.Coerce(inputs.String), inputs.Default("free"))
}

// Work is entered only when all inputs hold.
func (t *CreateUser) Work(context.Context) error {
	t.Context().Set("greeting", fmt.Sprintf("%s is %d, on the %s plan", t.Email, t.Age, t.Plan))
	return nil
}

// endregion

func badInputs(ctx context.Context) {
	// region inputs-run
	good := cmdx.Execute(ctx, &CreateUser{}, cmdx.Args{"email": "ada@example.org", "age": "36"})
	greeting, _ := cmdx.Get[string](good.Context(), "greeting")
	fmt.Println(greeting)

	bad := cmdx.Execute(ctx, &CreateUser{}, cmdx.Args{"age": "young"})
	fmt.Println(bad.Status(), "-", bad.Reason())
	// endregion
}

// region halting

// ShipOrder ends in one of several ways.
type ShipOrder struct {
	cmdx.Base
	State string `cmdx:"state,required"`
}

var errNoCarrier = errors.New("no carrier answered")

// Work halts by returning.
func (t *ShipOrder) Work(context.Context) error {
	switch t.State {
	case "shipped":
		return t.Skip("the order has been shipped")
	case "unpaid":
		return t.Fail("the order is not paid", cmdx.Metadata{"code": "unpaid"})
	case "digital":
		return t.Success("there is nothing to ship")
	case "stormy":
		return errNoCarrier // raised: retried where RetryOn matches it
	}
	return nil
}

// endregion

func halting(ctx context.Context) {
	// region halting-run
	for _, state := range []string{"paid", "shipped", "unpaid", "digital", "stormy"} {
		result := cmdx.Execute(ctx, &ShipOrder{}, cmdx.Args{"state": state})
		fmt.Printf("%s: %s %q\n", state, result.Status(), result.Reason())
	}
	// endregion
}

func reading(ctx context.Context) {
	// region reading
	cmdx.Execute(ctx, &ShipOrder{}, cmdx.Args{"state": "unpaid"}).
		On(cmdx.WordSuccess, func(*cmdx.Result) { fmt.Println("shipped") }).
		On(cmdx.WordFailed, func(r *cmdx.Result) { fmt.Println("failed:", r.Metadata()["code"]) }).
		On(cmdx.WordKO, func(r *cmdx.Result) { fmt.Println("not shipped:", r.Reason()) })
	// endregion
}

func asError(ctx context.Context) {
	// region error
	_, err := cmdx.ExecuteBang(ctx, &ShipOrder{}, cmdx.Args{"state": "stormy"})
	fmt.Println(errors.Is(err, errNoCarrier))

	result, err := cmdx.ExecuteBang(ctx, &ShipOrder{}, cmdx.Args{"state": "shipped"})
	fmt.Println(result.Status(), err)
	// endregion
}

// region outputs

// RenderInvoice promises a document.
type RenderInvoice struct{ cmdx.Base }

// Configure declares what Work must leave in the context.
func (*RenderInvoice) Configure(c *cmdx.Config) {
	c.Output("document")
	c.Output("language", outputs.Default("en"))
}

// Work forgets it.
func (t *RenderInvoice) Work(context.Context) error { return nil }

// endregion

func withOutputs(ctx context.Context) {
	// region outputs-run
	result := cmdx.Execute(ctx, &RenderInvoice{}, nil)
	fmt.Println(result.Status(), "-", result.Reason())
	// endregion
}

// region retries

var errTimeout = errors.New("timeout")

// FetchRates asks a service that answers at the third call.
type FetchRates struct {
	cmdx.Base
	Rates *rates
}

// Configure lets a timeout be tried again, at once.
func (*FetchRates) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorIs(errTimeout), cmdx.Retry{Limit: 3, Delay: cmdx.NoDelay})
}

// Work returns the error as it is: that is what the matcher sees.
func (t *FetchRates) Work(context.Context) error { return t.Rates.fetch() }

// endregion

type rates struct{ calls int }

func (r *rates) fetch() error {
	if r.calls++; r.calls < 3 {
		return errTimeout
	}
	return nil
}

func retrying(ctx context.Context) {
	// region retries-run
	result := cmdx.Execute(ctx, &FetchRates{Rates: &rates{}}, nil)
	fmt.Println(result.Status(), "after", result.Retries(), "retries")
	// endregion
}

// region nested

// CheckOut ships an order as part of its own work.
type CheckOut struct{ cmdx.Base }

// Work hands on its ctx, so that both runs lie in one chain, and its context,
// so that both work on the same data.
func (t *CheckOut) Work(ctx context.Context) error {
	shipped := cmdx.Execute(ctx, &ShipOrder{}, t.Context())
	return t.Throw(shipped) // nil unless it failed
}

// endregion

func nested(ctx context.Context) {
	// region nested-run
	result := cmdx.Execute(ctx, &CheckOut{}, cmdx.Args{"state": "unpaid"})
	fmt.Println(result.Status(), "-", result.Reason())
	fmt.Println("thrown by", result.ThrewFailure().TaskName())
	for _, r := range result.Chain().Results() {
		fmt.Println(r.Index(), r.TaskName())
	}
	// endregion
}

func ownRuntime(ctx context.Context) {
	// region runtime
	runtime := cmdx.New(cmdx.Configuration{Store: stores.NewMemory()})
	result := runtime.Execute(ctx, &GreetUser{}, cmdx.Args{"name": "Grace"})
	fmt.Println(result.Status())
	// endregion
}
