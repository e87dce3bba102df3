// Command inputs holds the samples of docs/inputs.md and runs them one after
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
		{"inputs", basic},
		{"options", options},
		{"nested inputs", nested},
		{"a child", child},
		{"a sensitive input", sensitive},
		{"a schema", schema},
	} {
		cmdx.Reset()
		fmt.Printf("\n%s\n", sample.name)
		sample.run(ctx)
	}
}
