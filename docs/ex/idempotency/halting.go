package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/cmdx-go/cmdx"
)

// OpenAccount refuses a second run.
type OpenAccount struct {
	cmdx.Base
	Email string `cmdx:"email,required"`
}

// Configure lets duplicates fail.
func (*OpenAccount) Configure(c *cmdx.Config) {
	// region fail
	c.IdempotentBy(cmdx.FromContext("email"), cmdx.Idempotency{OnDuplicate: cmdx.PolicyFail})
	// endregion
}

// Work opens the account.
func (t *OpenAccount) Work(context.Context) error { return nil }

// region status

// httpStatus answers a request with what became of its task.
func httpStatus(result *cmdx.Result) int {
	switch {
	case result.IsOK(): // a skipped duplicate too: the work is done
		return http.StatusOK
	case result.Metadata()["code"] == cmdx.CodeDuplicate:
		return http.StatusConflict
	case result.Metadata()["code"] == cmdx.CodeStoreUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusUnprocessableEntity
}

// endregion

func skipOrFail(ctx context.Context) {
	// region status-run
	payment := cmdx.Args{"payment_id": "pay_123", "amount_cents": 9_900}
	account := cmdx.Args{"email": "ada@example.org"}
	for range 2 {
		fmt.Println("charge:", httpStatus(cmdx.Execute(ctx, &ChargeCustomer{Gateway: &provider{}}, payment)))
		fmt.Println("account:", httpStatus(cmdx.Execute(ctx, &OpenAccount{}, account)))
	}
	// endregion
}

func faults(ctx context.Context) {
	// region faults
	account := cmdx.Args{"email": "ada@example.org"}
	_, err := cmdx.ExecuteBang(ctx, &OpenAccount{}, account)
	fmt.Println(err)

	_, err = cmdx.ExecuteBang(ctx, &OpenAccount{}, account)
	var fault *cmdx.Fault
	if errors.As(err, &fault) {
		fmt.Println(fault.Metadata()["code"], fault.Metadata()["state"])
	}
	// endregion
}
