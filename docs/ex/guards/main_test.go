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

func Example_together() {
	run(together)
	// Output:
	// resolve inputs
	// rate limit
	// circuit breaker
	// concurrency
	// lock
	// idempotency claim
	// retry loop { Work }
	// completed
	// success
	// duplicate
}

func Example_forHTTP() {
	run(forHTTP)
	// Output:
	// 200 0s
	// 429 1m0s
}

func Example_forQueue() {
	run(forQueue)
	// Output:
	// true 0s false
	// false 1m0s false
}
