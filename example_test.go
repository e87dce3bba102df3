package cmdx_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/stores"
)

// ChargeCustomer charges a customer once per payment.
type ChargeCustomer struct {
	cmdx.Base
	PaymentID   string `cmdx:"payment_id"`
	AmountCents int64  `cmdx:"amount_cents"`
}

func (*ChargeCustomer) Configure(c *cmdx.Config) {
	c.Required("payment_id", inputs.Coerce(inputs.String), inputs.Presence())
	c.Required("amount_cents", inputs.Coerce(inputs.Integer), inputs.Validate("gt=0"))
	c.IdempotentBy(cmdx.FromContext("payment_id"))
}

func (t *ChargeCustomer) Work(context.Context) error {
	t.Context().Set("charge", fmt.Sprintf("%d cents for %s", t.AmountCents, t.PaymentID))
	return nil
}

// errDeclined is what a bank says.
var errDeclined = errors.New("the card was declined")

// PayInvoice does what its amount asks for.
type PayInvoice struct {
	cmdx.Base
	Amount int `cmdx:"amount,required"`
}

func (t *PayInvoice) Work(context.Context) error {
	switch {
	case t.Amount == 0:
		return t.Skip("nothing to pay")
	case t.Amount > 100:
		return errDeclined
	}
	return nil
}

// SendReceipt is sent once per user and order, and only when it is live.
type SendReceipt struct {
	cmdx.Base
	User  string `cmdx:"user,required"`
	Order string `cmdx:"order,required"`
	Live  bool   `cmdx:"live"`
}

func (*SendReceipt) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc((*SendReceipt).key), cmdx.Idempotency{If: cmdx.When((*SendReceipt).live)})
}

func (t *SendReceipt) key() string { return t.User + ":" + t.Order }
func (t *SendReceipt) live() bool  { return t.Live }

func (t *SendReceipt) Work(context.Context) error { return nil }

// CallBank calls until the bank answers.
type CallBank struct {
	cmdx.Base
	Answers []error
}

var errBusy = errors.New("busy")

func (*CallBank) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.ErrorIs(errBusy), cmdx.Retry{
		Limit: 5, Delay: cmdx.NoDelay,
		If: cmdx.WhenError(func(_ *CallBank, _ error, attempt int) bool { return attempt < 2 }),
	})
}

func (t *CallBank) Work(context.Context) error { return t.Answers[t.Attempt()] }

// Outer executes another task.
type Outer struct{ cmdx.Base }

func (t *Outer) Work(ctx context.Context) error {
	inner := cmdx.Execute(ctx, &PayInvoice{}, cmdx.Args{"amount": 500})
	alone := cmdx.Execute(cmdx.Detach(ctx), &PayInvoice{}, cmdx.Args{"amount": 5})
	fmt.Println("same chain:", inner.CID() == alone.CID())
	return inner.Err()
}

func ExampleExecute() {
	cmdx.Reset()
	payment := cmdx.Args{"payment_id": "pay_123", "amount_cents": "9900"}

	first := cmdx.Execute(context.Background(), &ChargeCustomer{}, payment)
	fmt.Println(first.Status())

	second := cmdx.Execute(context.Background(), &ChargeCustomer{}, payment)
	fmt.Printf("%s: %s\n", second.Status(), second.Metadata()["code"])
	// Output:
	// success
	// skipped: duplicate
}

func ExampleExecuteBang() {
	_, err := cmdx.ExecuteBang(context.Background(), &PayInvoice{}, cmdx.Args{"amount": 500})
	fmt.Println(err)
	fmt.Println(errors.Is(err, errDeclined))

	result, err := cmdx.ExecuteBang(context.Background(), &PayInvoice{}, cmdx.Args{"amount": 0})
	fmt.Println(result.Status(), err)
	// Output:
	// PayInvoice failed: [errors.errorString] the card was declined
	// true
	// skipped <nil>
}

func ExampleNew() {
	// Two runtimes share no claims.
	for range 2 {
		runtime := cmdx.New(cmdx.Configuration{Store: stores.NewMemory()})
		result := runtime.Execute(context.Background(), &ChargeCustomer{}, cmdx.Args{"payment_id": "pay_123", "amount_cents": 9_900})
		fmt.Println(result.Status())
	}
	// Output:
	// success
	// success
}

func ExampleConfigure() {
	defer cmdx.Reset()
	cmdx.Configure(func(c *cmdx.Configuration) {
		c.CorrelationID = func(context.Context) string { return "request-7" }
		c.Telemetry.Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) {
			fmt.Println(e.Task, e.XID)
		})
	})
	cmdx.Execute(context.Background(), &PayInvoice{}, cmdx.Args{"amount": 5})
	// Output: PayInvoice request-7
}

func ExampleValidate() {
	fmt.Println(cmdx.Validate(&ChargeCustomer{}, &PayInvoice{}, &SendReceipt{}))
	// Output: <nil>
}

func ExampleDefinitionOf() {
	definition, err := cmdx.DefinitionOf(&ChargeCustomer{})
	fmt.Println(definition.Name(), definition.Idempotency().TTL, err)
	for _, step := range definition.Steps() {
		fmt.Println("-", step)
	}
	// Output:
	// ChargeCustomer 5m0s <nil>
	// - resolve inputs
	// - idempotency claim
	// - retry loop { Work }
	// - completed
}

func ExampleDetach() {
	result := cmdx.Execute(context.Background(), &Outer{}, nil)
	fmt.Println(result.Status(), "by", result.CausedFailure().TaskName())
	// Output:
	// same chain: false
	// failed by PayInvoice
}

func ExampleKeyFunc() {
	cmdx.Reset()
	args := cmdx.Args{"user": "ada", "order": "o_1", "live": true}
	cmdx.Execute(context.Background(), &SendReceipt{}, args)
	result := cmdx.Execute(context.Background(), &SendReceipt{}, args)
	fmt.Println(result.Metadata()["idempotency_key"])
	// Output: cmdx:idem:SendReceipt:ada:o_1
}

func ExampleWhen() {
	cmdx.Reset()
	args := cmdx.Args{"user": "ada", "order": "o_2", "live": false}
	for range 2 {
		fmt.Println(cmdx.Execute(context.Background(), &SendReceipt{}, args).Status())
	}
	// Output:
	// success
	// success
}

func ExampleWhenError() {
	// Five retries are allowed, but the gate refuses the third.
	result := cmdx.Execute(context.Background(), &CallBank{Answers: []error{errBusy, errBusy, errBusy, nil}}, nil)
	fmt.Println(result.Status(), "after", result.Retries(), "retries")
	// Output: failed after 2 retries
}

func ExampleErrorType() {
	matcher := cmdx.ErrorType[*cmdx.UnknownKeyError]()
	fmt.Println(matcher.Match(fmt.Errorf("wrapped: %w", &cmdx.UnknownKeyError{Key: "charge"})))
	fmt.Println(matcher.Match(errBusy))
	// Output:
	// true
	// false
}

func ExampleGet() {
	cmdx.Reset()
	result := cmdx.Execute(context.Background(), &ChargeCustomer{}, cmdx.Args{"payment_id": "pay_7", "amount_cents": 100})
	charge, ok := cmdx.Get[string](result.Context(), "charge")
	fmt.Println(charge, ok)
	// Output: 100 cents for pay_7 true
}

func ExampleIn() {
	result := cmdx.Execute(context.Background(), &PayInvoice{}, cmdx.Args{"amount": "42"})
	fmt.Println(cmdx.In[int64](result.Task(), "amount") + 1)
	// Output: 43
}

func ExampleExponential() {
	for attempt := range 4 {
		fmt.Println(cmdx.Exponential(attempt, 100*time.Millisecond, 0))
	}
	// Output:
	// 100ms
	// 200ms
	// 400ms
	// 800ms
}
