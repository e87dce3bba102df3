package spec

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"runtime"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// Errors as a clumsy application writes them.
type (
	explodingError struct{ cause error }
	listError      []string
)

func (*explodingError) Error() string   { panic("no text") }
func (e *explodingError) Unwrap() error { return e.cause }
func (l listError) Error() string       { return strings.Join(l, ", ") }

var (
	errDeclined = errors.New("card declined")
	errClose    = errors.New("close failed")
)

var _ = Describe("Signals", func() {
	Context("returned from Work", func() {
		DescribeTable("decide how the run ends",
			func(signal func(t *doing) error, matches cmdx.Status, state cmdx.State) {
				r := doRun(func(_ context.Context, t *doing) error { return signal(t) })
				Expect(r.Status()).To(Equal(matches))
				Expect(r.State()).To(Equal(state))
				Expect(r.Reason()).To(Equal("why"))
				Expect(r.Metadata()).To(Equal(cmdx.Metadata{"code": "x"}))
				Expect(r.Cause()).To(BeNil())
			},
			Entry("Success completes", func(t *doing) error { return t.Success("why", cmdx.Metadata{"code": "x"}) }, cmdx.StatusSuccess, cmdx.StateComplete),
			Entry("Skip interrupts", func(t *doing) error { return t.Skip("why", cmdx.Metadata{"code": "x"}) }, cmdx.StatusSkipped, cmdx.StateInterrupted),
			Entry("Fail interrupts", func(t *doing) error { return t.Fail("why", cmdx.Metadata{"code": "x"}) }, cmdx.StatusFailed, cmdx.StateInterrupted),
		)

		It("nil is a success without a reason", func() {
			Expect(doRun(nil)).To(endSuccess(""))
		})

		It("later metadata win over earlier ones, and a signal's over the task's own", func() {
			given := cmdx.Metadata{"a": 1, "b": 1}
			r := doRun(func(_ context.Context, t *doing) error {
				t.Metadata()["b"], t.Metadata()["own"] = 0, true
				return t.Fail("why", given, nil, cmdx.Metadata{"b": 2, "c": 2})
			})
			Expect(r.Metadata()).To(Equal(cmdx.Metadata{"a": 1, "b": 2, "c": 2, "own": true}))
			Expect(given).To(Equal(cmdx.Metadata{"a": 1, "b": 1}), "the caller's map is written to")
		})

		It("metadata that the caller changes afterwards stay as they were", func() {
			given := cmdx.Metadata{"a": 1}
			r := doRun(func(_ context.Context, t *doing) error {
				err := t.Fail("why", given)
				given["a"] = 2
				return err
			})
			Expect(r.Metadata()).To(HaveKeyWithValue("a", 1))
		})
	})

	Context("inside wrappers", func() {
		It("counts behind any number of single ones", func() {
			r := doRun(func(_ context.Context, t *doing) error {
				return fmt.Errorf("outer: %w", fmt.Errorf("inner: %w", t.Skip("closed")))
			})
			Expect(r).To(endSkipped("closed"))
		})

		It("counts when it is joined with nothing but nil", func() {
			r := doRun(func(_ context.Context, t *doing) error { return errors.Join(t.Skip("closed"), nil) })
			Expect(r).To(endSkipped("closed"))
		})

		It("beside an error that is no signal, the whole is a raised error and nothing is hidden", func() {
			r := doRun(func(_ context.Context, t *doing) error { return errors.Join(t.Skip("closed"), errClose) })
			Expect(r).To(endFailed())
			Expect(r.Reason()).To(HavePrefix("[errors.joinError] "))
			Expect(errors.Is(r.Err(), errClose)).To(BeTrue())
		})

		It("beside an error in one wrapper with two verbs, too", func() {
			r := doRun(func(_ context.Context, t *doing) error { return fmt.Errorf("%w and %w", t.Success("fine"), errClose) })
			Expect(r).To(endFailed("[fmt.wrapErrors] cmdx: success: fine and close failed"))
		})

		It("among signals of its own run only, the failure counts", func() {
			r := doRun(func(_ context.Context, t *doing) error { return errors.Join(t.Fail("broken"), t.Skip("closed")) })
			Expect(r).To(endFailed("broken"))
		})
	})

	Context("that belong to nobody here", func() {
		It("one of another run is a raised error that says so", func() {
			r := doRun(func(ctx context.Context, t *doing) error {
				var theirs error
				cmdx.Execute(ctx, do(func(_ context.Context, nested *doing) error {
					theirs = nested.Skip("theirs")
					return theirs
				}), nil)
				return theirs
			})
			Expect(r).To(endFailed())
			Expect(r.Reason()).To(ContainSubstring("signal of another run"))
			Expect(r.Cause()).To(HaveOccurred())
		})

		It("one that a nested run borrows from the outer one is a raised error there", func() {
			r := doRun(func(ctx context.Context, t *doing) error {
				mine := t.Skip("mine")
				nested := cmdx.Execute(ctx, doReturn(mine), nil)
				Expect(nested).To(endFailed())
				return mine
			})
			Expect(r).To(endSkipped("mine"))
		})

		It("one of a task that is not running does not panic and is a raised error that says so", func() {
			idle := &doing{}
			for _, signal := range []error{idle.Skip("idle"), idle.Fail("idle"), idle.Success("idle")} {
				r := doRun(func(context.Context, *doing) error { return signal })
				Expect(r).To(endFailed())
				Expect(r.Reason()).To(ContainSubstring("a task that is not running"))
			}
			Expect(idle.Throw(doRun(func(context.Context, *doing) error { return errDeclined }))).To(HaveOccurred())
		})

		It("one of an earlier execution is a raised error", func() {
			var old error
			doRun(func(_ context.Context, t *doing) error { old = t.Skip("old"); return nil })
			Expect(doRun(func(context.Context, *doing) error { return old })).To(endFailed())
		})
	})

	Context("made and not returned", func() {
		DescribeTable("still decide when Work returns nil",
			func(make func(t *doing), status cmdx.Status, reason string) {
				r := doRun(func(_ context.Context, t *doing) error { make(t); return nil })
				Expect(r).To(endAs(status, reason))
			},
			Entry("a dropped Skip", func(t *doing) { _ = t.Skip("a") }, cmdx.StatusSkipped, "a"),
			Entry("a dropped Success", func(t *doing) { _ = t.Success("a") }, cmdx.StatusSuccess, "a"),
			Entry("Fail over a later Skip", func(t *doing) { _ = t.Fail("a"); _ = t.Skip("b") }, cmdx.StatusFailed, "a"),
			Entry("Fail over an earlier Skip", func(t *doing) { _ = t.Skip("a"); _ = t.Fail("b") }, cmdx.StatusFailed, "b"),
			Entry("Skip over a later Success", func(t *doing) { _ = t.Skip("a"); _ = t.Success("b") }, cmdx.StatusSkipped, "a"),
			Entry("the last of two Fails", func(t *doing) { _ = t.Fail("a"); _ = t.Fail("b") }, cmdx.StatusFailed, "b"),
			Entry("the last of two Skips", func(t *doing) { _ = t.Skip("a"); _ = t.Skip("b") }, cmdx.StatusSkipped, "b"),
			Entry("the last of two Successes", func(t *doing) { _ = t.Success("a"); _ = t.Success("b") }, cmdx.StatusSuccess, "b"),
		)

		It("a dropped Fail beats a returned Success", func() {
			Expect(doRun(func(_ context.Context, t *doing) error { _ = t.Fail("lost"); return t.Success("fine") })).To(endFailed("lost"))
		})

		It("a dropped Fail beats a returned Skip", func() {
			Expect(doRun(func(_ context.Context, t *doing) error { _ = t.Fail("lost"); return t.Skip("fine") })).To(endFailed("lost"))
		})

		It("a dropped Skip does not beat a returned Success", func() {
			Expect(doRun(func(_ context.Context, t *doing) error { _ = t.Skip("lost"); return t.Success("fine") })).To(endSuccess("fine"))
		})

		It("a returned Fail is the one that counts among Fails", func() {
			Expect(doRun(func(_ context.Context, t *doing) error {
				first := t.Fail("first")
				_ = t.Fail("second")
				return first
			})).To(endFailed("first"))
		})

		It("a raised error is not hidden by any of them", func() {
			r := doRun(func(_ context.Context, t *doing) error { _ = t.Skip("lost"); return errDeclined })
			Expect(r).To(endFailed("[errors.errorString] card declined"))
		})
	})
})

var _ = Describe("Raised errors", func() {
	DescribeTable("give the reason [TypeName] message",
		func(err error, reason string) {
			r := doRun(func(context.Context, *doing) error { return err })
			Expect(r).To(endFailed(reason))
			Expect(r.Metadata()).To(BeEmpty())
		},
		Entry(nil, errDeclined, "[errors.errorString] card declined"),
		Entry(nil, &net.OpError{Op: "dial", Err: errors.New("refused")}, "[net.OpError] dial: refused"),
		Entry(nil, fmt.Errorf("charging: %w", errDeclined), "[fmt.wrapError] charging: card declined"),
		Entry(nil, &fs.PathError{Op: "open", Path: "ledger", Err: errDeclined}, "[fs.PathError] open ledger: card declined"),
		Entry(nil, syscall.ENOENT, "[syscall.Errno] no such file or directory"),
		Entry(nil, context.DeadlineExceeded, "[context.deadlineExceededError] context deadline exceeded"),
		Entry(nil, listError{"a", "b"}, "[spec.listError] a, b"),
		Entry("a typed nil", (*net.OpError)(nil), "[net.OpError] <nil>"),
		Entry("no text", errors.New(""), "[errors.errorString] "),
	)

	It("are the cause themselves", func() {
		r := doRun(func(context.Context, *doing) error { return errDeclined })
		Expect(r.Cause()).To(BeIdenticalTo(errDeclined))
	})

	DescribeTable("whose own methods panic do no harm",
		func(err error, prefix string) {
			r := doRun(func(context.Context, *doing) error { return err })
			Expect(r).To(endFailed())
			Expect(r.Reason()).To(HavePrefix(prefix))
			Expect(r.String()).NotTo(BeEmpty())
			Expect(r.Err().Error()).NotTo(BeEmpty())
			Expect(r.MarshalJSON()).To(ContainSubstring(`"status":"failed"`))
			Expect(r.LogValue().Group()).NotTo(BeEmpty())
		},
		Entry("Error", &explodingError{}, "[spec.explodingError] "),
		Entry("Error of a typed nil", (*fs.PathError)(nil), "[fs.PathError] "),
		Entry("Error and Unwrap of a typed nil", (*explodingError)(nil), "[spec.explodingError] "),
	)

	It("that cannot be compared reach the caller", func() {
		r := doRun(func(context.Context, *doing) error { return listError{"a"} })
		Expect(errors.Is(r.Err(), errDeclined)).To(BeFalse())
		var list listError
		Expect(errors.As(r.Err(), &list)).To(BeTrue())
	})
})

var _ = Describe("Panics", func() {
	panicking := func(value any) *cmdx.Result {
		return doRun(func(context.Context, *doing) error { panic(value) })
	}

	It("are raised errors with value and stack", func() {
		r := panicking("boom")
		Expect(r).To(endFailed("[cmdx.PanicError] panic: boom"))
		var p *cmdx.PanicError
		Expect(errors.As(r.Err(), &p)).To(BeTrue())
		Expect(p.Value).To(Equal("boom"))
		Expect(string(p.Stack)).To(ContainSubstring("signals_test.go"))
		Expect(errors.Unwrap(p)).To(BeNil())
	})

	It("unwrap to a value that is an error", func() {
		Expect(errors.Is(panicking(errDeclined).Err(), errDeclined)).To(BeTrue())
	})

	It("with nil are panics too", func() {
		var p *cmdx.PanicError
		Expect(errors.As(panicking(nil).Err(), &p)).To(BeTrue())
		var none *runtime.PanicNilError
		Expect(errors.As(p, &none)).To(BeTrue())
	})

	It("with an error whose text panics do no harm", func() {
		Expect(panicking(&explodingError{}).Reason()).To(HavePrefix("[cmdx.PanicError] panic: "))
	})

	It("with a signal are panics, since nothing was returned", func() {
		r := doRun(func(_ context.Context, t *doing) error { panic(t.Skip("closed")) })
		Expect(r).To(endFailed())
		Expect(r.Reason()).To(HavePrefix("[cmdx.PanicError] "))
	})

	It("with a nested failure are panics and no echo", func() {
		r := doRun(func(ctx context.Context, _ *doing) error {
			panic(cmdx.Execute(ctx, doReturn(errDeclined), nil).Err())
		})
		Expect(r.Reason()).To(HavePrefix("[cmdx.PanicError] "))
		Expect(r.Origin()).To(BeNil())
		Expect(errors.Is(r.Err(), errDeclined)).To(BeTrue())
	})
})

var _ = Describe("runtime.Goexit", func() {
	It("in Work is cleaned up after and let through", func() {
		rt := cmdx.New(cmdx.Configuration{})
		var executed []*cmdx.Result
		rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) { executed = append(executed, e.Payload["result"].(*cmdx.Result)) })
		var data *cmdx.Context
		returned := doGoexit(func() {
			rt.Execute(context.Background(), do(func(_ context.Context, t *doing) error {
				data = t.Context()
				runtime.Goexit()
				return nil
			}), nil)
		})
		Expect(returned).To(BeFalse())
		Expect(executed).To(HaveLen(1))
		Expect(executed[0]).To(endFailed())
		data.Set("late", true)
		Expect(data.Has("late")).To(BeFalse(), "the chain is still open")
	})

	It("in a nested Work ends the outer run too, innermost first, and closes the chain", func() {
		rt := cmdx.New(cmdx.Configuration{})
		track := &doTrack{}
		rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) {
			r := e.Payload["result"].(*cmdx.Result)
			track.add("root=%t status=%s chain=%d", r.IsRoot(), r.Status(), r.Chain().Len())
		})
		var inner context.Context
		returned := doGoexit(func() {
			rt.Execute(context.Background(), do(func(ctx context.Context, _ *doing) error {
				cmdx.Execute(ctx, do(func(ctx context.Context, _ *doing) error {
					inner = ctx
					runtime.Goexit()
					return nil
				}), nil)
				return nil
			}), nil)
		})
		Expect(returned).To(BeFalse())
		Expect(track.all()).To(Equal([]string{"root=false status=failed chain=1", "root=true status=failed chain=2"}))
		Expect(rt.Execute(inner, &doing{}, nil).IsRoot()).To(BeTrue(), "the chain is still open")
	})

	It("on a goroutine that Work starts is nothing to the run", func() {
		Expect(doRun(func(context.Context, *doing) error {
			doGoexit(runtime.Goexit)
			return nil
		})).To(endSuccess())
	})
})
