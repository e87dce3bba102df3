package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

// OldCharge does not run any more.
type OldCharge struct{ cmdx.Base }

// Configure refuses every run.
func (*OldCharge) Configure(c *cmdx.Config) {
	// region deprecate
	c.Deprecate(cmdx.DeprecateError, cmdx.Deprecation{Message: "use ChargeCustomer"})
	// endregion
}

// Work is never reached.
func (*OldCharge) Work(context.Context) error { return nil }

func telling(ctx context.Context) {
	// region errors
	_, err := cmdx.ExecuteBang(ctx, &OldCharge{}, nil)
	var deprecated *cmdx.DeprecationError
	if errors.As(err, &deprecated) {
		fmt.Println(deprecated.Task, "→", deprecated.Message)
	}
	// endregion
}
