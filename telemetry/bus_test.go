package telemetry_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"runtime"
	"strconv"
	"sync"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx/telemetry"
)

const started = telemetry.EventTaskStarted

func TestNamesListsEveryConstant(t *testing.T) {
	g := NewWithT(t)
	file, err := parser.ParseFile(token.NewFileSet(), "names.go", nil, 0)
	g.Expect(err).NotTo(HaveOccurred())
	var declared []telemetry.EventName
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for _, value := range spec.Values {
				name, err := strconv.Unquote(value.(*ast.BasicLit).Value)
				g.Expect(err).NotTo(HaveOccurred())
				declared = append(declared, telemetry.EventName(name))
			}
		}
		return true
	})
	g.Expect(declared).NotTo(BeEmpty())
	g.Expect(telemetry.Names()).To(Equal(declared))
	telemetry.Names()[0] = "changed"
	g.Expect(telemetry.Names()).To(Equal(declared))
}

func TestSubscribersAreCalledInOrder(t *testing.T) {
	g := NewWithT(t)
	var bus telemetry.Bus
	var calls []string
	first := bus.Subscribe(started, func(e telemetry.Event) { calls = append(calls, "first "+e.Task) })
	bus.Subscribe(started, func(telemetry.Event) { calls = append(calls, "second") })
	bus.Subscribe(telemetry.EventTaskExecuted, func(telemetry.Event) { calls = append(calls, "other") })
	bus.Publish(telemetry.Event{Name: started, Task: "T"}, nil)
	first()
	first()
	bus.Publish(telemetry.Event{Name: started}, nil)
	g.Expect(calls).To(Equal([]string{"first T", "second", "second"}))
}

func TestOneFunctionSubscribedTwice(t *testing.T) {
	g := NewWithT(t)
	var bus telemetry.Bus
	calls := 0
	f := func(telemetry.Event) { calls++ }
	once := bus.Subscribe(started, f)
	bus.Subscribe(started, f)
	once()
	once()
	bus.Publish(telemetry.Event{Name: started}, nil)
	g.Expect(calls).To(Equal(1))
}

func TestWants(t *testing.T) {
	g := NewWithT(t)
	var bus telemetry.Bus
	g.Expect(bus.Wants(started)).To(BeFalse())
	end := bus.Subscribe(started, func(telemetry.Event) {})
	g.Expect(bus.Wants(started)).To(BeTrue())
	g.Expect(bus.Wants(telemetry.EventTaskExecuted)).To(BeFalse())
	if n := testing.AllocsPerRun(100, func() { bus.Wants(started) }); n != 0 {
		t.Errorf("Wants allocates %v times", n)
	}
	end()
	g.Expect(bus.Wants(started)).To(BeFalse())
}

func TestWhatSubscribesNothing(t *testing.T) {
	g := NewWithT(t)
	var bus, none = telemetry.Bus{}, (*telemetry.Bus)(nil)
	bus.Subscribe(started, nil)()
	bus.Subscribe("", func(telemetry.Event) { t.Error("called") })()
	none.Subscribe(started, func(telemetry.Event) { t.Error("called") })()
	none.Publish(telemetry.Event{Name: started}, nil)
	bus.Publish(telemetry.Event{}, nil)
	g.Expect(bus.Wants(started)).To(BeFalse())
	g.Expect(bus.Wants("")).To(BeFalse())
	g.Expect(none.Wants(started)).To(BeFalse())
}

func TestEachSubscriberHasAPayloadOfItsOwn(t *testing.T) {
	g := NewWithT(t)
	given := map[string]any{"attempt": 1}
	change := func(e telemetry.Event) {
		g.Expect(e.Payload).To(Equal(map[string]any{"attempt": 1}))
		e.Payload["attempt"] = 2
	}
	telemetry.Deliver([]func(telemetry.Event){change, nil, change}, telemetry.Event{Payload: given}, nil)
	g.Expect(given).To(Equal(map[string]any{"attempt": 1}))
	telemetry.Deliver([]func(telemetry.Event){func(e telemetry.Event) { e.Payload["x"] = 1 }}, telemetry.Event{}, func(err error) { t.Error(err) })
}

func TestAPanicIsReportedAndTheNextStillRun(t *testing.T) {
	g := NewWithT(t)
	var reported []error
	calls := 0
	secret := fmt.Errorf("secret: %w", io.EOF)
	telemetry.Deliver([]func(telemetry.Event){
		func(telemetry.Event) { panic(secret) },
		func(telemetry.Event) { panic("secret") },
		func(telemetry.Event) { panic(nil) },
		func(telemetry.Event) { calls++ },
	}, telemetry.Event{Name: started}, func(err error) { reported = append(reported, err); panic("report") })
	g.Expect(calls).To(Equal(1))
	g.Expect(reported).To(HaveLen(3))
	for _, err := range reported {
		var failed *telemetry.SubscriberError
		g.Expect(errors.As(err, &failed)).To(BeTrue())
		g.Expect(failed.Event).To(Equal(started))
		g.Expect(string(failed.Stack)).To(ContainSubstring("bus_test.go"))
		g.Expect(err.Error()).To(And(ContainSubstring("task_started"), Not(ContainSubstring("secret"))))
	}
	g.Expect(errors.Is(reported[0], io.EOF)).To(BeTrue())
	g.Expect(errors.Unwrap(reported[1])).To(BeNil())

	telemetry.Deliver([]func(telemetry.Event){func(telemetry.Event) { panic("quiet") }}, telemetry.Event{}, nil)
}

func TestGoexitKeepsNobodyFromBeingCalled(t *testing.T) {
	g := NewWithT(t)
	var calls []int
	leave := func(n int) func(telemetry.Event) {
		return func(telemetry.Event) { calls = append(calls, n); runtime.Goexit() }
	}
	done, returned := make(chan struct{}), false
	go func() {
		defer close(done)
		telemetry.Deliver([]func(telemetry.Event){
			leave(1), leave(2), func(telemetry.Event) { calls = append(calls, 3); panic("x") }, leave(4),
			func(telemetry.Event) { calls = append(calls, 5) },
		}, telemetry.Event{}, nil)
		returned = true
	}()
	<-done
	g.Expect(calls).To(Equal([]int{1, 2, 3, 4, 5}))
	g.Expect(returned).To(BeFalse(), "Goexit is let through")
}

func TestChangesInsideACall(t *testing.T) {
	g := NewWithT(t)
	var bus telemetry.Bus
	var calls []string
	var endSelf, endNext func()
	endSelf = bus.Subscribe(started, func(e telemetry.Event) {
		calls = append(calls, "self")
		endSelf()
		endNext()
		bus.Subscribe(started, func(telemetry.Event) { calls = append(calls, "new") })
		bus.Publish(telemetry.Event{Name: telemetry.EventTaskExecuted}, nil)
	})
	endNext = bus.Subscribe(started, func(telemetry.Event) { calls = append(calls, "next") })
	bus.Subscribe(telemetry.EventTaskExecuted, func(telemetry.Event) { calls = append(calls, "nested") })
	bus.Publish(telemetry.Event{Name: started}, nil)
	g.Expect(calls).To(Equal([]string{"self", "nested", "next"}), "the list is the one that stood at the start")
	calls = nil
	bus.Publish(telemetry.Event{Name: started}, nil)
	g.Expect(calls).To(Equal([]string{"new"}))
}

func TestBusFromManyGoroutines(t *testing.T) {
	var bus telemetry.Bus
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				end := bus.Subscribe(started, func(telemetry.Event) {})
				bus.Publish(telemetry.Event{Name: started}, nil)
				bus.Wants(started)
				end()
			}
		})
	}
	wg.Wait()
	NewWithT(t).Expect(bus.Wants(started)).To(BeFalse())
}
