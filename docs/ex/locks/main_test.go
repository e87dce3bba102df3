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
	// failed: locked: another run holds the lock
	// locked cmdx:lock:Withdraw:acc_1
	// success
	// success
}

func Example_waiting() {
	run(waiting)
	// Output:
	// success
	// success
}

func Example_scope() {
	run(scope)
	// Output: cmdx:lock account
}

func Example_nested() {
	run(nested)
	// Output:
	// failed locked
	// locked: the lock is held by the run of Close that encloses this one, which would wait for itself: leave the lock to the outer task, or give the inner one another key
}

func Example_options() {
	run(options)
	// Output: success
}
