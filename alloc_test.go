package cmdx_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx"
)

// allocs counts the allocations of one execution.
func allocs(t *testing.T, rt *cmdx.Runtime, template func() cmdx.Task) float64 {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector allocates on its own")
	}
	ctx := context.Background()
	return testing.AllocsPerRun(1000, func() {
		if r := rt.Execute(ctx, template(), nil); !r.IsSuccess() {
			t.Fatal(r)
		}
	})
}

func bareAllocs(t *testing.T) float64 {
	task := &bareTask{}
	return allocs(t, cmdx.New(cmdx.Configuration{}), func() cmdx.Task { return task })
}

func TestABareRunTakesThreeAllocationsAtMost(t *testing.T) {
	if n := bareAllocs(t); n > 3 {
		t.Errorf("%v allocations", n)
	}
}

func TestABareRunTakes450BytesAtMost(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates on its own")
	}
	if n := testing.Benchmark(BenchmarkBareTask).AllocedBytesPerOp(); n > 450 {
		t.Errorf("%d bytes", n)
	}
}

func TestAnIdempotentRunWithANewKeyTakesNineAllocationsAtMost(t *testing.T) {
	// Made beforehand: keys and templates are the caller's.
	templates := make([]onceTask, 1100)
	for i := range templates {
		templates[i].ID = "pay_" + strconv.Itoa(i)
	}
	next := 0
	n := allocs(t, cmdx.New(cmdx.Configuration{}), func() cmdx.Task {
		next++
		return &templates[next]
	})
	if n > 9 {
		t.Errorf("%v allocations", n)
	}
}

// guardedTask has one of each guard.
type guardedTask struct {
	cmdx.Base
	ID string
}

func (*guardedTask) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{Limit: 1_000_000, Per: time.Second})
	c.CircuitBreaker(nil)
	c.LimitConcurrency(cmdx.PerTask, cmdx.Concurrency{Limit: 8})
	c.LockWith(cmdx.KeyFunc((*guardedTask).key))
	c.IdempotentBy(cmdx.KeyFunc((*guardedTask).key))
}

func (t *guardedTask) key() string              { return t.ID }
func (*guardedTask) Work(context.Context) error { return nil }

func TestARunWithAllGuardsTakesTwentyAllocationsAtMost(t *testing.T) {
	templates := make([]guardedTask, 1100)
	for i := range templates {
		templates[i].ID = "pay_" + strconv.Itoa(i)
	}
	next := 0
	n := allocs(t, cmdx.New(cmdx.Configuration{}), func() cmdx.Task {
		next++
		return &templates[next]
	})
	if n > 20 {
		t.Errorf("%v allocations", n)
	}
}

func TestDeclaredRetriesCostNothing(t *testing.T) {
	task := &retriedTask{}
	n := allocs(t, cmdx.New(cmdx.Configuration{}), func() cmdx.Task { return task })
	if bare := bareAllocs(t); n != bare {
		t.Errorf("%v allocations, a bare run takes %v", n, bare)
	}
}

func TestEventsThatNobodyReadsCostNothing(t *testing.T) {
	rt := cmdx.New(cmdx.Configuration{})
	task := &bareTask{}
	bare := allocs(t, rt, func() cmdx.Task { return task })
	// Somebody reads another event, and somebody has stopped reading.
	rt.Telemetry().Subscribe(cmdx.EventTaskRetried, func(cmdx.Event) {})
	for _, name := range []cmdx.EventName{cmdx.EventTaskStarted, cmdx.EventTaskExecuted} {
		rt.Telemetry().Subscribe(name, func(cmdx.Event) {})()
	}
	if n := allocs(t, rt, func() cmdx.Task { return task }); n != bare {
		t.Errorf("%v allocations, %v before anybody subscribed", n, bare)
	}
	rt.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(cmdx.Event) {})
	if n := allocs(t, rt, func() cmdx.Task { return task }); n <= bare {
		t.Errorf("%v allocations with a reader: the measurement sees nothing", n)
	}
}

func TestIDsThatNobodyReadsCostNothing(t *testing.T) {
	rt := cmdx.New(cmdx.Configuration{})
	task := &bareTask{}
	bare := bareAllocs(t)
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() { rt.Execute(ctx, task, nil).TID() }); n <= bare {
		t.Errorf("%v allocations with an id, %v without: it is made before it is read", n, bare)
	}
}
