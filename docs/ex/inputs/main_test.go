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

func TestTasksAreDeclaredRightly(t *testing.T) {
	if err := cmdx.Validate(&SendInvoice{}, &BookTransfer{}, &PlaceOrder{}, &SendReminder{}, &ChargeCard{}); err != nil {
		t.Error(err)
	}
}

func Example_basic() {
	run(basic)
	// Output:
	// 2026-17 1 ann@example.com
	// invoice_id is required. copies could not coerce into an integer. to must be an email address
	// [could not coerce into an integer]
}

func Example_options() {
	run(options)
	// Output:
	// 500 5 First to ann
	// recipient is required. purpose is required
}

func Example_nested() {
	run(nested)
	// Output:
	// 01099 51.05 [{a-1 1} {b-2 3}]
	// lines[1].sku is required
	// lines[1].count must be greater than 0
	// address.zip is required
	// address.place could not coerce into a hash
}

func Example_child() {
	run(child)
	// Output:
	// level is required
	// 17 0 billing@example.com
}

func Example_sensitive() {
	run(sensitive)
	// Output:
	// declined: [redacted]
	// map[card:[redacted] request:charge [redacted]]
}

func Example_schema() {
	run(schema)
	// Output:
	// invoice_id true [string]
	// copies false [integer]
	// to true [string]
	// {
	//   "copies": {
	//     "default": 1,
	//     "exclusiveMinimum": 0,
	//     "maximum": 5,
	//     "type": [
	//       "integer",
	//       "null"
	//     ]
	//   },
	//   "invoice_id": {
	//     "description": "The number on it",
	//     "type": "string"
	//   },
	//   "to": {
	//     "type": "string"
	//   }
	// }
}
