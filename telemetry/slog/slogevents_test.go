package slogevents_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx/telemetry"
	slogevents "github.com/cmdx-go/cmdx/telemetry/slog"
)

// outcome stands for a result: it has a log value and much else.
type outcome struct{ Secret string }

func (outcome) LogValue() slog.Value { return slog.GroupValue(slog.String("status", "failed")) }

// loud is an error whose text cannot be had.
type loud struct{}

func (loud) Error() string { panic("no text") }

func logged(t *testing.T, level slog.Leveler, options ...slogevents.Option) (*telemetry.Bus, func() []map[string]any) {
	var out bytes.Buffer
	bus := &telemetry.Bus{}
	stop := slogevents.Subscribe(bus, slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: level})), options...)
	t.Cleanup(stop)
	return bus, func() (lines []map[string]any) {
		for line := range strings.Lines(out.String()) {
			var m map[string]any
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, m)
		}
		out.Reset()
		return lines
	}
}

func TestALineTellsTheEventWithTypedAttributes(t *testing.T) {
	g := NewWithT(t)
	bus, lines := logged(t, slog.LevelDebug)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	bus.Publish(telemetry.Event{
		Name: telemetry.EventTaskRetried, Task: "Charge", Type: "Task", TID: "t", CID: "c", XID: "x", Root: true, Time: at,
		Payload: map[string]any{
			"attempt": 1, "delay": time.Second, "ok": true, "share": 0.5, "text": "a", "error": errors.New("declined"),
			"result": outcome{"hunter2"}, "bag": map[string]any{"secret": "hunter2"}, "list": []string{"hunter2"}, "odd": outcomes{"hunter2"},
		},
	}, nil)
	g.Expect(lines()).To(Equal([]map[string]any{{
		"time": "2026-01-02T03:04:05Z", "level": "WARN", "msg": "task_retried",
		"task": "Charge", "type": "Task", "tid": "t", "cid": "c", "xid": "x", "root": true,
		"attempt": 1.0, "delay": 1e9, "ok": true, "share": 0.5, "text": "a", "error": "declined",
		"result": map[string]any{"status": "failed"},
	}}))
}

type outcomes []string

func TestEveryEventIsWrittenAtItsLevel(t *testing.T) {
	g := NewWithT(t)
	bus, lines := logged(t, slog.LevelDebug)
	for _, name := range telemetry.Names() {
		bus.Publish(telemetry.Event{Name: name}, nil)
	}
	written := map[string]string{}
	for _, line := range lines() {
		written[line["msg"].(string)] = line["level"].(string)
	}
	g.Expect(written).To(HaveLen(len(telemetry.Names())))
	for name, level := range map[string]string{
		"task_started": "DEBUG", "task_executed": "INFO", "task_retried": "WARN", "idempotency_claimed": "DEBUG",
		"idempotency_completed": "DEBUG", "idempotency_duplicate": "INFO", "idempotency_lost": "WARN",
		"idempotency_completion_failed": "ERROR", "idempotency_store_failed": "ERROR", "idempotency_blank": "INFO",
	} {
		g.Expect(written[name]).To(Equal(level), name)
	}
}

func TestChosenEventsAndLevels(t *testing.T) {
	g := NewWithT(t)
	publish := func(bus *telemetry.Bus) {
		for _, name := range []telemetry.EventName{telemetry.EventTaskStarted, telemetry.EventTaskRetried, telemetry.EventTaskExecuted} {
			bus.Publish(telemetry.Event{Name: name}, nil)
		}
	}
	told := func(level slog.Leveler, options ...slogevents.Option) (words []string) {
		bus, lines := logged(t, level, options...)
		publish(bus)
		for _, line := range lines() {
			words = append(words, line["msg"].(string)+" "+line["level"].(string))
		}
		return words
	}
	g.Expect(told(slog.LevelDebug, slogevents.Only(telemetry.EventTaskRetried, telemetry.EventTaskRetried))).To(Equal([]string{"task_retried WARN"}))
	g.Expect(told(slog.LevelDebug, slogevents.Except(telemetry.EventTaskRetried))).To(Equal([]string{"task_started DEBUG", "task_executed INFO"}))
	g.Expect(told(slog.LevelInfo)).To(Equal([]string{"task_retried WARN", "task_executed INFO"}))
	g.Expect(told(slog.LevelInfo, slogevents.Level(slog.LevelError, telemetry.EventTaskStarted), nil)).To(
		Equal([]string{"task_started ERROR", "task_retried WARN", "task_executed INFO"}))
	g.Expect(told(slog.LevelInfo, slogevents.Level(slog.LevelDebug), slogevents.Level(nil))).To(BeEmpty())
}

func TestALevelThatChangesIsAskedEachTime(t *testing.T) {
	g := NewWithT(t)
	var level slog.LevelVar
	bus, lines := logged(t, slog.LevelInfo, slogevents.Level(&level, telemetry.EventTaskStarted))
	level.Set(slog.LevelDebug)
	bus.Publish(telemetry.Event{Name: telemetry.EventTaskStarted}, nil)
	g.Expect(lines()).To(BeEmpty())
	level.Set(slog.LevelWarn)
	bus.Publish(telemetry.Event{Name: telemetry.EventTaskStarted}, nil)
	g.Expect(lines()).To(HaveLen(1))
}

func TestItStopsAndMayStopTwice(t *testing.T) {
	g := NewWithT(t)
	var out bytes.Buffer
	bus := &telemetry.Bus{}
	stop := slogevents.Subscribe(bus, slog.New(slog.NewTextHandler(&out, nil)))
	stop()
	stop()
	bus.Publish(telemetry.Event{Name: telemetry.EventTaskExecuted}, nil)
	g.Expect(out.String()).To(BeEmpty())
	for _, name := range telemetry.Names() {
		g.Expect(bus.Wants(name)).To(BeFalse())
	}
}

func TestWhatWritesNothing(t *testing.T) {
	g := NewWithT(t)
	bus := &telemetry.Bus{}
	slogevents.Subscribe(bus, nil)()
	slogevents.Subscribe(nil, slog.Default())()
	g.Expect(bus.Wants(telemetry.EventTaskExecuted)).To(BeFalse())
}

func TestTextsThatPanicDoNoHarm(t *testing.T) {
	g := NewWithT(t)
	bus, lines := logged(t, slog.LevelDebug)
	bus.Publish(telemetry.Event{Name: telemetry.EventTaskRetried, Payload: map[string]any{"error": loud{}}}, func(err error) { t.Error(err) })
	g.Expect(lines()).To(HaveLen(1))
}

// fullDisk is a handler that cannot write.
type fullDisk struct{ slog.Handler }

func (fullDisk) Handle(context.Context, slog.Record) error { panic("disk full") }

func TestAHandlerThatPanicsIsReportedAsASubscriber(t *testing.T) {
	g := NewWithT(t)
	bus := &telemetry.Bus{}
	slogevents.Subscribe(bus, slog.New(fullDisk{slog.DiscardHandler}), slogevents.Level(slog.LevelError))
	var reported error
	bus.Publish(telemetry.Event{Name: telemetry.EventTaskStarted}, func(err error) { reported = err })
	g.Expect(reported).To(BeNil(), "the discarding handler is not enabled")

	slogevents.Subscribe(bus, slog.New(fullDisk{slog.NewTextHandler(&bytes.Buffer{}, nil)}), slogevents.Level(slog.LevelError))
	bus.Publish(telemetry.Event{Name: telemetry.EventTaskStarted}, func(err error) { reported = err })
	var failed *telemetry.SubscriberError
	g.Expect(errors.As(reported, &failed)).To(BeTrue())
}
