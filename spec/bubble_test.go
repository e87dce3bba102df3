package spec

import (
	"context"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// bubble decorates an It or an Entry whose time is fake: it stands still
// while anybody can run, and passes at once when all are waiting. Stores,
// channels and tasks are made inside; clean up with defer.
func bubble() types.AroundNodeDecorator {
	return AroundNode(func(ctx context.Context, body func(context.Context)) {
		var failure any
		finished := false
		synctest.Test(suite, func(*testing.T) {
			defer func() { failure = recover() }()
			body(ctx)
			finished = true
		})
		if !finished {
			panic(failure) // the runner outside knows what it means
		}
	})
}
