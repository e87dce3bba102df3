package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx"
)

// region waiting

// PatientWithdraw waits for its turn for up to ten seconds.
type PatientWithdraw struct{ Withdraw }

// Configure keeps the key of the parent.
func (*PatientWithdraw) Configure(c *cmdx.Config) {
	c.LockWith(nil, cmdx.Lock{Wait: 10 * time.Second})
}

// endregion

func waiting(ctx context.Context) {
	withdraw := &PatientWithdraw{Withdraw{Bank: newBank()}}
	account := cmdx.Args{"account_id": "acc_1"}
	first := make(chan *cmdx.Result)
	go func() { first <- cmdx.Execute(ctx, withdraw, account) }()
	<-withdraw.Bank.busy

	time.AfterFunc(20*time.Millisecond, func() { close(withdraw.Bank.finish) })
	fmt.Println(cmdx.Execute(ctx, withdraw, account).Status())
	fmt.Println((<-first).Status())
}

// region options

// RebuildIndex takes hours, on one machine at a time. Should that machine die,
// another one can begin within a minute.
type RebuildIndex struct{ cmdx.Base }

// Configure renews a short lock for as long as Work takes.
func (*RebuildIndex) Configure(c *cmdx.Config) {
	c.LockWith(cmdx.Literal("index"), cmdx.Lock{
		TTL:        time.Minute,
		Renew:      cmdx.On,
		OnConflict: cmdx.PolicySkip,
	})
}

// endregion

// Work would rebuild the index.
func (*RebuildIndex) Work(ctx context.Context) error { return ctx.Err() }

func options(ctx context.Context) {
	fmt.Println(cmdx.Execute(ctx, &RebuildIndex{}, nil).Status())
}
