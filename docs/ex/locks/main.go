// Command locks holds the samples of docs/locks.md and runs them one after
// another.
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
		{"waiting", waiting},
		{"a scope", scope},
		{"a nested run", nested},
		{"options", options},
	} {
		cmdx.Reset()
		fmt.Printf("\n%s\n", sample.name)
		sample.run(ctx)
	}
}
