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
	if err := cmdx.Validate(&BookPayment{}, &ReadMeter{}, &RefundOrder{}, &PlanShipment{}); err != nil {
		t.Error(err)
	}
}

func Example_basic() {
	run(basic)
	// Output:
	// 1250.50 2026-03-04 30s true
	// 0.10 2026-03-04 1m30s false
	// amount could not coerce into a decimal. due could not coerce into a date. retry could not coerce into a duration
}

func Example_options() {
	run(options)
	// Output:
	// 31 2026-03-04 17 <nil>
	// 31 2026-03-04 false [1 2]
	// register could not coerce into an integer. read_on could not coerce into a date. reading could not coerce into one of: integer, boolean
}

func Example_own() {
	run(own)
	// Output:
	// 1250 EUR T-1A
	// total could not coerce into a money. ticket could not coerce into a ticket
}

func Example_fields() {
	run(fields)
	// Output:
	// 2.5 [7 8]
	// 0.75 []
	// map[fragile:1] 10.0.0.1 true true
	// parcels[1].codes[1] could not coerce into an integer
	// gateway could not coerce into an addr
	// limit could not coerce into an integer
}

func Example_form() {
	run(form)
	// Output:
	// 12.50 2026-03-04 30s true
	// 31 2026-03-04 1 [1 2]
}

func Example_structs() {
	run(structs)
	// Output: 12345678901234567890.10 2026-03-04 30s false
}
