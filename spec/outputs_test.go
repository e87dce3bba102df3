package spec

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/outputs"
)

// Purchases leave a receipt.
type (
	purchase struct {
		cmdx.Base
		Live bool
		work func(*purchase) error
	}
	purchaseLoose   struct{ purchase }
	purchaseRetried struct{ purchase }
	purchaseBare    struct{ purchase }
	purchaseMade    struct{ purchase }
)

func (*purchase) Configure(c *cmdx.Config) {
	c.Output("receipt")
	c.Output("currency", outputs.Default("usd"))
	c.Output("tracking", outputs.If(cmdx.When((*purchase).live)))
}

func (t *purchase) live() bool { return t.Live }

func (t *purchase) Work(context.Context) error { return t.work(t) }

func (*purchaseLoose) Configure(c *cmdx.Config) {
	c.Output("receipt", outputs.Default("none"))
	c.Output("lines", outputs.DefaultFunc(func() any { return []string{"a"} }))
}

func (*purchaseBare) Configure(c *cmdx.Config) { c.RemoveOutput("receipt", "tracking") }

func (*purchaseMade) Configure(c *cmdx.Config) {
	c.Output("receipt", outputs.DefaultFrom((*purchase).made))
	c.Output("tracking", outputs.Unless(cmdx.When((*purchase).live)), outputs.DefaultFrom(func(*purchase) any { return nil }))
}

var purchaseLines = []string{"a"}

func (t *purchase) made() any {
	t.Context().Set("made", t.Live)
	return purchaseLines
}

func (*purchaseRetried) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Delay: cmdx.NoDelay})
}

var _ = Describe("Outputs", func() {
	run := func(t cmdx.Task) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), t, nil)
	}
	nothing := func(*purchase) error { return nil }
	receipt := func(t *purchase) error { t.Context().Set("receipt", "r1"); return nil }

	It("that are there let the run succeed", func() {
		Expect(run(&purchase{work: receipt})).To(endSuccess())
	})

	It("that are missing fail the run, and all are named in order", func() {
		r := run(&purchase{work: nothing, Live: true})
		Expect(r).To(endFailed("receipt must be set in the context. tracking must be set in the context"))
		Expect(r.Errors().Keys()).To(Equal([]string{"receipt", "tracking"}))
	})

	It("that are nil are missing", func() {
		Expect(run(&purchase{work: func(t *purchase) error { t.Context().Set("receipt", nil); return nil }})).
			To(endFailed("receipt must be set in the context"))
	})

	It("have defaults, which are written to the context", func() {
		r := run(&purchase{work: receipt})
		Expect(r.Context().MustGet("currency")).To(Equal("usd"))
	})

	It("keep what Work left over their default", func() {
		r := run(&purchase{work: func(t *purchase) error { t.Context().Set("currency", "eur"); return receipt(t) }})
		Expect(r.Context().MustGet("currency")).To(Equal("eur"))
	})

	It("are asked for only where their gate lets them", func() {
		Expect(run(&purchase{work: receipt})).To(endSuccess())
		Expect(run(&purchase{work: receipt, Live: true})).To(endFailed("tracking must be set in the context"))
	})

	It("declared again by a child are replaced, and the parent stays as it was", func() {
		r := run(&purchaseLoose{purchase{work: nothing}})
		Expect(r).To(endSuccess())
		Expect(r.Context().ToMap()).To(Equal(map[string]any{"receipt": "none", "currency": "usd", "lines": []string{"a"}}))
		Expect(run(&purchase{work: nothing})).To(endFailed("receipt must be set in the context"))
	})

	It("removed by a child are not asked for, and the parent stays as it was", func() {
		r := run(&purchaseBare{purchase{work: nothing, Live: true}})
		Expect(r).To(endSuccess())
		Expect(r.Context().ToMap()).To(Equal(map[string]any{"currency": "usd"}))
		Expect(run(&purchase{work: nothing})).To(endFailed("receipt must be set in the context"))
	})

	It("have defaults that a method of the task or an ancestor makes after Work, one for every run", func() {
		r := run(&purchaseMade{purchase{work: nothing, Live: true}})
		Expect(r).To(endSuccess())
		Expect(r.Context().MustGet("made")).To(BeTrue())
		r.Context().MustGet("receipt").([]string)[0] = "written"
		Expect(purchaseLines).To(Equal([]string{"a"}))
	})

	It("are missing when their default is nil", func() {
		Expect(run(&purchaseMade{purchase{work: nothing}})).To(endFailed("tracking must be set in the context"))
	})

	DescribeTable("are not verified after a signal",
		func(signal func(t *purchase) error, status cmdx.Status) {
			r := run(&purchase{work: signal})
			Expect(r).To(endAs(status, "why"))
			Expect(r.Context().Has("currency")).To(BeFalse(), "a default was written")
		},
		Entry("Success", func(t *purchase) error { return t.Success("why") }, cmdx.StatusSuccess),
		Entry("Skip", func(t *purchase) error { return t.Skip("why") }, cmdx.StatusSkipped),
		Entry("Fail", func(t *purchase) error { return t.Fail("why") }, cmdx.StatusFailed),
		Entry("a dropped Success", func(t *purchase) error { _ = t.Success("why"); return nil }, cmdx.StatusSuccess),
	)

	It("are not verified after a raised error or added errors", func() {
		Expect(run(&purchase{work: func(*purchase) error { return errDeclined }}).Errors().Len()).To(Equal(0))
		Expect(run(&purchase{work: func(t *purchase) error { t.Errors().Add("port", "is odd"); return nil }})).To(endFailed("port is odd"))
	})

	It("that are missing are no reason to try Work again", func() {
		works := 0
		r := run(&purchaseRetried{purchase{work: func(*purchase) error { works++; return nil }}})
		Expect(r).To(endFailed("receipt must be set in the context"))
		Expect(works).To(Equal(1))
	})
})
