package breaker

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// scope is an execution's place: nobody reads its events.
type scope struct{ log bytes.Buffer }

func (*scope) Subject() run.Task                        { return nil }
func (*scope) TaskName() string                         { return "Charge" }
func (*scope) LockedAbove(string) (string, bool)        { return "", false }
func (*scope) Wants(telemetry.EventName) bool           { return false }
func (*scope) Emit(telemetry.EventName, map[string]any) {}
func (s *scope) Log() *slog.Logger                      { return slog.New(slog.NewTextHandler(&s.log, nil)) }

type matcher func(error) bool

func (m matcher) Match(err error) bool { return m(err) }

func TestPart(t *testing.T) {
	away := errors.New("away")
	for _, row := range []struct {
		name  string
		state stores.BreakerState
		end   run.Ending
		want  stores.Part
	}{
		{"a success", stores.BreakerClosed, run.Ending{Call: run.CallSuccess}, stores.PartSuccess},
		{"a failure", stores.BreakerClosed, run.Ending{Call: run.CallFailure, Err: away}, stores.PartFailure},
		{"a failure that does not count", stores.BreakerClosed, run.Ending{Call: run.CallFailure, Err: errors.New("other")}, stores.PartNone},
		{"neither", stores.BreakerClosed, run.Ending{}, stores.PartNone},
		{"a probe's success", stores.BreakerHalfOpen, run.Ending{Call: run.CallSuccess}, stores.PartSuccess},
		{"a probe's failure", stores.BreakerHalfOpen, run.Ending{Call: run.CallFailure, Err: away}, stores.PartFailure},
		{"a probe's failure that does not count", stores.BreakerHalfOpen, run.Ending{Call: run.CallFailure, Err: errors.New("other")}, stores.PartRelease},
		{"a probe that is neither", stores.BreakerHalfOpen, run.Ending{}, stores.PartRelease},
		{"a success that was stepped over", "", run.Ending{Call: run.CallSuccess}, stores.PartRelease},
		{"a failure that was stepped over", "", run.Ending{Call: run.CallFailure, Err: away}, stores.PartRelease},
	} {
		g := NewGuard(Settings{}.With(run.PerTask, Options{CountIf: matcher(func(err error) bool { return err == away })}))
		e := &stores.Entry{Admission: stores.Admission{State: row.state}}
		if got := g.Part(&scope{}, e, row.end); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
}

func TestACountIfThatPanicsCountsAndSaysNothingOfTheValue(t *testing.T) {
	s := &scope{}
	g := NewGuard(Settings{}.With(run.PerTask, Options{CountIf: matcher(func(error) bool { panic("card 4711") })}))
	e := &stores.Entry{Key: "k", Admission: stores.Admission{State: stores.BreakerClosed}}
	if got := g.Part(s, e, run.Ending{Call: run.CallFailure, Err: errors.New("away")}); got != stores.PartFailure {
		t.Errorf("%s", got)
	}
	if log := s.log.String(); !strings.Contains(log, "CountIf panicked") || strings.Contains(log, "4711") {
		t.Errorf("logged %q", log)
	}
}

func TestARuleOfFailuresInARowHasNoWindow(t *testing.T) {
	count := NewGuard(Settings{}.With(run.PerTask)).(*Guard).rule
	if count.Threshold != 5 || count.FailureRate != 0 || count.Window != 0 || count.MinCalls != 0 {
		t.Errorf("%+v", count)
	}
	share := NewGuard(Settings{}.With(run.PerTask, Options{FailureRate: 0.5})).(*Guard).rule
	if share.Threshold != 0 || share.FailureRate != 0.5 || share.Window != DefaultWindow || share.MinCalls != DefaultMinCalls {
		t.Errorf("%+v", share)
	}
}
