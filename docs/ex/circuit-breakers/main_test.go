package main

import (
	"context"

	"github.com/cmdx-go/cmdx"
)

func Example_basicUsage() {
	basicUsage(context.Background())
	// Output:
	// failed  <nil>, the circuit is closed
	// failed  <nil>, the circuit is closed
	// failed  <nil>, the circuit is open
	// failed  circuit_open, the circuit is open
	// success <nil>, the circuit is closed
	// success <nil>, the circuit is closed
}

func Example_failureRate() {
	cmdx.Reset()
	failureRate(context.Background())
	// Output: success
}
