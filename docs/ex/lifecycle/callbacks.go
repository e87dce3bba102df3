package main

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

// region callbacks

// ApplicationTask is the parent of the application's tasks.
type ApplicationTask struct{ cmdx.Base }

// Configure lets every failure be told.
func (*ApplicationTask) Configure(c *cmdx.Config) {
	c.OnFailed(cmdx.Call((*ApplicationTask).report))
}

func (t *ApplicationTask) report(ctx context.Context) error {
	outcome, _ := cmdx.OutcomeOf(ctx)
	fmt.Println("report:", outcome.Reason)
	return nil
}

// ChargeCustomer halts while the shop is closed.
type ChargeCustomer struct {
	ApplicationTask
	Closed bool
	Cents  int64 `cmdx:"amount_cents"`
}

// Configure gives method expressions: the task comes with each run.
func (*ChargeCustomer) Configure(c *cmdx.Config) {
	c.BeforeExecution(cmdx.Call((*ChargeCustomer).checkHours))
	c.AroundExecution(cmdx.Around((*ChargeCustomer).announced))
	c.OnSuccess(cmdx.Call((*ChargeCustomer).sendReceipt), cmdx.CallbackOptions{If: cmdx.When((*ChargeCustomer).large)})
}

func (t *ChargeCustomer) checkHours(context.Context) error {
	if t.Closed {
		return t.Skip("the shop is closed")
	}
	return nil
}

func (t *ChargeCustomer) announced(ctx context.Context, next cmdx.Next) error {
	fmt.Println("charging")
	err := next(ctx)
	fmt.Println("charged:", !cmdx.Failed(err))
	return err
}

func (t *ChargeCustomer) sendReceipt(context.Context) error { fmt.Println("receipt"); return nil }
func (t *ChargeCustomer) large() bool                       { return t.Cents >= 1_000 }

// endregion

// Work refuses nothing but negative amounts.
func (t *ChargeCustomer) Work(context.Context) error {
	if t.Cents < 0 {
		return t.Fail("a negative amount")
	}
	return nil
}

func charging(ctx context.Context) {
	// region callbacks-run
	charge := func(task *ChargeCustomer, cents int64) {
		result := cmdx.Execute(ctx, task, cmdx.Args{"amount_cents": cents})
		fmt.Printf("%s %q\n", result.Status(), result.Reason())
	}
	charge(&ChargeCustomer{}, 9_900)
	charge(&ChargeCustomer{}, -1)
	charge(&ChargeCustomer{Closed: true}, 9_900)
	// endregion
}

// region remove

// ImportCharge is a charge of another system: no receipt, and no report.
type ImportCharge struct{ ChargeCustomer }

// Configure takes away one callback, and all of a kind.
func (*ImportCharge) Configure(c *cmdx.Config) {
	c.RemoveCallback(cmdx.OnSuccess, cmdx.Call((*ChargeCustomer).sendReceipt))
	c.OnFailed(cmdx.Disabled)
}

// endregion
