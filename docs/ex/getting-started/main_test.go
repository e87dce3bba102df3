package main

import (
	"context"
	"testing"

	"github.com/cmdx-go/cmdx"
)

// run gives each sample a store of its own.
func run(sample func(context.Context)) {
	cmdx.Reset()
	sample(context.Background())
}

// region validate

func TestTasksAreDeclaredRightly(t *testing.T) {
	err := cmdx.Validate(
		&GreetUser{}, &CreateUser{}, &ShipOrder{}, &RenderInvoice{}, &FetchRates{}, &CheckOut{},
	)
	if err != nil {
		t.Error(err)
	}
}

// endregion

func Example_firstTask() {
	run(firstTask)
	// Output:
	// Hello, Ada
	// Hello, Ada
	// success
}

func Example_badInputs() {
	run(badInputs)
	// Output:
	// ada@example.org is 36, on the free plan
	// failed - email is required. age could not coerce into an integer
}

func Example_halting() {
	run(halting)
	// Output:
	// paid: success ""
	// shipped: skipped "the order has been shipped"
	// unpaid: failed "the order is not paid"
	// digital: success "there is nothing to ship"
	// stormy: failed "[errors.errorString] no carrier answered"
}

func Example_reading() {
	run(reading)
	// Output:
	// failed: unpaid
	// not shipped: the order is not paid
}

func Example_asError() {
	run(asError)
	// Output:
	// true
	// skipped <nil>
}

func Example_withOutputs() {
	run(withOutputs)
	// Output: failed - document must be set in the context
}

func Example_retrying() {
	run(retrying)
	// Output: success after 2 retries
}

func Example_nested() {
	run(nested)
	// Output:
	// failed - the order is not paid
	// thrown by ShipOrder
	// 0 CheckOut
	// 1 ShipOrder
}

func Example_ownRuntime() {
	run(ownRuntime)
	// Output:
	// Hello, Grace
	// success
}
