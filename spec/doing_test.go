package spec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"github.com/onsi/gomega/types"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/cmdxtest"
)

// doing is a task whose Work is what a spec gives it.
type doing struct {
	cmdx.Base
	work func(context.Context, *doing) error
}

func (t *doing) Work(ctx context.Context) error {
	if t.work == nil {
		return nil
	}
	return t.work(ctx, t)
}

// do makes a task of its Work.
func do(work func(context.Context, *doing) error) *doing { return &doing{work: work} }

// doReturn makes a task that returns err.
func doReturn(err error) *doing {
	return do(func(context.Context, *doing) error { return err })
}

// doRun executes on a runtime of its own.
func doRun(work func(context.Context, *doing) error) *cmdx.Result {
	return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), do(work), nil)
}

// doGoexit runs f on a goroutine that f may end, and waits for its end. It
// tells whether f came back.
func doGoexit(f func()) (returned bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
		returned = true
	}()
	<-done
	return returned
}

// doLog is a logger and the lines that it has written.
type doLog struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *doLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *doLog) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func (l *doLog) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func (l *doLog) lines() (lines []map[string]any) {
	for line := range strings.Lines(l.text()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			panic(err)
		}
		lines = append(lines, m)
	}
	return lines
}

// doTrack is a list that several may write to.
type doTrack struct {
	mu   sync.Mutex
	list []string
}

func (t *doTrack) add(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, fmt.Sprintf(format, args...))
}

func (t *doTrack) all() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.list...)
}

// endSuccess and the like match results by status and, when one is given,
// reason.
func endSuccess(reason ...string) types.GomegaMatcher { return ended(cmdxtest.BeSuccess(), reason) }
func endSkipped(reason ...string) types.GomegaMatcher { return ended(cmdxtest.BeSkipped(), reason) }
func endFailed(reason ...string) types.GomegaMatcher  { return ended(cmdxtest.BeFailed(), reason) }

// endAs matches a result by its status and reason.
func endAs(status cmdx.Status, reason string) types.GomegaMatcher {
	switch status {
	case cmdx.StatusSuccess:
		return endSuccess(reason)
	case cmdx.StatusSkipped:
		return endSkipped(reason)
	}
	return endFailed(reason)
}

func ended(m cmdxtest.ResultMatcher, reason []string) types.GomegaMatcher {
	if len(reason) > 0 {
		return m.WithReason(reason[0])
	}
	return m
}
