package main

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

// bank is slow: it announces that it is busy, and is so until told to finish.
type bank struct{ busy, finish chan struct{} }

func newBank() *bank { return &bank{make(chan struct{}, 8), make(chan struct{})} }

func (b *bank) withdraw(context.Context, string) error {
	b.busy <- struct{}{}
	<-b.finish
	return nil
}

// region withdraw

// Withdraw works on one account at a time.
type Withdraw struct {
	cmdx.Base
	Bank      *bank
	AccountID string `cmdx:"account_id,required"`
}

// Configure locks the account.
func (*Withdraw) Configure(c *cmdx.Config) {
	c.LockWith(cmdx.FromContext("account_id"))
}

// Work is in no two runs of one account at once.
func (t *Withdraw) Work(ctx context.Context) error {
	return t.Bank.withdraw(ctx, t.AccountID)
}

// endregion

func basicUsage(ctx context.Context) {
	// region basic-usage
	withdraw := &Withdraw{Bank: newBank()}
	account := cmdx.Args{"account_id": "acc_1"}

	first := make(chan *cmdx.Result)
	go func() { first <- cmdx.Execute(ctx, withdraw, account) }()
	<-withdraw.Bank.busy

	second := cmdx.Execute(ctx, withdraw, account)
	fmt.Printf("%s: %s\n", second.Status(), second.Reason())
	fmt.Println(second.Metadata()["code"], second.Metadata()["lock_key"])

	close(withdraw.Bank.finish)
	fmt.Println((<-first).Status())
	fmt.Println(cmdx.Execute(ctx, withdraw, account).Status())
	// endregion
}
