// Command getting-started holds the samples of docs/getting-started.md and
// runs them one after another.
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
		{"a first task", firstTask},
		{"bad inputs", badInputs},
		{"three ways to end", halting},
		{"reading a result", reading},
		{"an error", asError},
		{"outputs", withOutputs},
		{"retries", retrying},
		{"nested tasks", nested},
		{"a runtime of one's own", ownRuntime},
	} {
		cmdx.Reset()
		fmt.Printf("\n%s\n", sample.name)
		sample.run(ctx)
	}
}
