// Command idempotency holds the samples of docs/idempotency.md and runs them
// one after another.
package main

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

func main() {
	ctx := context.Background()
	for _, sample := range []struct {
		name string
		run  func(context.Context)
	}{
		{"basic usage", basicUsage},
		{"options", options},
		{"key resolvers", keyResolvers},
		{"a blank key", blankKey},
		{"store keys", storeKeys},
		{"a shared store", sharedStore},
		{"retries", retries},
		{"inheritance", inheritance},
		{"a lost reply", lostReply},
		{"a transaction", transaction},
		{"a queue", queue},
		{"skip or fail", skipOrFail},
		{"faults", faults},
		{"telemetry", telemetry},
	} {
		cmdx.Reset()
		fmt.Printf("\n%s\n", sample.name)
		sample.run(ctx)
	}
}
