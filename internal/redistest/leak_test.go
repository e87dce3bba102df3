package redistest

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// leavesNothing checks, after all other clean-up, that no goroutine is left.
// Call it first.
func leavesNothing(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { goleak.VerifyNone(t) })
}

// receiveBound is how long a test waits for what must happen.
const receiveBound = 30 * time.Second

// receive takes the next value of an announcement.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(receiveBound):
		t.Fatalf("nothing was announced within %s", receiveBound)
		panic("unreachable")
	}
}

// nothingIn checks that nothing was announced so far.
func nothingIn[T any](t *testing.T, from <-chan T) {
	t.Helper()
	select {
	case got := <-from:
		t.Errorf("%v was announced, want nothing", got)
	default:
	}
}
