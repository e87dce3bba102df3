package main

import (
	"context"

	"github.com/cmdx-go/cmdx"
)

func run(sample func(context.Context)) {
	cmdx.Reset()
	defer cmdx.Reset()
	sample(context.Background())
}

func Example_charging() {
	run(charging)
	// Output:
	// charging
	// charged: true
	// receipt
	// success ""
	// charging
	// charged: false
	// report: a negative amount
	// failed "a negative amount"
	// skipped "the shop is closed"
}

func Example_timing() {
	run(timing)
	// Output:
	// success invoices of acme
	// failed [errors.errorString] no tenant
}

func Example_booking() {
	run(booking)
	// Output:
	// room reserved
	// room given back
	// failed true
}

func Example_syncing() {
	run(syncing)
	// Output:
	// success after 2 retries
}

func Example_telling() {
	run(telling)
	// Output:
	// OldCharge → use ChargeCustomer
}

func Example_configured() {
	run(configured)
	// Output:
	// counted: failed
	// req_1 [audit] [cmdx.UnknownKeyError] context: there is no key "account": set it before it is read, or read it with Get
}
