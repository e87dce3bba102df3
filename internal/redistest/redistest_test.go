package redistest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// watched is a test that notes what is done to it instead of ending.
type watched struct {
	testing.TB
	skipped, failed []string
}

func (w *watched) Helper() {}

func (w *watched) Errorf(format string, args ...any) {
	w.failed = append(w.failed, fmt.Sprintf(format, args...))
}

func (w *watched) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	runtime.Goexit()
}

func (w *watched) Skipf(format string, args ...any) {
	w.skipped = append(w.skipped, fmt.Sprintf(format, args...))
	runtime.Goexit()
}

// watch runs f as a test does: on a goroutine that may be ended.
func watch(t *testing.T, f func(testing.TB)) *watched {
	w := &watched{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(w)
	}()
	<-done
	return w
}

func TestRequireFindsTheServer(t *testing.T) {
	if path := Require(t); !strings.Contains(path, "redis-server") {
		t.Errorf("got %q, want the path of redis-server", path)
	}
}

func TestRequireWithoutServer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct {
		variable        string
		skipped, failed int
	}{{"", 1, 0}, {"0", 1, 0}, {"1", 0, 1}} {
		t.Setenv(RequireVariable, c.variable)
		w := watch(t, func(t testing.TB) { Require(t) })
		if len(w.skipped) != c.skipped || len(w.failed) != c.failed {
			t.Errorf("%s=%q: skipped %q, failed %q", RequireVariable, c.variable, w.skipped, w.failed)
		}
		for _, text := range append(w.skipped, w.failed...) {
			if strings.Contains(text, "\n") || !strings.Contains(text, "redis-server") || !strings.Contains(text, RequireVariable) {
				t.Errorf("got %q, want one line that names redis-server and %s", text, RequireVariable)
			}
		}
	}
}
