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

func Example_templates() {
	run(templates)
	// Output:
	// 3 words in "one-two-three"
	// the template still holds ""
}

func Example_layers() {
	run(layers)
	// Output:
	// [app billing]
	// 2 matchers
	// 2 retries, 1s apart
}

func Example_mixins() {
	run(mixins)
	// Output:
	// acme t_1
	// [app traced]
}

func Example_waysBack() {
	run(waysBack)
	// Output:
	// delay: 1s
	// failed after 0 retries
}

func Example_ancestors() {
	run(ancestors)
	// Output: cmdx:idem:ArchiveInvoice:acme/17
}

func Example_names() {
	run(names)
	// Output:
	// accounts.Close
	// Import[User]
}

func Example_steps() {
	run(steps)
	// Output:
	// resolve inputs → idempotency claim → retry loop { Work } → verify outputs → completed
	// retry loop { Work }
}

func Example_definitionError() {
	run(definitionError)
	// Output:
	// failed true
	// IdempotentBy has options, but neither the type nor a parent says what they apply to
	// options-without-a-resolver
}
