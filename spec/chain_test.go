package spec

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// chainTime is the millisecond that a UUIDv7 holds.
func chainTime(id string) time.Time {
	GinkgoHelper()
	Expect(id).To(MatchRegexp(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))
	ms, err := strconv.ParseInt(strings.ReplaceAll(id, "-", "")[:12], 16, 64)
	Expect(err).NotTo(HaveOccurred())
	return time.UnixMilli(ms)
}

var _ = Describe("Chains", func() {
	It("hold the root at 0, then the nested runs in order of completion", func() {
		var inner, middle, last *cmdx.Result
		root := doRun(func(ctx context.Context, _ *doing) error {
			middle = cmdx.Execute(ctx, do(func(ctx context.Context, _ *doing) error {
				inner = cmdx.Execute(ctx, &doing{}, nil)
				return nil
			}), nil)
			last = cmdx.Execute(ctx, doReturn(errDeclined), nil)
			Expect(last.Chain().Results()).To(Equal([]*cmdx.Result{inner, middle, last}), "the root is there once it has ended")
			return nil
		})
		Expect(root.Chain().Results()).To(Equal([]*cmdx.Result{root, inner, middle, last}))
		Expect(root.Chain().Len()).To(Equal(4))
		for i, r := range root.Chain().Results() {
			Expect(r.Index()).To(Equal(i))
			Expect(r.IsRoot()).To(Equal(i == 0))
			Expect(r.Chain()).To(BeIdenticalTo(root.Chain()))
			Expect(r.CID()).To(Equal(root.Chain().ID()))
		}
	})

	It("are safe for parallel children, each with an index of its own", func() {
		const children = 50
		root := doRun(func(ctx context.Context, _ *doing) error {
			var running sync.WaitGroup
			for range children {
				running.Go(func() { cmdx.Execute(ctx, &doing{}, nil) })
			}
			running.Wait()
			return nil
		})
		results := root.Chain().Results()
		Expect(results).To(HaveLen(children + 1))
		tids := map[string]bool{}
		for i, r := range results {
			Expect(r.Index()).To(Equal(i))
			tids[r.TID()] = true
		}
		Expect(tids).To(HaveLen(children + 1))
	})

	It("start anew for an execution whose ctx carries an ended one", func() {
		var left context.Context
		rt := cmdx.New(cmdx.Configuration{})
		first := rt.Execute(context.Background(), do(func(ctx context.Context, _ *doing) error { left = ctx; return nil }), nil)
		second := cmdx.Execute(left, &doing{}, nil)
		Expect(second.IsRoot()).To(BeTrue())
		Expect(second.CID()).NotTo(Equal(first.CID()))
		Expect(first.Chain().Len()).To(Equal(1))
		Expect(second.Chain().Len()).To(Equal(1))
	})

	It("end also when the root panics or fails", func() {
		for _, work := range []func(context.Context) error{
			func(context.Context) error { panic("boom") },
			func(context.Context) error { return errDeclined },
		} {
			var left context.Context
			doRun(func(ctx context.Context, _ *doing) error { left = ctx; return work(ctx) })
			Expect(cmdx.Execute(left, &doing{}, nil).IsRoot()).To(BeTrue())
		}
	})

	It("start anew on purpose below Detach, with the values and the runtime of ctx", func() {
		type key struct{}
		asked := 0
		rt := cmdx.New(cmdx.Configuration{CorrelationID: func(context.Context) string { asked++; return fmt.Sprint("req-", asked) }})
		var detached, nested *cmdx.Result
		root := rt.Execute(context.WithValue(context.Background(), key{}, "kept"), do(func(ctx context.Context, _ *doing) error {
			detached = cmdx.Execute(cmdx.Detach(ctx), do(func(ctx context.Context, _ *doing) error {
				Expect(ctx.Value(key{})).To(Equal("kept"))
				nested = cmdx.Execute(ctx, &doing{}, nil)
				return nil
			}), nil)
			return nil
		}), nil)
		Expect(detached.IsRoot()).To(BeTrue())
		Expect(detached.XID()).To(Equal("req-2"), "the runtime of ctx, asked once more")
		Expect(nested.Chain()).To(BeIdenticalTo(detached.Chain()))
		Expect(root.Chain().Len()).To(Equal(1))
	})

	It("ask for the correlation id once, for the root, and give it to all", func() {
		type key struct{}
		asked := 0
		rt := cmdx.New(cmdx.Configuration{CorrelationID: func(ctx context.Context) string {
			asked++
			return ctx.Value(key{}).(string)
		}})
		var nested *cmdx.Result
		root := rt.Execute(context.WithValue(context.Background(), key{}, "req-1"), do(func(ctx context.Context, _ *doing) error {
			nested = cmdx.Execute(context.WithValue(ctx, key{}, "req-2"), &doing{}, nil)
			return nil
		}), nil)
		Expect(asked).To(Equal(1))
		Expect([]string{root.XID(), nested.XID(), root.Chain().XID()}).To(HaveEach("req-1"))
	})

	It("have no correlation id when nobody gives one, or when it panics, which is logged", func() {
		Expect(doRun(nil).XID()).To(BeEmpty())
		log := &doLog{}
		rt := cmdx.New(cmdx.Configuration{Logger: log.logger(), CorrelationID: func(context.Context) string { panic("no header") }})
		r := rt.Execute(context.Background(), &doing{}, nil)
		Expect(r).To(endSuccess())
		Expect(r.XID()).To(BeEmpty())
		Expect(log.lines()[0]).To(HaveKeyWithValue("level", "ERROR"))
	})

	It("have ids of the start's time, also when they are read late", func() {
		started := time.Now()
		r := doRun(func(context.Context, *doing) error { time.Sleep(time.Minute); return nil })
		time.Sleep(time.Hour)
		Expect(chainTime(r.TID())).To(BeTemporally("==", started))
		Expect(chainTime(r.CID())).To(BeTemporally("==", started))
		Expect(r.TID()).To(Equal(r.TID()), "it is made once")
		Expect(r.TID()).NotTo(Equal(r.CID()))
	}, bubble())

	It("have one id whoever reads it first", func() {
		r := doRun(nil)
		var ids sync.Map
		var readers sync.WaitGroup
		for range 20 {
			readers.Go(func() { ids.Store(r.TID(), true); ids.Store(r.CID(), true) })
		}
		readers.Wait()
		n := 0
		ids.Range(func(any, any) bool { n++; return true })
		Expect(n).To(Equal(2))
	})

	It("tell the task the id that the result has", func() {
		var tid string
		r := doRun(func(_ context.Context, t *doing) error { tid = t.TID(); return nil })
		Expect(tid).To(Equal(r.TID()))
	})

	It("are joined by a nested run on another runtime", func() {
		other := cmdx.New(cmdx.Configuration{})
		var nested *cmdx.Result
		root := doRun(func(ctx context.Context, _ *doing) error {
			nested = other.Execute(ctx, &doing{}, nil)
			return nil
		})
		Expect(nested.Chain()).To(BeIdenticalTo(root.Chain()))
		Expect(nested.Index()).To(Equal(1))
	})

	It("are left by Detach of a nil ctx as by that of a background one", func() {
		var none context.Context
		r := cmdx.New(cmdx.Configuration{}).Execute(cmdx.Detach(none), &doing{}, nil)
		Expect(r).To(endSuccess())
		Expect(r.IsRoot()).To(BeTrue())
	})
})
