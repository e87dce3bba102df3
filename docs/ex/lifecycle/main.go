// Command lifecycle holds the samples of the pages on what stands around the
// work, and runs them one after another.
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
		{"callbacks", charging},
		{"a middleware", timing},
		{"rollback", booking},
		{"retries and a timeout", syncing},
		{"errors", telling},
		{"a configuration", configured},
	} {
		cmdx.Reset()
		fmt.Printf("\n%s\n", sample.name)
		sample.run(ctx)
	}
}
