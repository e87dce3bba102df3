// Command coercions holds the samples of docs/coercions.md and runs them one
// after another.
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
		{"coercions", basic},
		{"options", options},
		{"a coercion of one's own", own},
		{"fields of many types", fields},
		{"a form", form},
		{"a struct", structs},
	} {
		cmdx.Reset()
		fmt.Printf("\n%s\n", sample.name)
		sample.run(ctx)
	}
}
