package spec

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/inputs"
)

// What callers pass.
type (
	contextKey   string
	contextOrder struct {
		ID       string `cmdx:"order_id"`
		Total    int64  `json:"total,omitempty"`
		At       time.Time
		Internal string `cmdx:"-"`
		hidden   string
	}
	contextPriced struct {
		contextOrder
		Price float64 `cmdx:"price"`
	}
	contextTwice struct {
		A string `cmdx:"id"`
		B string `cmdx:"id"`
	}
	contextInputs struct {
		cmdx.Base
		work func(*contextInputs)
	}
)

func (*contextInputs) Configure(c *cmdx.Config) {
	c.Optional("count", inputs.Coerce(inputs.Integer))
}

func (t *contextInputs) Work(context.Context) error { t.work(t); return nil }

var _ = Describe("Arguments", func() {
	at := time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC)
	passed := func(args any) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &doing{}, args)
	}

	DescribeTable("become the context",
		func(args any, want map[string]any) {
			r := passed(args)
			Expect(r).To(endSuccess())
			Expect(r.Context().ToMap()).To(Equal(want))
		},
		Entry("nil", nil, map[string]any{}),
		Entry("Args", cmdx.Args{"id": 7}, map[string]any{"id": 7}),
		Entry("nil Args", cmdx.Args(nil), map[string]any{}),
		Entry("a map of texts", map[string]string{"id": "7"}, map[string]any{"id": "7"}),
		Entry("a map with keys of a named type", map[contextKey]int{"id": 7}, map[string]any{"id": 7}),
		Entry("a struct, by its cmdx tags, json tags, names", contextOrder{"o1", 5, at, "no", "no"}, map[string]any{"order_id": "o1", "total": int64(5), "At": at}),
		Entry("a pointer to a struct", &contextOrder{ID: "o1", At: at}, map[string]any{"order_id": "o1", "total": int64(0), "At": at}),
		Entry("a nil pointer to a struct", (*contextOrder)(nil), map[string]any{}),
		Entry("a struct in a struct", contextPriced{contextOrder{ID: "o1", At: at}, 1.5}, map[string]any{"order_id": "o1", "total": int64(0), "At": at, "price": 1.5}),
		Entry("a nil context", (*cmdx.Context)(nil), map[string]any{}),
		Entry("a nil result", (*cmdx.Result)(nil), map[string]any{}),
		Entry("a nil task", (*doing)(nil), map[string]any{}),
	)

	DescribeTable("that cannot be any fail the run, and Work is not run",
		func(args any, text string) {
			r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), do(func(context.Context, *doing) error {
				Fail("Work was run")
				return nil
			}), args)
			Expect(r).To(endFailed())
			Expect(r.Reason()).To(ContainSubstring(text))
			Expect(r.Reason()).NotTo(ContainSubstring("4242"))
			Expect(r.Context()).NotTo(BeNil())
		},
		Entry("a number", 4242, "int"),
		Entry("a text", "4242", "string"),
		Entry("a slice", []int{4242}, "[]int"),
		Entry("a map with other keys", map[int]string{4242: "x"}, "map[int]string"),
		Entry("a pointer to a map", &map[string]any{}, "*map[string]interface"),
		Entry("a time, which shows no fields", at, "time.Time"),
		Entry("a struct with two fields of one name", contextTwice{"4242", "4242"}, `"id"`),
		Entry("a task that has not been executed", &doing{}, "has not been executed"),
	)

	It("are copied, so that the caller's map is not written to", func() {
		args := cmdx.Args{"id": 7}
		cmdx.New(cmdx.Configuration{}).Execute(context.Background(), do(func(_ context.Context, t *doing) error {
			t.Context().Set("new", true)
			t.Context().Delete("id")
			return nil
		}), args)
		Expect(args).To(Equal(cmdx.Args{"id": 7}))
	})

	It("may be one map for many executions at once", func() {
		args := cmdx.Args{"id": 7}
		rt := cmdx.New(cmdx.Configuration{})
		var running sync.WaitGroup
		for range 20 {
			running.Go(func() {
				rt.Execute(context.Background(), do(func(_ context.Context, t *doing) error { t.Context().Set("id", 8); return nil }), args)
			})
		}
		running.Wait()
		Expect(args).To(Equal(cmdx.Args{"id": 7}))
	})

	shares := map[string]func(t *doing, nested *cmdx.Result) any{
		"a context":        func(t *doing, _ *cmdx.Result) any { return t.Context() },
		"an executed task": func(t *doing, _ *cmdx.Result) any { return t },
		"a result":         func(_ *doing, nested *cmdx.Result) any { return nested },
		"a result's task":  func(_ *doing, nested *cmdx.Result) any { return nested.Task() },
	}
	for name, args := range shares {
		It("share the data of "+name+" while its root run is under way", func() {
			doRun(func(ctx context.Context, t *doing) error {
				first := cmdx.Execute(ctx, &doing{}, t.Context())
				nested := cmdx.Execute(ctx, do(func(_ context.Context, n *doing) error {
					n.Context().Set("nested", true)
					return nil
				}), args(t, first))
				Expect(nested.Context()).To(BeIdenticalTo(t.Context()))
				Expect(t.Context().Has("nested")).To(BeTrue())
				return nil
			})
		})

		It("copy the data of "+name+" when its root run has ended", func() {
			var left any
			old := doRun(func(ctx context.Context, t *doing) error {
				t.Context().Set("order", 7)
				left = args(t, cmdx.Execute(ctx, &doing{}, t.Context()))
				return nil
			})
			r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), do(func(_ context.Context, t *doing) error {
				t.Context().Set("new", true)
				return nil
			}), left)
			Expect(r.Context().ToMap()).To(Equal(map[string]any{"order": 7, "new": true}))
			Expect(old.Context().ToMap()).To(Equal(map[string]any{"order": 7}))
		})
	}

	It("are shared by nobody who is not given them", func() {
		doRun(func(ctx context.Context, t *doing) error {
			t.Context().Set("mine", true)
			nested := cmdx.Execute(ctx, &doing{}, nil)
			Expect(nested.Context().Len()).To(Equal(0))
			return nil
		})
	})

	It("may be a context that no run made, which is then written to", func() {
		bag := cmdxctx.New(map[string]any{"id": 7})
		r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), do(func(_ context.Context, t *doing) error {
			t.Context().Set("seen", t.Context().MustGet("id"))
			return nil
		}), bag)
		Expect(r.Context()).To(BeIdenticalTo(bag))
		Expect(bag.Has("seen")).To(BeTrue())
	})
})

var _ = Describe("Contexts", func() {
	It("ignore writes after their root has ended, with one logged warning without the value", func() {
		log := &doLog{}
		r := cmdx.New(cmdx.Configuration{Logger: log.logger()}).Execute(context.Background(), &doing{}, cmdx.Args{"id": 7})
		r.Context().Set("late", "visa-card")
		r.Context().Delete("id")
		Expect(r.Context().ToMap()).To(Equal(map[string]any{"id": 7}))
		var warnings []map[string]any
		for _, line := range log.lines() {
			if line["level"] == "WARN" {
				warnings = append(warnings, line)
			}
		}
		Expect(warnings).To(HaveLen(1))
		Expect(log.text()).NotTo(ContainSubstring("visa"))
	})

	It("are those of nothing on a task that is not executed", func() {
		idle := &doing{}
		idle.Context().Set("lost", true)
		Expect(idle.Context().Len()).To(Equal(0))
		Expect(idle.Errors().Len()).To(Equal(0))
		Expect(idle.Metadata()).To(BeEmpty())
		Expect(idle.TID()).To(BeEmpty())
		Expect(idle.Attempt()).To(Equal(0))
		Expect(idle.Input("id")).To(BeNil())
		Expect(idle.Logger()).NotTo(BeNil())
		Expect(cmdx.In[int](idle, "id")).To(Equal(0))
	})

	It("are valid on the executed copy after the run too", func() {
		r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &doing{}, cmdx.Args{"id": 7})
		t := r.Task().(*doing)
		Expect(t.Context().MustGet("id")).To(Equal(7))
		Expect(t.TID()).To(Equal(r.TID()))
	})

	Context("that are strict", func() {
		strict := func(work func(context.Context, *doing) error) *cmdx.Result {
			return cmdx.New(cmdx.Configuration{StrictContext: true}).Execute(context.Background(), do(work), cmdx.Args{"id": 7, "none": nil})
		}

		for name, read := range map[string]func(*doing){
			"MustGet": func(t *doing) { t.Context().MustGet("order") },
			"In":      func(t *doing) { cmdx.In[int](t, "order") },
		} {
			It("stop the run when "+name+" reads a missing key", func() {
				r := strict(func(_ context.Context, t *doing) error {
					read(t)
					Fail("the run went on")
					return nil
				})
				Expect(r).To(endFailed())
				Expect(r.Reason()).To(HavePrefix("[cmdx.UnknownKeyError] "))
				var unknown *cmdx.UnknownKeyError
				Expect(errors.As(r.Err(), &unknown)).To(BeTrue())
				Expect(unknown.Key).To(Equal("order"))
				var panicked *cmdx.PanicError
				Expect(errors.As(r.Err(), &panicked)).To(BeFalse())
			})
		}

		It("are forgiving to Get, and to keys that hold nil", func() {
			Expect(strict(func(_ context.Context, t *doing) error {
				_, ok := t.Context().Get("order")
				Expect(ok).To(BeFalse())
				_, ok = cmdx.Get[int](t.Context(), "order")
				Expect(ok).To(BeFalse())
				Expect(t.Context().MustGet("none")).To(BeNil())
				Expect(cmdx.In[int](t, "id")).To(Equal(7))
				return nil
			})).To(endSuccess())
		})

		It("let an optional input be missing", func() {
			r := cmdx.New(cmdx.Configuration{StrictContext: true}).Execute(context.Background(), &contextInputs{work: func(t *contextInputs) {
				Expect(cmdx.In[int](t, "count")).To(Equal(0))
			}}, nil)
			Expect(r).To(endSuccess())
		})
	})

	It("that are not strict give nothing for a missing key", func() {
		Expect(doRun(func(_ context.Context, t *doing) error {
			Expect(t.Context().MustGet("order")).To(BeNil())
			Expect(cmdx.In[string](t, "order")).To(BeEmpty())
			return nil
		})).To(endSuccess())
	})
})

var _ = Describe("In", func() {
	in := func(value any, read func(*doing)) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), do(func(_ context.Context, t *doing) error {
			read(t)
			return nil
		}), cmdx.Args{"v": value})
	}
	is := func(value, want any, read func(*doing) any) {
		GinkgoHelper()
		Expect(in(value, func(t *doing) { Expect(read(t)).To(Equal(want)) })).To(endSuccess())
	}

	It("converts numbers exactly", func() {
		is(7, int8(7), func(t *doing) any { return cmdx.In[int8](t, "v") })
		is(7.0, 7, func(t *doing) any { return cmdx.In[int](t, "v") })
		is(json.Number("9007199254740993"), int64(9007199254740993), func(t *doing) any { return cmdx.In[int64](t, "v") })
		is(uint64(math.MaxUint64), uint64(math.MaxUint64), func(t *doing) any { return cmdx.In[uint64](t, "v") })
		is(3, 3.0, func(t *doing) any { return cmdx.In[float64](t, "v") })
	})

	It("gives text, and nil as nothing", func() {
		is("a", "a", func(t *doing) any { return cmdx.In[string](t, "v") })
		is(nil, "", func(t *doing) any { return cmdx.In[string](t, "v") })
	})

	DescribeTable("stops the run with a typed error rather than change a value, and does not show it",
		func(value any, read func(*doing)) {
			r := in(value, func(t *doing) { read(t); Fail("the run went on") })
			Expect(r).To(endFailed())
			var conversion *inputs.ConversionError
			Expect(errors.As(r.Err(), &conversion)).To(BeTrue())
			Expect(r.Reason()).NotTo(ContainSubstring("4242"))
		},
		Entry("too large", 4242, func(t *doing) { cmdx.In[int8](t, "v") }),
		Entry("a fraction", 4242.5, func(t *doing) { cmdx.In[int](t, "v") }),
		Entry("a negative number", -4242, func(t *doing) { cmdx.In[uint](t, "v") }),
		Entry("a text", "4242", func(t *doing) { cmdx.In[int](t, "v") }),
		Entry("a number as text", 4242, func(t *doing) { cmdx.In[string](t, "v") }),
		Entry("a float above 2^53", int64(1)<<53+1, func(t *doing) { cmdx.In[float64](t, "v") }),
		Entry("not a number", math.NaN(), func(t *doing) { cmdx.In[int](t, "v") }),
		Entry("2^63 as a float", math.Pow(2, 63), func(t *doing) { cmdx.In[int64](t, "v") }),
	)

	It("prefers the resolved input, and resolving leaves the context as it was", func() {
		r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &contextInputs{work: func(t *contextInputs) {
			Expect(cmdx.In[int](t, "count")).To(Equal(7))
			Expect(t.Input("count")).To(Equal(int64(7)))
		}}, cmdx.Args{"count": "7"})
		Expect(r).To(endSuccess())
		Expect(r.Context().MustGet("count")).To(Equal("7"))
	})
})
