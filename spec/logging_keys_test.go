package spec

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	results "github.com/cmdx-go/cmdx/result"
)

var _ = Describe("Logging, by type: LogExclude", func() {
	It("knows every key that a result has", func() {
		for key := range doRun(func(context.Context, *doing) error { return errDeclined }).ToMap() {
			Expect(results.IsKey(key)).To(BeTrue(), key)
		}
	})
})
