package spec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/cmdx-go/cmdx"
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

// end matches results by status and, when one is given, reason.
type end struct {
	status cmdx.Status
	reason []string
}

func endSuccess(reason ...string) types.GomegaMatcher { return end{cmdx.StatusSuccess, reason} }
func endSkipped(reason ...string) types.GomegaMatcher { return end{cmdx.StatusSkipped, reason} }
func endFailed(reason ...string) types.GomegaMatcher  { return end{cmdx.StatusFailed, reason} }

func (m end) Match(actual any) (bool, error) {
	r, ok := actual.(*cmdx.Result)
	if !ok || r == nil {
		return false, fmt.Errorf("expected a *cmdx.Result, got %T", actual)
	}
	return r.Status() == m.status && (len(m.reason) == 0 || r.Reason() == m.reason[0]), nil
}

func (m end) text() string {
	if len(m.reason) == 0 {
		return string(m.status)
	}
	return fmt.Sprintf("%s, reason %q", m.status, m.reason[0])
}

func (m end) FailureMessage(actual any) string {
	return fmt.Sprintf("Expected the result\n    %v\nto be %s", actual, m.text())
}

func (m end) NegatedFailureMessage(actual any) string {
	return fmt.Sprintf("Expected the result\n    %v\nnot to be %s", actual, m.text())
}

var _ = Describe("The matchers of results", func() {
	failure := func(m types.GomegaMatcher, actual any) string {
		ok, err := m.Match(actual)
		Expect(err).NotTo(HaveOccurred())
		Expect(ok).To(BeFalse())
		return m.FailureMessage(actual)
	}

	It("show the whole result when they fail", func() {
		r := doRun(func(_ context.Context, t *doing) error { return t.Skip("closed", cmdx.Metadata{"code": "shut"}) })
		text := failure(endSuccess(), r)
		Expect(text).To(ContainSubstring(r.String()))
		Expect(text).To(HaveSuffix("to be success"))
		Expect(failure(endSkipped("open"), r)).To(HaveSuffix(`to be skipped, reason "open"`))
	})

	It("refuse what is no result", func() {
		_, err := endFailed().Match("failed")
		Expect(err).To(MatchError("expected a *cmdx.Result, got string"))
	})
})
