package spec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/cmdxtest"
)

// Values that no encoder likes.
type (
	stubbornValue  struct{ Secret string }
	explodingValue struct{}
	knottedValue   struct{ Next any }
	billingTask    struct{ cmdx.Base }
)

func (stubbornValue) MarshalJSON() ([]byte, error)  { return nil, errDeclined }
func (explodingValue) MarshalJSON() ([]byte, error) { panic("no JSON") }
func (explodingValue) String() string               { panic("no text") }
func (explodingValue) LogValue() slog.Value         { panic("no log value") }

func (*billingTask) Configure(c *cmdx.Config) {
	c.Name("billing.Charge")
	c.Tags("billing", "money")
}

func (*billingTask) Work(context.Context) error { return nil }

var _ = Describe("Results", func() {
	succeed := func(_ context.Context, t *doing) error { return t.Success("done") }
	skip := func(_ context.Context, t *doing) error { return t.Skip("closed") }
	fail := func(_ context.Context, t *doing) error { return t.Fail("broken", cmdx.Metadata{"code": "x"}) }
	raise := func(context.Context, *doing) error { return fmt.Errorf("charging: %w", errDeclined) }

	DescribeTable("answer to their words",
		func(work func(context.Context, *doing) error, words ...cmdx.Word) {
			r := doRun(work)
			var called []cmdx.Word
			for _, w := range []cmdx.Word{
				cmdx.WordSuccess, cmdx.WordSkipped, cmdx.WordFailed, cmdx.WordComplete,
				cmdx.WordInterrupted, cmdx.WordOK, cmdx.WordKO,
			} {
				Expect(r.On(w, func(got *cmdx.Result) {
					Expect(got).To(BeIdenticalTo(r))
					called = append(called, w)
				})).To(BeIdenticalTo(r))
			}
			Expect(called).To(Equal(words))
			asked := map[cmdx.Word]bool{
				cmdx.WordSuccess: r.IsSuccess(), cmdx.WordSkipped: r.IsSkipped(), cmdx.WordFailed: r.IsFailed(),
				cmdx.WordComplete: r.IsComplete(), cmdx.WordInterrupted: r.IsInterrupted(),
				cmdx.WordOK: r.IsOK(), cmdx.WordKO: r.IsKO(),
			}
			for w, yes := range asked {
				Expect(yes).To(Equal(slices.Contains(words, w)), string(w))
			}
		},
		Entry("a success", succeed, cmdx.WordSuccess, cmdx.WordComplete, cmdx.WordOK),
		Entry("a skip", skip, cmdx.WordSkipped, cmdx.WordInterrupted, cmdx.WordOK, cmdx.WordKO),
		Entry("a failure", fail, cmdx.WordFailed, cmdx.WordInterrupted, cmdx.WordKO),
	)

	It("never match an unknown word, and log it", func() {
		log := &doLog{}
		r := cmdx.New(cmdx.Configuration{Logger: log.logger()}).Execute(context.Background(), &doing{}, nil)
		r.On("succes", func(*cmdx.Result) { Fail("an unknown word matched") }).On(cmdx.WordSuccess, nil)
		lines := log.lines()
		Expect(lines).To(HaveLen(2))
		Expect(lines[1]).To(And(HaveKeyWithValue("level", "WARN"), HaveKeyWithValue("word", "succes")))
	})

	It("take an unknown word in silence where there is no logger", func() {
		doRun(nil).On("succes", func(*cmdx.Result) { Fail("an unknown word matched") })
	})

	It("have no error unless they failed, and it is an untyped nil", func() {
		Expect(doRun(succeed).Err() == nil).To(BeTrue())
		Expect(doRun(skip).Err() == nil).To(BeTrue())
		Expect(doRun(fail).Err()).To(HaveOccurred())
		Expect(doRun(fail).Cause() == nil).To(BeTrue())
	})

	It("know their task", func() {
		template := &billingTask{}
		r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), template, nil)
		Expect(r.TaskName()).To(Equal("billing.Charge"))
		Expect(r.Type()).To(Equal("Task"))
		Expect(r.Tags()).To(Equal([]string{"billing", "money"}))
		Expect(r.Task()).To(BeAssignableToTypeOf(template))
		Expect(r.Task()).NotTo(BeIdenticalTo(template))
	})

	It("measure the time that the run took", func() {
		r := doRun(func(context.Context, *doing) error { time.Sleep(90 * time.Second); return nil })
		time.Sleep(time.Hour)
		Expect(r.Duration()).To(Equal(90 * time.Second))
	}, bubble())

	Context("as errors", func() {
		It("reach what Work returned through errors.Is and errors.As", func() {
			r := doRun(func(context.Context, *doing) error {
				return fmt.Errorf("reading: %w", &fs.PathError{Op: "open", Path: "ledger", Err: errDeclined})
			})
			Expect(errors.Is(r.Err(), errDeclined)).To(BeTrue())
			var path *fs.PathError
			Expect(errors.As(r.Err(), &path)).To(BeTrue())
			Expect(path.Path).To(Equal("ledger"))
		})

		It("carry their result and its metadata through wrappers", func() {
			r := doRun(fail)
			var fault *cmdx.Fault
			Expect(errors.As(fmt.Errorf("job: %w", r.Err()), &fault)).To(BeTrue())
			Expect(fault.Result()).To(BeIdenticalTo(r))
			Expect(fault.Metadata()).To(Equal(cmdx.Metadata{"code": "x"}))
			Expect(fault.Unwrap() == nil).To(BeTrue())
			Expect(fault.Error()).To(ContainSubstring("broken"))
		})
	})

	Context("once returned", func() {
		It("do not change through what they hand out", func() {
			r := doRun(func(_ context.Context, t *doing) error {
				t.Errors().Add("port", "is odd")
				return t.Fail("broken", cmdx.Metadata{"code": "x"})
			})
			r.Metadata()["code"] = "y"
			r.Err().(*cmdx.Fault).Metadata()["code"] = "y"
			r.Errors().Add("port", "is even")
			r.Chain().Results()[0] = nil
			r.ToMap()["status"] = "success"
			Expect(r.Metadata()).To(Equal(cmdx.Metadata{"code": "x"}))
			Expect(r.Errors().FullMessages()).To(Equal([]string{"port is odd"}))
			Expect(r.Chain().Results()[0]).To(BeIdenticalTo(r))
			Expect(r.Status()).To(Equal(cmdx.StatusFailed))

			tagged := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &billingTask{}, nil)
			tagged.Tags()[0] = "free"
			Expect(tagged.Tags()[0]).To(Equal("billing"))
		})

		It("do not change through the executed task", func() {
			r := doRun(func(_ context.Context, t *doing) error {
				t.Metadata()["a"] = 1
				t.Errors().Add("port", "is odd")
				return t.Skip("closed")
			})
			before := r.String()
			t := r.Task().(*doing)
			t.Metadata()["a"] = 2
			t.Errors().Add("port", "is even")
			_ = t.Fail("late")
			t.Context().Set("late", true)
			Expect(r.String()).To(Equal(before))
			Expect(r.Metadata()).To(HaveKeyWithValue("a", 1))
			Expect(r.Errors().Count()).To(Equal(1))
			Expect(r.Context().Has("late")).To(BeFalse())
		})
	})

	Context("as data", func() {
		common := []string{
			"xid", "cid", "index", "root", "type", "task", "tid", "context", "state", "status", "reason",
			"metadata", "strict", "deprecated", "retried", "retries", "duration", "tags",
		}
		failed := append(slices.Clone(common), "cause", "origin", "threw_failure", "caused_failure", "rolled_back")

		It("have exactly the documented keys", func() {
			Expect(slices.Collect(maps.Keys(doRun(succeed).ToMap()))).To(ConsistOf(common))
			Expect(slices.Collect(maps.Keys(doRun(skip).ToMap()))).To(ConsistOf(common))
			Expect(slices.Collect(maps.Keys(doRun(raise).ToMap()))).To(ConsistOf(failed))
		})

		It("hold the context, and refer to other runs by task and tid", func() {
			var nested *cmdx.Result
			r := cmdx.New(cmdx.Configuration{CorrelationID: func(context.Context) string { return "req-1" }}).
				Execute(context.Background(), do(func(ctx context.Context, t *doing) error {
					nested = cmdx.Execute(ctx, do(raise), nil)
					return t.Throw(nested)
				}), cmdx.Args{"order": 7})
			m := r.ToMap()
			Expect(m).To(HaveKeyWithValue("context", map[string]any{"order": 7}))
			Expect(m).To(HaveKeyWithValue("xid", "req-1"))
			Expect(m).To(HaveKeyWithValue("cid", r.CID()))
			Expect(m).To(HaveKeyWithValue("root", true))
			Expect(m).To(HaveKeyWithValue("status", "failed"))
			Expect(m).To(HaveKeyWithValue("state", "interrupted"))
			reference := map[string]any{"task": "doing", "tid": nested.TID()}
			Expect(m).To(HaveKeyWithValue("origin", reference))
			Expect(m).To(HaveKeyWithValue("threw_failure", reference))
			Expect(m).To(HaveKeyWithValue("caused_failure", reference))
			Expect(errors.Is(m["cause"].(error), errDeclined)).To(BeTrue())
			Expect(nested.ToMap()).To(HaveKeyWithValue("origin", BeNil()))
			Expect(nested.ToMap()).To(HaveKeyWithValue("threw_failure", reference))
		})

		It("are JSON with the same keys", func() {
			data, err := json.Marshal(doRun(raise))
			Expect(err).NotTo(HaveOccurred())
			var m map[string]any
			Expect(json.Unmarshal(data, &m)).To(Succeed())
			Expect(slices.Collect(maps.Keys(m))).To(ConsistOf(failed))
			Expect(m["cause"]).To(Equal("charging: card declined"))
		})
	})

	DescribeTable("are JSON whatever context and metadata hold, with the rest intact",
		func(make func() any) { // the runner cannot take a cyclic value
			value := make()
			r := doRun(func(_ context.Context, t *doing) error {
				t.Context().Set("odd", value)
				t.Context().Set("good", 7)
				return t.Fail("broken", cmdx.Metadata{"odd": value, "code": "x"})
			})
			data, err := json.Marshal(r)
			Expect(err).NotTo(HaveOccurred())
			var m struct{ Context, Metadata map[string]any }
			Expect(json.Unmarshal(data, &m)).To(Succeed())
			Expect(m.Context).To(And(HaveKeyWithValue("good", 7.0), HaveKey("odd")))
			Expect(m.Metadata).To(And(HaveKeyWithValue("code", "x"), HaveKey("odd")))
			Expect(r.String()).To(ContainSubstring("broken"))
			Expect(r.LogValue().Group()).NotTo(BeEmpty())
		},
		Entry("a channel", func() any { return make(chan int) }),
		Entry("a function", func() any { return func() {} }),
		Entry("a complex number", func() any { return complex(1, 2) }),
		Entry("a map with keys of a struct", func() any { return map[knottedValue]int{{}: 1} }),
		Entry("a failing MarshalJSON", func() any { return stubbornValue{} }),
		Entry("a panicking MarshalJSON", func() any { return explodingValue{} }),
		Entry("a map that holds itself", func() any { m := map[string]any{}; m["self"] = m; return m }),
		Entry("a slice that holds itself", func() any { s := make([]any, 1); s[0] = s; return s }),
		Entry("a pointer that leads to itself", func() any { k := &knottedValue{}; k.Next = k; return k }),
		Entry("an error", func() any { return errDeclined }),
		Entry("a raised nil", func() any { return (*fs.PathError)(nil) }),
	)

	It("are JSON when they hold themselves", func() {
		r := doRun(func(ctx context.Context, t *doing) error {
			nested := cmdx.Execute(ctx, &doing{}, t.Context())
			t.Context().Set("nested", nested)
			t.Context().Set("bag", t.Context())
			return t.Fail("broken", cmdx.Metadata{"nested": nested, "bag": t.Context()})
		})
		data, err := json.Marshal(r)
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Valid(data)).To(BeTrue())
		Expect(r.String()).NotTo(BeEmpty())
	})

	It("leave the context's values out of their text and their log value", func() {
		log := &doLog{}
		rt := cmdx.New(cmdx.Configuration{Logger: log.logger()})
		r := rt.Execute(context.Background(), do(func(ctx context.Context, t *doing) error {
			t.Context().Set("card", "visa-card")
			nested := cmdx.Execute(ctx, &doing{}, t.Context())
			return t.Fail("broken", cmdx.Metadata{"bag": t.Context(), "nested": nested})
		}), cmdx.Args{"secret": "hunter2"})
		texts := strings.Join([]string{r.String(), fmt.Sprint(r.LogValue()), fmt.Sprint(r), r.Err().Error(), r.Reason(), log.text()}, "\n")
		Expect(texts).NotTo(Or(ContainSubstring("hunter2"), ContainSubstring("visa")))
		Expect(string(must(json.Marshal(r)))).To(And(ContainSubstring("hunter2"), ContainSubstring("visa")))
	})
})

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var _ = Describe("ExecuteBang", func() {
	bang := func(c cmdx.Configuration, err func(*doing) error) (*cmdx.Result, error) {
		return cmdx.New(c).ExecuteBang(context.Background(), do(func(_ context.Context, t *doing) error { return err(t) }), nil)
	}
	skip := func(t *doing) error { return t.Skip("closed", cmdx.Metadata{"code": "shut"}) }

	It("has an untyped nil for a success and for a skip", func() {
		r, err := bang(cmdx.Configuration{}, func(*doing) error { return nil })
		Expect(err == nil).To(BeTrue())
		Expect(r).To(cmdxtest.BeSuccess())
		r, err = bang(cmdx.Configuration{}, skip)
		Expect(err == nil).To(BeTrue())
		Expect(r).To(cmdxtest.BeSkipped())
	})

	It("has a Fault for a failure, beside the result", func() {
		r, err := bang(cmdx.Configuration{}, func(*doing) error { return errDeclined })
		Expect(err).To(BeAssignableToTypeOf((*cmdx.Fault)(nil)))
		Expect(err.(*cmdx.Fault).Result()).To(BeIdenticalTo(r))
		Expect(errors.Is(err, errDeclined)).To(BeTrue())
	})

	It("has a Fault for a skip when FaultOn says so", func() {
		r, err := bang(cmdx.Configuration{FaultOn: []cmdx.Status{cmdx.StatusFailed, cmdx.StatusSkipped}}, skip)
		var fault *cmdx.Fault
		Expect(errors.As(err, &fault)).To(BeTrue())
		Expect(fault.Metadata()).To(HaveKeyWithValue("code", "shut"))
		Expect(r).To(cmdxtest.BeSkipped())
		Expect(r.Err() == nil).To(BeTrue(), "Err is about failures only")
	})

	It("has no Fault for a failure when FaultOn leaves it out", func() {
		_, err := bang(cmdx.Configuration{FaultOn: []cmdx.Status{cmdx.StatusSkipped}}, func(*doing) error { return errDeclined })
		Expect(err == nil).To(BeTrue())
	})

	It("is told by Strict, and Execute is not", func() {
		r, _ := bang(cmdx.Configuration{}, skip)
		Expect(r.Strict()).To(BeTrue())
		Expect(r.ToMap()).To(HaveKeyWithValue("strict", true))
		Expect(doRun(nil).Strict()).To(BeFalse())
	})

	It("follows the runtime that ctx leads to", func() {
		rt := cmdx.New(cmdx.Configuration{FaultOn: []cmdx.Status{cmdx.StatusSkipped}})
		rt.Execute(context.Background(), do(func(ctx context.Context, _ *doing) error {
			_, err := cmdx.ExecuteBang(ctx, do(func(_ context.Context, t *doing) error { return t.Skip("closed") }), nil)
			Expect(err).To(HaveOccurred())
			return nil
		}), nil)
	})
})

var _ = Describe("Errors that a task adds", func() {
	It("fail the run with all messages, joined by a full stop", func() {
		r := doRun(func(_ context.Context, t *doing) error {
			t.Errors().Add("port", "is odd")
			t.Errors().Add("host", "is down")
			t.Errors().Add("port", "is odd")
			return nil
		})
		Expect(r).To(cmdxtest.BeFailed().WithReason("port is odd. host is down"))
		Expect(r.Errors().ToMap()).To(Equal(map[string][]string{"port": {"is odd"}, "host": {"is down"}}))
		Expect(r.Cause()).To(BeNil())
	})

	It("fail the run over a Skip and a Success", func() {
		for _, signal := range []func(*doing) error{
			func(t *doing) error { return t.Skip("closed") },
			func(t *doing) error { return t.Success("fine") },
		} {
			r := doRun(func(_ context.Context, t *doing) error {
				t.Errors().Add("port", "is odd")
				return signal(t)
			})
			Expect(r).To(cmdxtest.BeFailed().WithReason("port is odd"))
		}
	})

	It("leave the reason of a failure alone", func() {
		r := doRun(func(_ context.Context, t *doing) error {
			t.Errors().Add("port", "is odd")
			return errDeclined
		})
		Expect(r).To(cmdxtest.BeFailed().WithReason("[errors.errorString] card declined"))
		Expect(r.Errors().Has("port")).To(BeTrue())
	})

	It("may be added from many goroutines", func() {
		r := doRun(func(_ context.Context, t *doing) error {
			done := make(chan struct{})
			for i := range 20 {
				go func() {
					t.Errors().Add("worker", fmt.Sprint(i))
					done <- struct{}{}
				}()
			}
			for range 20 {
				<-done
			}
			return nil
		})
		Expect(r.Errors().Count()).To(Equal(20))
	})
})
