package retry

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestWait(t *testing.T) {
	errGone := errors.New("gone")
	for _, row := range []struct {
		name  string
		pause time.Duration
		gone  time.Duration // when the caller goes; negative for never
		want  error
		took  time.Duration
	}{
		{"to its end", time.Minute, -1, nil, time.Minute},
		{"no pause", 0, -1, nil, 0},
		{"a negative pause", -time.Second, -1, nil, 0},
		{"the caller goes", time.Minute, time.Second, errGone, time.Second},
		{"the caller goes later", time.Minute, time.Hour, nil, time.Minute},
		{"the caller had gone", time.Minute, 0, errGone, 0},
		{"the caller had gone, no pause", 0, 0, errGone, 0},
		{"the longest pause", top, time.Hour, errGone, time.Hour},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				switch {
				case row.gone == 0:
					cancel(errGone)
				case row.gone > 0:
					defer time.AfterFunc(row.gone, func() { cancel(errGone) }).Stop()
				}
				start := time.Now()
				if err := Wait(ctx, row.pause); err != row.want {
					t.Errorf("%v, want %v", err, row.want)
				}
				if took := time.Since(start); took != row.took {
					t.Errorf("it took %v, want %v", took, row.took)
				}
			})
		})
	}
}

// silent ends by the clock without telling anybody, as a ctx does whose
// deadline falls together with the end of the pause.
type silent struct {
	context.Context
	end time.Time
}

func (silent) Done() <-chan struct{} { return nil }

func (s silent) Err() error {
	if time.Now().Before(s.end) {
		return nil
	}
	return context.DeadlineExceeded
}

func TestWaitLooksAtTheCtxAfterThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := silent{context.Background(), time.Now().Add(time.Second)}
		if err := Wait(ctx, time.Second-1); err != nil {
			t.Errorf("before the end: %v", err)
		}
		if err := Wait(ctx, 1); err != context.DeadlineExceeded {
			t.Errorf("together with the end: %v", err)
		}
	})
}

func TestWaitGivesADeadlinesOwnCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		errLate := errors.New("too late")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errLate)
		defer cancel()
		if err := Wait(ctx, time.Minute); err != errLate {
			t.Errorf("%v, want %v", err, errLate)
		}
	})
}
