package spec

import (
	"context"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

// runtimeOnce runs once per key and store.
type runtimeOnce struct{ cmdx.Base }

func (*runtimeOnce) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("id")) }

func (*runtimeOnce) Work(context.Context) error { return nil }

var _ = Describe("Runtimes", func() {
	bg := context.Background()
	key := cmdx.Args{"id": "pay_1"}

	It("have a store and a bus of their own when none is given", func() {
		a, b := cmdx.New(cmdx.Configuration{}), cmdx.New(cmdx.Configuration{})
		Expect(a.Store()).NotTo(BeNil())
		Expect(a.Store()).NotTo(BeIdenticalTo(b.Store()))
		Expect(a.Telemetry()).NotTo(BeIdenticalTo(b.Telemetry()))
	})

	It("share nothing: neither claims nor subscribers", func() {
		a, b := cmdx.New(cmdx.Configuration{}), cmdx.New(cmdx.Configuration{})
		heard := 0
		a.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(cmdx.Event) { heard++ })
		Expect(a.Execute(bg, &runtimeOnce{}, key)).To(endSuccess())
		Expect(b.Execute(bg, &runtimeOnce{}, key)).To(endSuccess())
		Expect(a.Execute(bg, &runtimeOnce{}, key)).To(endSkipped())
		Expect(heard).To(Equal(2))
	})

	It("share what they are both given", func() {
		store := stores.NewMemory()
		a, b := cmdx.New(cmdx.Configuration{Store: store}), cmdx.New(cmdx.Configuration{Store: store})
		Expect(a.Store()).To(BeIdenticalTo(store))
		Expect(a.Execute(bg, &runtimeOnce{}, key)).To(endSuccess())
		Expect(b.Execute(bg, &runtimeOnce{}, key)).To(endSkipped())
	})

	It("do not follow later changes of their configuration", func() {
		faultOn := []cmdx.Status{cmdx.StatusSkipped}
		rt := cmdx.New(cmdx.Configuration{FaultOn: faultOn})
		faultOn[0] = cmdx.StatusFailed
		_, err := rt.ExecuteBang(bg, doReturn(errDeclined), nil)
		Expect(err).NotTo(HaveOccurred())
	})

	It("are found by nested package calls through ctx", func() {
		rt := cmdx.New(cmdx.Configuration{})
		Expect(rt.Execute(bg, &runtimeOnce{}, key)).To(endSuccess())
		for name, wrap := range map[string]func(context.Context) context.Context{
			"ctx":         func(ctx context.Context) context.Context { return ctx },
			"a child ctx": func(ctx context.Context) context.Context { return context.WithValue(ctx, &key, 1) },
			"Detach":      cmdx.Detach,
			"no cancel":   context.WithoutCancel,
		} {
			rt.Execute(bg, do(func(ctx context.Context, _ *doing) error {
				Expect(cmdx.Execute(wrap(ctx), &runtimeOnce{}, key)).To(endSkipped(), name)
				return nil
			}), nil)
		}
	})

	It("are not found through the ctx of another runtime's method", func() {
		rt, other := cmdx.New(cmdx.Configuration{}), cmdx.New(cmdx.Configuration{})
		rt.Execute(bg, do(func(ctx context.Context, _ *doing) error {
			other.Execute(ctx, do(func(ctx context.Context, _ *doing) error {
				Expect(cmdx.Execute(ctx, &runtimeOnce{}, key)).To(endSuccess())
				return nil
			}), nil)
			return nil
		}), nil)
		Expect(other.Execute(bg, &runtimeOnce{}, key)).To(endSkipped())
		Expect(rt.Execute(bg, &runtimeOnce{}, key)).To(endSuccess())
	})
})

var _ = Describe("The default runtime", func() {
	bg := context.Background()

	BeforeEach(func() {
		cmdx.Reset()
		DeferCleanup(cmdx.Reset)
	})

	It("serves the package functions", func() {
		Expect(cmdx.Execute(bg, &runtimeOnce{}, cmdx.Args{"id": "a"})).To(endSuccess())
		Expect(cmdx.Default().Execute(bg, &runtimeOnce{}, cmdx.Args{"id": "a"})).To(endSkipped())
		_, err := cmdx.ExecuteBang(bg, doReturn(errDeclined), nil)
		Expect(err).To(MatchError(errDeclined))
	})

	It("is changed by Configure, which is given a store and a bus and keeps the rest", func() {
		store, log := stores.NewMemory(), &doLog{}
		cmdx.Configure(func(c *cmdx.Configuration) {
			Expect(c.Store).NotTo(BeNil())
			Expect(c.Telemetry).NotTo(BeNil())
			c.Store = store
		})
		heard := 0
		cmdx.Configure(func(c *cmdx.Configuration) {
			Expect(c.Store).To(BeIdenticalTo(store))
			c.Logger = log.logger()
			c.FaultOn = []cmdx.Status{cmdx.StatusSkipped}
			c.Telemetry.Subscribe(cmdx.EventTaskExecuted, func(cmdx.Event) { heard++ })
		})
		_, err := cmdx.ExecuteBang(bg, doReturn(errDeclined), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(heard).To(Equal(1))
		Expect(log.lines()).To(HaveLen(1))
		Expect(cmdx.Default().Store()).To(BeIdenticalTo(store))
	})

	It("is restored by Reset: a new store, a new bus, no logger", func() {
		heard, log := 0, &doLog{}
		cmdx.Configure(func(c *cmdx.Configuration) {
			c.Logger = log.logger()
			c.StrictContext = true
			c.Telemetry.Subscribe(cmdx.EventTaskExecuted, func(cmdx.Event) { heard++ })
		})
		Expect(cmdx.Execute(bg, &runtimeOnce{}, cmdx.Args{"id": "a"})).To(endSuccess())
		cmdx.Reset()
		Expect(cmdx.Execute(bg, &runtimeOnce{}, cmdx.Args{"id": "a"})).To(endSuccess())
		Expect(heard).To(Equal(1))
		Expect(log.lines()).To(HaveLen(1))
		Expect(cmdx.Execute(bg, do(func(_ context.Context, t *doing) error { t.Context().MustGet("x"); return nil }), nil)).To(endSuccess())
	})

	It("lets executions under way go on with what they have", func() {
		old := cmdx.Default()
		cmdx.Execute(bg, do(func(ctx context.Context, _ *doing) error {
			cmdx.Reset()
			cmdx.Execute(ctx, &runtimeOnce{}, cmdx.Args{"id": "a"})
			return nil
		}), nil)
		Expect(old.Execute(bg, &runtimeOnce{}, cmdx.Args{"id": "a"})).To(endSkipped())
		Expect(cmdx.Execute(bg, &runtimeOnce{}, cmdx.Args{"id": "a"})).To(endSuccess())
	})

	It("stays as it was when the change panics, and can be changed again", func() {
		before := cmdx.Default()
		Expect(func() { cmdx.Configure(func(*cmdx.Configuration) { panic("no") }) }).To(Panic())
		Expect(cmdx.Default()).To(BeIdenticalTo(before))
		cmdx.Configure(func(*cmdx.Configuration) {})
	})

	It("may be changed while others execute", func() {
		var running sync.WaitGroup
		for range 10 {
			running.Go(func() { cmdx.Configure(func(c *cmdx.Configuration) { c.StrictContext = true }) })
			running.Go(func() { cmdx.Execute(bg, &doing{}, nil) })
		}
		running.Wait()
	})
})
