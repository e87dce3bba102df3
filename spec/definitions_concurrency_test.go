package spec

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

type (
	rushParent struct{ cmdx.Base }
	rushMixin  struct{}
	rushTask   struct {
		rushParent
		rushMixin
	}
	rushSibling struct{ rushParent }
	rushPanics  struct{ rushParent }
	rushItself  struct{ rushParent }
	rushExits   struct{ rushParent }
)

var rushRuns struct{ parent, mixin, task, sibling, panics, itself, exits atomic.Int64 }

func (*rushParent) Configure(c *cmdx.Config) {
	rushRuns.parent.Add(1)
	c.IdempotentBy(cmdx.FromContext("id"))
}
func (*rushParent) Work(context.Context) error { return nil }
func (*rushMixin) Configure(c *cmdx.Config) {
	rushRuns.mixin.Add(1)
	c.Tags("mixin")
}
func (*rushTask) Configure(c *cmdx.Config) {
	rushRuns.task.Add(1)
	c.Tags("task")
}
func (*rushSibling) Configure(c *cmdx.Config) {
	rushRuns.sibling.Add(1)
	c.Tags("sibling")
}
func (*rushPanics) Configure(*cmdx.Config) {
	rushRuns.panics.Add(1)
	panic("no")
}
func (*rushItself) Configure(*cmdx.Config) {
	rushRuns.itself.Add(1)
	cmdx.Execute(context.Background(), &rushItself{}, nil)
}
func (*rushExits) Configure(*cmdx.Config) {
	rushRuns.exits.Add(1)
	runtime.Goexit()
}

// rush lets a thousand callers do at once what f does with their number.
func rush(f func(i int)) {
	start := make(chan struct{})
	var callers sync.WaitGroup
	for i := range 1000 {
		callers.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	callers.Wait()
}

var _ = Describe("A thousand concurrent first calls", func() {
	It("build one definition, and every layer once", func() {
		rt := cmdx.New(cmdx.Configuration{})
		definitions, tags := make([]*cmdx.Definition, 1000), make([][]string, 1000)
		rush(func(i int) {
			switch i % 3 {
			case 0:
				definitions[i], _ = cmdx.DefinitionOf(&rushTask{})
			case 1:
				tags[i] = rt.Execute(context.Background(), &rushTask{}, cmdx.Args{"id": i}).Tags()
			case 2:
				tags[i] = rt.Execute(context.Background(), &rushSibling{}, cmdx.Args{"id": i}).Tags()
			}
		})
		for i := range 1000 {
			switch i % 3 {
			case 0:
				Expect(definitions[i]).To(BeIdenticalTo(definitions[0]))
			case 1:
				Expect(tags[i]).To(Equal([]string{"mixin", "task"}))
			case 2:
				Expect(tags[i]).To(Equal([]string{"sibling"}))
			}
		}
		Expect(definitions[0]).NotTo(BeNil())
		Expect(rushRuns.parent.Load()).To(BeEquivalentTo(1))
		Expect(rushRuns.mixin.Load()).To(BeEquivalentTo(1))
		Expect(rushRuns.task.Load()).To(BeEquivalentTo(1))
		Expect(rushRuns.sibling.Load()).To(BeEquivalentTo(1))
	})

	DescribeTable("of a type whose Configure fails give one and the same definition error", func(task cmdx.Task, runs *atomic.Int64) {
		rt := cmdx.New(cmdx.Configuration{})
		causes := make([]error, 1000)
		rush(func(i int) {
			if i%2 == 0 {
				causes[i] = cmdx.Validate(task).(interface{ Unwrap() []error }).Unwrap()[0]
				return
			}
			causes[i] = rt.Execute(context.Background(), task, nil).Cause()
		})
		for _, cause := range causes {
			Expect(cause).To(BeAssignableToTypeOf(&cmdx.DefinitionError{}))
			Expect(cause).To(BeIdenticalTo(causes[0]))
		}
		Expect(runs.Load()).To(BeEquivalentTo(1))
	},
		Entry("by a panic", &rushPanics{}, &rushRuns.panics),
		Entry("by executing itself", &rushItself{}, &rushRuns.itself),
		Entry("by leaving", &rushExits{}, &rushRuns.exits),
	)
})
