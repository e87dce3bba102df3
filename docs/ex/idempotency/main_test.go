package main

import (
	"context"

	"github.com/cmdx-go/cmdx"
)

// run gives each sample a store of its own.
func run(sample func(context.Context)) {
	cmdx.Reset()
	sample(context.Background())
}

func Example_basicUsage() {
	run(basicUsage)
	// Output:
	// success
	// skipped: duplicate
	// duplicate: the idempotency key is already held (state=completed)
}

func Example_options() {
	run(options)
	// Output:
	// dry run: success
	// dry run: success
	// real: success
	// real: skipped
}

func Example_keyResolvers() {
	run(keyResolvers)
	// Output:
	// cmdx:idem:SendReceipt:7:o_1
	// cmdx:idem:SyncContact:acme/c_9
	// cmdx:idem:CloseBooks:nightly
	// cmdx:idem:InviteUser:cfe00dde46ef942601ffafb9e2825e802858b460e586b8305b344c1eb826357d
}

func Example_blankKey() {
	run(blankKey)
	// Output:
	// success success
	// success success
	// success success
	// success skipped
}

func Example_storeKeys() {
	run(storeKeys)
	// Output: cmdx:idem:ChargeCustomer:pay_123 completed true
}

func Example_sharedStore() {
	run(sharedStore)
	// Output: *stores.Redis
}

func Example_retries() {
	run(retries)
	// Output:
	// failed after 2 retries
	// success after 1 retries
	// skipped after 0 retries
}

func Example_inheritance() {
	run(inheritance)
	// Output:
	// RefundCustomer payment_id 10m0s
	// NotifyCustomer request_id 1h0m0s
	// PreviewCharge <nil> 10m0s
}

func Example_lostReply() {
	run(lostReply)
	// Output:
	// failed - connection reset by peer
	// success - 1 charge at the provider
}

func Example_transaction() {
	run(transaction)
	// Output:
	// failed 0 rows
	// success 1 rows
	// skipped 1 rows
}

func Example_queue() {
	run(queue)
	// Output:
	// second, while the first is at work: false
	// first: true
	// third, after the first: true
}

func Example_skipOrFail() {
	run(skipOrFail)
	// Output:
	// charge: 200
	// account: 200
	// charge: 200
	// account: 409
}

func Example_faults() {
	run(faults)
	// Output:
	// <nil>
	// duplicate completed
}

func Example_telemetry() {
	run(telemetry)
	// Output: map[cmdx.idempotency.duplicate[task:ChargeCustomer state:completed]:2]
}
