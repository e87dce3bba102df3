package spec

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// Families of tasks with subscribers of their own.
type (
	heardParent struct {
		cmdx.Base
		Heard *doTrack
	}
	heardChild   struct{ heardParent }
	heardSibling struct{ heardParent }
	loudHandler  struct{ slog.Handler }
)

// heardBy lets the subscribers of the types, which know no execution, write
// to the track of a spec.
var heardBy = &doTrack{}

func (*heardParent) Configure(c *cmdx.Config) {
	c.Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) { heardBy.add("parent hears %s", e.Task) })
}

func (*heardChild) Configure(c *cmdx.Config) {
	c.Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) { heardBy.add("child hears %s", e.Task) })
}

func (*heardParent) Work(context.Context) error { return nil }

func (loudHandler) Handle(context.Context, slog.Record) error { panic("disk full") }

var _ = Describe("Telemetry", func() {
	bg := context.Background()

	It("tells of the start, then of the result, nested runs inside", func() {
		rt := cmdx.New(cmdx.Configuration{CorrelationID: func(context.Context) string { return "req-1" }})
		var events []cmdx.Event
		for _, name := range []cmdx.EventName{cmdx.EventTaskStarted, cmdx.EventTaskExecuted} {
			rt.Telemetry().Subscribe(name, func(e cmdx.Event) { events = append(events, e) })
		}
		before := time.Now()
		var nested *cmdx.Result
		root := rt.Execute(bg, do(func(ctx context.Context, _ *doing) error {
			time.Sleep(time.Second)
			nested = cmdx.Execute(ctx, &heardSibling{}, nil)
			return nil
		}), nil)
		var names []string
		for _, e := range events {
			names = append(names, fmt.Sprint(e.Name, " ", e.Task, " ", e.Root))
			Expect(e.Type).To(Equal("Task"))
			Expect(e.CID).To(Equal(root.CID()))
			Expect(e.XID).To(Equal("req-1"))
			Expect(e.Payload).NotTo(BeNil())
		}
		Expect(names).To(Equal([]string{
			"task_started doing true", "task_started heardSibling false",
			"task_executed heardSibling false", "task_executed doing true",
		}))
		Expect(events[0].TID).To(Equal(root.TID()))
		Expect(events[1].TID).To(Equal(nested.TID()))
		Expect(events[0].Time).To(Equal(before))
		Expect(events[3].Time).To(Equal(before.Add(time.Second)))
		Expect(events[2].Payload["result"]).To(BeIdenticalTo(nested))
		Expect(events[3].Payload["result"]).To(BeIdenticalTo(root))
	}, bubble())

	It("gives a result that is final and in its chain", func() {
		rt := cmdx.New(cmdx.Configuration{})
		rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) {
			r := e.Payload["result"].(*cmdx.Result)
			Expect(r).To(endSkipped("closed"))
			Expect(r.Chain().Results()).To(ContainElement(r))
		})
		rt.Execute(bg, do(func(_ context.Context, t *doing) error { return t.Skip("closed") }), nil)
	})

	It("stops at unsubscribe, which may be called twice", func() {
		rt := cmdx.New(cmdx.Configuration{})
		heard := 0
		unsubscribe := rt.Telemetry().Subscribe(cmdx.EventTaskStarted, func(cmdx.Event) { heard++ })
		rt.Execute(bg, &doing{}, nil)
		unsubscribe()
		unsubscribe()
		rt.Execute(bg, &doing{}, nil)
		Expect(heard).To(Equal(1))
	})

	Context("by type", func() {
		BeforeEach(func() { heardBy = &doTrack{} })

		It("reaches the type and its descendants only, parents' subscribers first, then the runtime's", func() {
			rt := cmdx.New(cmdx.Configuration{})
			rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) { heardBy.add("runtime hears %s", e.Task) })
			for _, t := range []cmdx.Task{&heardParent{}, &heardChild{}, &heardSibling{}, &doing{}} {
				rt.Execute(bg, t, nil)
			}
			Expect(heardBy.all()).To(Equal([]string{
				"parent hears heardParent", "runtime hears heardParent",
				"parent hears heardChild", "child hears heardChild", "runtime hears heardChild",
				"parent hears heardSibling", "runtime hears heardSibling",
				"runtime hears doing",
			}))
		})

		It("needs nobody on the runtime, and serves every runtime", func() {
			cmdx.New(cmdx.Configuration{}).Execute(bg, &heardParent{}, nil)
			cmdx.New(cmdx.Configuration{}).Execute(bg, &heardParent{}, nil)
			Expect(heardBy.all()).To(HaveLen(2))
		})
	})

	Context("with subscribers that misbehave", func() {
		It("that panic: the run goes on, the others hear, and it is logged", func() {
			log := &doLog{}
			rt := cmdx.New(cmdx.Configuration{Logger: log.logger()})
			heard := 0
			rt.Telemetry().Subscribe(cmdx.EventTaskStarted, func(cmdx.Event) { panic("visa-card") })
			rt.Telemetry().Subscribe(cmdx.EventTaskStarted, func(cmdx.Event) { heard++ })
			Expect(rt.Execute(bg, &doing{}, nil)).To(endSuccess())
			Expect(heard).To(Equal(1))
			Expect(log.lines()[0]).To(HaveKeyWithValue("level", "ERROR"))
			Expect(log.text()).NotTo(ContainSubstring("visa"))
		})

		It("that block: other runs and other subscriptions go on", func() {
			rt := cmdx.New(cmdx.Configuration{})
			first, blocked, release, done := make(chan bool, 1), make(chan bool), make(chan bool), make(chan bool)
			first <- true
			rt.Telemetry().Subscribe(cmdx.EventTaskStarted, func(cmdx.Event) {
				select {
				case <-first:
					close(blocked)
					<-release
				default:
				}
			})
			go func() { defer close(done); rt.Execute(bg, &doing{}, nil) }()
			<-blocked
			heard := 0
			unsubscribe := rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(cmdx.Event) { heard++ })
			rt.Execute(bg, &doing{}, nil)
			Expect(heard).To(Equal(1))
			unsubscribe()
			close(release)
			<-done
			Expect(heard).To(Equal(1))
		})

		It("that unsubscribe themselves inside are heard once", func() {
			rt := cmdx.New(cmdx.Configuration{})
			heard := &doTrack{}
			var unsubscribe func()
			unsubscribe = rt.Telemetry().Subscribe(cmdx.EventTaskStarted, func(cmdx.Event) { heard.add("first"); unsubscribe() })
			rt.Telemetry().Subscribe(cmdx.EventTaskStarted, func(cmdx.Event) { heard.add("second") })
			rt.Execute(bg, &doing{}, nil)
			rt.Execute(bg, &doing{}, nil)
			Expect(heard.all()).To(Equal([]string{"first", "second", "second"}))
		})

		It("that execute tasks inside get their result", func() {
			rt := cmdx.New(cmdx.Configuration{})
			var inside []*cmdx.Result
			rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) {
				if e.Task == "doing" {
					inside = append(inside, rt.Execute(bg, &heardSibling{}, e.Payload["result"]))
				}
			})
			rt.Execute(bg, &doing{}, cmdx.Args{"id": 7})
			Expect(inside).To(HaveLen(1))
			Expect(inside[0]).To(endSuccess())
			Expect(inside[0].IsRoot()).To(BeTrue())
			Expect(inside[0].Context().MustGet("id")).To(Equal(7))
		})

		It("that write to the payload write to a map of their own", func() {
			rt := cmdx.New(cmdx.Configuration{})
			var second any
			rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) { e.Payload["result"] = "mine" })
			rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) { second = e.Payload["result"] })
			r := rt.Execute(bg, &doing{}, nil)
			Expect(second).To(BeIdenticalTo(r))
		})

		for _, name := range []cmdx.EventName{cmdx.EventTaskStarted, cmdx.EventTaskExecuted} {
			It(fmt.Sprintf("that leave by runtime.Goexit at %s: the others hear, the result is told once, the chain is closed", name), func() {
				log := &doLog{}
				rt := cmdx.New(cmdx.Configuration{Logger: log.logger()})
				var results []*cmdx.Result
				rt.Telemetry().Subscribe(name, func(e cmdx.Event) {
					if !e.Root {
						runtime.Goexit()
					}
				})
				rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) { results = append(results, e.Payload["result"].(*cmdx.Result)) })
				var left context.Context
				Expect(doGoexit(func() {
					rt.Execute(bg, do(func(ctx context.Context, _ *doing) error {
						left = ctx
						cmdx.Execute(ctx, &heardSibling{}, nil)
						return nil
					}), nil)
				})).To(BeFalse())
				Expect(results).To(HaveLen(2))
				Expect(results[1].Chain().Results()).To(Equal([]*cmdx.Result{results[1], results[0]}))
				Expect(results[0].Index()).To(Equal(1))
				Expect(log.lines()).To(HaveLen(2))
				Expect(rt.Execute(left, &doing{}, nil).IsRoot()).To(BeTrue())
			})
		}
	})

	It("may be subscribed to while many executions go on", func() {
		rt := cmdx.New(cmdx.Configuration{})
		var running sync.WaitGroup
		for range 10 {
			running.Go(func() { rt.Execute(bg, &doing{}, nil) })
			running.Go(func() { rt.Telemetry().Subscribe(cmdx.EventTaskStarted, func(cmdx.Event) {})() })
		}
		running.Wait()
		Expect(rt.Telemetry().Wants(cmdx.EventTaskStarted)).To(BeFalse())
	})
})

var _ = Describe("Logging", func() {
	bg := context.Background()

	It("is silent by default", func() {
		log := &doLog{}
		before := slog.Default()
		slog.SetDefault(log.logger())
		defer slog.SetDefault(before)
		out, err := os.Stdout, os.Stderr
		read, write, failure := os.Pipe()
		Expect(failure).NotTo(HaveOccurred())
		os.Stdout, os.Stderr = write, write
		doRun(func(ctx context.Context, t *doing) error {
			t.Logger().Error("lost")
			cmdx.Execute(ctx, doReturn(errDeclined), nil).On("odd", nil)
			panic("boom")
		})
		os.Stdout, os.Stderr = out, err
		Expect(write.Close()).To(Succeed())
		printed := make([]byte, 100)
		n, _ := read.Read(printed)
		Expect(string(printed[:n])).To(BeEmpty())
		Expect(log.text()).To(BeEmpty())
	})

	It("is one INFO line per execution, the result as attributes", func() {
		log := &doLog{}
		rt := cmdx.New(cmdx.Configuration{Logger: log.logger()})
		var nested *cmdx.Result
		root := rt.Execute(bg, do(func(ctx context.Context, t *doing) error {
			nested = cmdx.Execute(ctx, do(func(_ context.Context, t *doing) error { return t.Skip("closed", cmdx.Metadata{"code": "shut"}) }), nil)
			return errDeclined
		}), cmdx.Args{"card": "visa-card"})
		lines := log.lines()
		Expect(lines).To(HaveLen(2))
		for i, r := range []*cmdx.Result{nested, root} {
			Expect(lines[i]).To(HaveKeyWithValue("level", "INFO"))
			attributes := lines[i]["result"].(map[string]any)
			Expect(attributes).To(HaveKeyWithValue("task", "doing"))
			Expect(attributes).To(HaveKeyWithValue("tid", r.TID()))
			Expect(attributes).To(HaveKeyWithValue("cid", root.CID()))
			Expect(attributes).To(HaveKeyWithValue("status", string(r.Status())))
			Expect(attributes).To(HaveKeyWithValue("state", "interrupted"))
			Expect(attributes).To(HaveKeyWithValue("reason", r.Reason()))
		}
		Expect(lines[1]["result"]).To(HaveKeyWithValue("cause", "card declined"))
		Expect(log.text()).To(ContainSubstring("shut"))
		Expect(log.text()).NotTo(ContainSubstring("visa"))
	})

	It("gives tasks a logger with their name and ids", func() {
		log := &doLog{}
		rt := cmdx.New(cmdx.Configuration{Logger: log.logger(), CorrelationID: func(context.Context) string { return "req-1" }})
		r := rt.Execute(bg, do(func(_ context.Context, t *doing) error { t.Logger().Info("charging"); return nil }), nil)
		Expect(log.lines()[0]).To(And(
			HaveKeyWithValue("msg", "charging"), HaveKeyWithValue("task", "doing"),
			HaveKeyWithValue("tid", r.TID()), HaveKeyWithValue("cid", r.CID()), HaveKeyWithValue("xid", "req-1"),
		))
	})

	It("changes no outcome when its handler panics", func() {
		rt := cmdx.New(cmdx.Configuration{Logger: slog.New(loudHandler{(&doLog{}).logger().Handler()})})
		r := rt.Execute(bg, doReturn(errDeclined), nil)
		Expect(errors.Is(r.Err(), errDeclined)).To(BeTrue())
	})
})
