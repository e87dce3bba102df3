package task

import (
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func deep(n int, f func() bool) bool {
	if n == 0 {
		return f()
	}
	return deep(n-1, f)
}

func TestInsideConfigureAtAnyDepth(t *testing.T) {
	for _, depth := range []int{0, 10, 60, 61, 62, 63, 64, 65, 255, 256, 257, 5000} {
		if deep(depth, insideConfigure) {
			t.Errorf("at depth %d the code seems to be inside a Configure", depth)
		}
		var inside bool
		shielded(func() { inside = deep(depth, insideConfigure) })
		if !inside {
			t.Errorf("at depth %d the code seems to be outside of a Configure", depth)
		}
	}
}

func TestAnotherGoroutineIsOutside(t *testing.T) {
	inside := true
	shielded(func() {
		var other sync.WaitGroup
		other.Go(func() { inside = insideConfigure() })
		other.Wait()
	})
	if inside {
		t.Error("a goroutine that a Configure started counts as the Configure")
	}
}

func TestShieldedTellsWhatHappened(t *testing.T) {
	failure, site := shielded(func() { panic("here") })
	if failure != "here" || !regexp.MustCompile(`^caller_test\.go:\d+$`).MatchString(filepath.Base(site)) {
		t.Errorf("a panic gives %v at %q", failure, site)
	}
	var nothing *struct{ n int }
	failure, site = shielded(func() { _ = nothing.n })
	if err, ok := failure.(error); !ok || !isNilDereference(err) || !strings.Contains(site, "caller_test.go:") {
		t.Errorf("reading nil gives %v at %q", failure, site)
	}
	if failure, site = shielded(func() { runtime.Goexit() }); failure != (exited{}) || site != "" {
		t.Errorf("Goexit gives %v at %q", failure, site)
	}
	if failure, site = shielded(func() {}); failure != nil || site != "" {
		t.Errorf("nothing gives %v at %q", failure, site)
	}
	if building.Load() != 0 {
		t.Errorf("%d definitions are still being built", building.Load())
	}
}

func TestPanicSiteKeepsBlanksInPaths(t *testing.T) {
	stack := "goroutine 1 [running]:\nruntime/debug.Stack()\n\t/go/stack.go:26 +0x5e\nx.shielded.func1.1()\n\t/x.go:1 +0x1\npanic({0x1?, 0x2?})\n\t/go/panic.go:860 +0x1\nmy.Configure(...)\n\t/my app/task.go:12 +0x1d\n"
	if got := panicSite([]byte(stack)); got != "/my app/task.go:12" {
		t.Errorf("the site is %q", got)
	}
}

type (
	freshParent struct{ Base }
	freshTask   struct{ freshParent }
)

var freshRuns struct {
	sync.Mutex
	parent, task int
}

func (*freshParent) Configure(c *Config) {
	freshRuns.Lock()
	defer freshRuns.Unlock()
	freshRuns.parent++
	c.Tags("parent")
}

func (*freshTask) Configure(c *Config) {
	freshRuns.Lock()
	defer freshRuns.Unlock()
	freshRuns.task++
	c.Tags("task")
}

func TestAThousandFirstCallsBuildOnce(t *testing.T) {
	for _, fresh := range []reflect.Type{reflect.TypeFor[freshParent](), reflect.TypeFor[freshTask]()} {
		definitions.Delete(fresh)
		lineages.Delete(fresh)
	}
	freshRuns.parent, freshRuns.task = 0, 0
	start := make(chan struct{})
	var callers sync.WaitGroup
	seen := make([]*Definition, 1000)
	for i := range seen {
		callers.Go(func() {
			<-start
			if i%2 == 1 {
				definitionOf(reflect.TypeFor[freshParent]())
			}
			seen[i] = definitionOf(reflect.TypeFor[freshTask]())
		})
	}
	close(start)
	callers.Wait()
	for _, d := range seen {
		if d != seen[0] {
			t.Fatal("two callers have two definitions")
		}
	}
	if freshRuns.parent != 1 || freshRuns.task != 1 {
		t.Errorf("the parent's Configure ran %d times, the task's %d times", freshRuns.parent, freshRuns.task)
	}
	if got := seen[0].TagList(); !reflect.DeepEqual(got, []string{"parent", "task"}) {
		t.Errorf("the tags are %q", got)
	}
}

func TestNotAStructTellsWhatATaskIs(t *testing.T) {
	m := mistakeNotAStruct("x.Number")
	if m.Task != "x.Number" || m.Anchor != "not-a-struct" || !strings.Contains(m.Error(), "embeds cmdx.Base") || !strings.Contains(m.Fix, "Embed cmdx.Base by value") {
		t.Errorf("the error is %v", m)
	}
}
