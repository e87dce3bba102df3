package main

import (
	"context"

	"github.com/cmdx-go/cmdx"
)

func Example_basicUsage() {
	cmdx.Reset()
	basicUsage(context.Background())
	// Output:
	// failed: concurrency limited: no place is free (limit=2)
	// concurrency_limited cmdx:slots:RenderVideo:cus_1
	// success success
}
