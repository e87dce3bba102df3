// Command tasks-and-inheritance holds the samples of
// docs/tasks-and-inheritance.md and runs them one after another.
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
		{"templates", templates},
		{"layers", layers},
		{"mixins", mixins},
		{"ways back", waysBack},
		{"functions of ancestors", ancestors},
		{"names", names},
		{"the pipeline", steps},
		{"a definition error", definitionError},
	} {
		cmdx.Reset()
		fmt.Printf("\n%s\n", sample.name)
		sample.run(ctx)
	}
}
