package main

import "context"

func Example_kinds() {
	kinds()
	// Output:
	// *stores.Memory <nil>
	// *stores.Redis <nil>
	// *stores.Redis <nil>
	// *main.Table <nil>
}

func Example_ownStore() {
	ownStore(context.Background())
	// Output:
	// success
	// skipped
}

func Example_ruby() {
	ruby(context.Background())
	// Output:
	// duplicate: the idempotency key is already held (state=processing)
	// duplicate: the idempotency key is already held (state=completed)
}
