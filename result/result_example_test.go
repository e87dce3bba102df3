package result_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/result"
)

var errDeclined = errors.New("the card was declined")

// shipOrder fails in one of two ways.
type shipOrder struct {
	cmdx.Base
	Paid bool `cmdx:"paid"`
}

func (t *shipOrder) Work(context.Context) error {
	if !t.Paid {
		return t.Fail("the order is not paid", cmdx.Metadata{"code": "unpaid"})
	}
	return errDeclined
}

// checkOut ships as part of its own work.
type checkOut struct{ cmdx.Base }

func (t *checkOut) Work(ctx context.Context) error {
	return cmdx.Execute(ctx, &shipOrder{}, nil).Err()
}

func ExampleResult_On() {
	cmdx.Execute(context.Background(), &shipOrder{}, nil).
		On(result.WordOK, func(*result.Result) { fmt.Println("shipped") }).
		On(result.WordFailed, func(r *result.Result) { fmt.Println(r.Reason()) }).
		On(result.WordInterrupted, func(r *result.Result) { fmt.Println(r.Metadata()["code"]) })
	// Output:
	// the order is not paid
	// unpaid
}

func ExampleResult_Cause() {
	decided := cmdx.Execute(context.Background(), &shipOrder{}, nil)
	raised := cmdx.Execute(context.Background(), &shipOrder{}, cmdx.Args{"paid": true})
	fmt.Println(decided.Cause())
	fmt.Println(raised.Cause())
	// Output:
	// <nil>
	// the card was declined
}

func ExampleResult_CausedFailure() {
	r := cmdx.Execute(context.Background(), &checkOut{}, nil)
	fmt.Println(r.TaskName(), "failed:", r.Reason())
	fmt.Println("it began at", r.CausedFailure().TaskName())
	// Output:
	// checkOut failed: the order is not paid
	// it began at shipOrder
}

func ExampleFault() {
	err := cmdx.Execute(context.Background(), &shipOrder{}, cmdx.Args{"paid": true}).Err()
	var fault *result.Fault
	fmt.Println(errors.As(err, &fault), errors.Is(err, errDeclined))
	fmt.Println(fault.Result().Status())
	// Output:
	// true true
	// failed
}

func ExampleChain_Results() {
	r := cmdx.Execute(context.Background(), &checkOut{}, nil)
	for _, each := range r.Chain().Results() {
		fmt.Println(each.Index(), each.TaskName(), each.Status())
	}
	// Output:
	// 0 checkOut failed
	// 1 shipOrder failed
}

func ExampleErrors() {
	var errs result.Errors
	errs.Add("email", "is required")
	errs.Add("age", "must be at least 18")
	errs.Add("age", "must be at least 18") // kept once
	fmt.Println(errs.Count(), errs.Keys())
	fmt.Println(errs.String())
	// Output:
	// 2 [email age]
	// email is required. age must be at least 18
}
