package spec

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// Templates with presets, and one that works by value.
type (
	presetTask struct {
		cmdx.Base
		Calls  *atomic.Int64
		ID     string            `cmdx:"id"`
		Limit  int               `cmdx:"limit"`
		Labels map[string]string `cmdx:"labels"`
		Lines  []string          `cmdx:"lines"`
		Loose  map[string]string
		Count  int
	}
	valueTask struct {
		cmdx.Base
		Greeting string
	}
)

func (*presetTask) Configure(c *cmdx.Config) {
	c.Optional("id")
	c.Optional("limit")
	c.Optional("labels")
	c.Optional("lines")
}

func (t *presetTask) Work(context.Context) error {
	if t.Calls != nil {
		t.Calls.Add(1)
	}
	t.Count++
	if t.Labels != nil {
		t.Labels["written"] = t.ID
	}
	if len(t.Lines) > 0 {
		t.Lines[0] = t.ID
	}
	t.Context().Set("id", t.ID)
	return nil
}

func (t valueTask) Work(context.Context) error {
	t.Context().Set("said", t.Greeting)
	return nil
}

var _ = Describe("Templates", func() {
	run := func(t cmdx.Task, args any) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), t, args)
	}

	It("are copied for every execution; the executed copy is the result's task", func() {
		template := &presetTask{}
		r := run(template, cmdx.Args{"id": "a"})
		executed := r.Task().(*presetTask)
		Expect(executed).NotTo(BeIdenticalTo(template))
		Expect(executed.ID).To(Equal("a"))
		Expect(executed.Count).To(Equal(1))
		Expect(*template).To(Equal(presetTask{}))
		Expect(run(template, nil).Task().(*presetTask).Count).To(Equal(1), "the copies know nothing of each other")
	})

	It("may be run from many goroutines at once", func() {
		calls := &atomic.Int64{}
		template := &presetTask{Calls: calls, Labels: map[string]string{"a": "b"}, Lines: []string{"x"}}
		rt := cmdx.New(cmdx.Configuration{})
		var running sync.WaitGroup
		for i := range 50 {
			running.Go(func() {
				defer GinkgoRecover()
				id := fmt.Sprint("pay_", i)
				r := rt.Execute(context.Background(), template, cmdx.Args{"id": id})
				Expect(r.Context().MustGet("id")).To(Equal(id))
				Expect(r.Task().(*presetTask).Labels).To(HaveKeyWithValue("written", id))
			})
		}
		running.Wait()
		Expect(calls.Load()).To(BeEquivalentTo(50), "what a template points to is shared")
		Expect(template.ID).To(BeEmpty())
	})

	It("keep the maps and slices of bound presets to themselves", func() {
		template := &presetTask{ID: "p", Labels: map[string]string{"a": "b"}, Lines: []string{"x", "y"}}
		executed := run(template, nil).Task().(*presetTask)
		Expect(executed.Labels).To(Equal(map[string]string{"a": "b", "written": "p"}))
		Expect(executed.Lines).To(Equal([]string{"p", "y"}))
		Expect(template.Labels).To(Equal(map[string]string{"a": "b"}))
		Expect(template.Lines).To(Equal([]string{"x", "y"}))
	})

	It("keep a caller's maps and slices from the fields' writes as well", func() {
		labels, lines := map[string]string{"a": "b"}, []string{"x"}
		run(&presetTask{}, cmdx.Args{"id": "p", "labels": labels, "lines": lines})
		Expect(labels).To(Equal(map[string]string{"a": "b"}))
		Expect(lines).To(Equal([]string{"x"}))
	})

	It("share by copy what is not bound, as Go's assignment does", func() {
		loose := map[string]string{}
		executed := run(&presetTask{Loose: loose}, nil).Task().(*presetTask)
		executed.Loose["a"] = "b"
		Expect(loose).To(HaveKey("a"))
	})

	It("give bound fields their defaults, which stay when the input is absent or nil", func() {
		template := &presetTask{ID: "preset", Limit: 9}
		for _, args := range []cmdx.Args{nil, {"id": nil, "limit": nil}} {
			executed := run(template, args).Task().(*presetTask)
			Expect(executed.ID).To(Equal("preset"))
			Expect(executed.Limit).To(Equal(9))
			Expect(executed.Input("limit")).To(BeEquivalentTo(9))
		}
		Expect(run(template, cmdx.Args{"limit": 0}).Task().(*presetTask).Limit).To(Equal(0), "a passed zero is a value")
	})

	It("may be values; they run as pointers", func() {
		r := run(valueTask{Greeting: "hello"}, nil)
		Expect(r).To(endSuccess())
		Expect(r.Context().MustGet("said")).To(Equal("hello"))
		Expect(r.Task()).To(BeAssignableToTypeOf(&valueTask{}))
		Expect(r.Task().(*valueTask).Greeting).To(Equal("hello"))
		Expect(r.TaskName()).To(Equal(run(&valueTask{}, nil).TaskName()))
	})

	It("may be an executed task, which runs anew", func() {
		first := run(&presetTask{}, cmdx.Args{"id": "a"})
		second := run(first.Task(), cmdx.Args{"id": "b"})
		Expect(second.Context().MustGet("id")).To(Equal("b"))
		Expect(second.TID()).NotTo(Equal(first.TID()))
		Expect(first.Task().(*presetTask).TID()).To(Equal(first.TID()))
		Expect(first.Task().(*presetTask).ID).To(Equal("a"))
	})

	It("may be the task that is running", func() {
		depth := 0
		r := doRun(func(ctx context.Context, t *doing) error {
			if depth++; depth < 3 {
				nested := cmdx.Execute(ctx, t, t.Context())
				Expect(nested.Task()).NotTo(BeIdenticalTo(t))
				return t.Throw(nested)
			}
			return t.Fail("deep enough")
		})
		Expect(r).To(endFailed("deep enough"))
		Expect(r.Chain().Len()).To(Equal(3))
		Expect(r.CausedFailure().Index()).To(Equal(1))
	})

	It("that are no task value fail, without a panic", func() {
		for _, t := range []cmdx.Task{nil, (*doing)(nil)} {
			r := run(t, nil)
			Expect(r).To(endFailed())
			Expect(r.Cause()).To(BeAssignableToTypeOf(&cmdx.DefinitionError{}))
			Expect(r.MarshalJSON()).NotTo(BeEmpty())
			Expect(r.String()).NotTo(BeEmpty())
		}
	})

	It("run also without a ctx", func() {
		var none context.Context
		Expect(cmdx.New(cmdx.Configuration{}).Execute(none, &doing{}, nil)).To(endSuccess())
	})
})
