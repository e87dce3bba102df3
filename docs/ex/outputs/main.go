// Command outputs holds the samples of docs/outputs.md and runs them one after
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
		{"outputs", basic},
		{"a child", child},
		{"a schema", schema},
	} {
		cmdx.Reset()
		fmt.Printf("\n%s\n", sample.name)
		sample.run(ctx)
	}
}
