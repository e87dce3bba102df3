package main

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

// region scope

// AccountTask is the parent of all that touches an account.
type AccountTask struct {
	cmdx.Base
	AccountID string `cmdx:"account_id,required"`
}

// Configure lets all of them share one lock per account.
func (*AccountTask) Configure(c *cmdx.Config) {
	c.LockWith(cmdx.FromContext("account_id"), cmdx.Lock{Scope: "account"})
}

// Deposit and Close exclude each other.
type Deposit struct{ AccountTask }

// Work deposits.
func (*Deposit) Work(context.Context) error { return nil }

// Close empties an account, by a deposit elsewhere.
type Close struct{ AccountTask }

// Work runs a deposit while it holds the account.
func (t *Close) Work(ctx context.Context) error {
	return cmdx.Execute(ctx, &Deposit{}, t.Context()).Err()
}

// endregion

func scope(context.Context) {
	// region scope-key
	definition, err := cmdx.DefinitionOf(&Deposit{})
	if err != nil {
		panic(err)
	}
	fmt.Println(definition.Lock().Namespace, definition.Lock().Scope)
	// endregion
}

func nested(ctx context.Context) {
	// region nested
	result := cmdx.Execute(ctx, &Close{}, cmdx.Args{"account_id": "acc_1"})
	fmt.Println(result.Status(), result.Metadata()["code"])
	fmt.Println(result.Reason())
	// endregion
}
