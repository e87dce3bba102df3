package idempotency

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// scope is an execution's place: it wants some events, keeps what is emitted,
// and logs into a buffer.
type scope struct {
	t       *testing.T
	wants   []telemetry.EventName
	emitted []telemetry.EventName
	payload map[string]any
	log     *bytes.Buffer
}

func (*scope) Subject() run.Task { return nil }
func (*scope) TaskName() string  { return "Charge" }

func (*scope) LockedAbove(string) (string, bool) { return "", false }

func (s *scope) Wants(name telemetry.EventName) bool { return slices.Contains(s.wants, name) }

func (s *scope) Emit(name telemetry.EventName, payload map[string]any) {
	if !s.Wants(name) {
		s.t.Errorf("%s was built although nobody wants it", name)
	}
	s.emitted, s.payload = append(s.emitted, name), payload
}

func (s *scope) Log() *slog.Logger {
	if s.log == nil {
		return nil
	}
	return slog.New(slog.NewTextHandler(s.log, nil))
}

// keyed gives a key or an error, and counts how often it is asked.
type keyed struct {
	value any
	err   error
	asked int
}

func (k *keyed) Key(context.Context, run.Task) (any, error) {
	k.asked++
	return k.value, k.err
}

func guardOf(k run.KeyResolver, o Options) run.Guard { return NewGuard(Settings{}.With(k, o)) }

func TestPrepareMakesTheEntry(t *testing.T) {
	for _, row := range []struct {
		name    string
		options Options
		want    stores.Entry
	}{
		{"by default", Options{}, stores.Entry{Key: "cmdx:idem:Charge:7", TTL: DefaultTTL, Keep: DefaultTTL}},
		{"with two lifetimes", Options{TTL: time.Hour, ProcessingTTL: time.Minute}, stores.Entry{Key: "cmdx:idem:Charge:7", TTL: time.Minute, Keep: time.Hour}},
		{"in another namespace", Options{Namespace: "a:b"}, stores.Entry{Key: "a:b:Charge:7", TTL: DefaultTTL, Keep: DefaultTTL}},
		{"failing open", Options{OnStoreError: run.FailOpen}, stores.Entry{Key: "cmdx:idem:Charge:7", TTL: DefaultTTL, Keep: DefaultTTL, StepOver: true}},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.want.Kind = stores.KindClaim
			p, refusal, err := guardOf(&keyed{value: 7}, row.options).Prepare(t.Context(), &scope{t: t}, nil)
			if err != nil || refusal != nil || len(p) != 1 || p[0] != row.want {
				t.Errorf("%+v, %v, want %+v", p, err, row.want)
			}
		})
	}
}

func TestPrepareStepsAside(t *testing.T) {
	for _, row := range []struct {
		name  string
		o     Options
		value any
		asked int
		event bool
	}{
		{"If refuses", Options{If: run.Never}, 7, 0, false},
		{"Unless applies", Options{Unless: run.Always}, 7, 0, false},
		{"both", Options{If: run.Never, Unless: run.Always}, 7, 0, false},
		{"the key is blank", Options{}, "", 1, true},
		{"the key is nil", Options{}, nil, 1, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			k := &keyed{value: row.value}
			s := &scope{t: t, wants: []telemetry.EventName{telemetry.EventIdempotencyBlank}}
			p, refusal, err := guardOf(k, row.o).Prepare(t.Context(), s, nil)
			if err != nil || len(p) != 0 || refusal != nil {
				t.Errorf("%+v, %v", p, err)
			}
			if k.asked != row.asked || (len(s.emitted) == 1) != row.event {
				t.Errorf("the key was asked for %d times, emitted %v", k.asked, s.emitted)
			}
		})
	}
}

func TestPrepareRefusesABlankKey(t *testing.T) {
	s := &scope{t: t}
	p, refusal, err := guardOf(&keyed{}, Options{OnBlank: run.PolicyFail}).Prepare(t.Context(), s, nil)
	if err != nil || len(p) != 0 || refusal == nil {
		t.Fatalf("%+v, %v", p, err)
	}
	if refusal.Policy != run.PolicyFail || refusal.Metadata["code"] != "key_blank" {
		t.Errorf("%+v", refusal)
	}
}

func TestPrepareFails(t *testing.T) {
	away := errors.New("away")
	if _, _, err := guardOf(&keyed{err: away}, Options{}).Prepare(t.Context(), &scope{t: t}, nil); !errors.Is(err, away) {
		t.Errorf("the resolver's error became %v", err)
	}
	var refused *stores.SegmentError
	if _, _, err := guardOf(&keyed{value: []int{1}}, Options{}).Prepare(t.Context(), &scope{t: t}, nil); !errors.As(err, &refused) {
		t.Errorf("a slice as a key gives %v", err)
	}
}

func TestRefusedTellsTheDuplicate(t *testing.T) {
	for _, row := range []struct {
		options Options
		state   string
		want    run.Policy
	}{
		{Options{}, stores.ValueProcessing, run.PolicySkip},
		{Options{}, stores.ValueCompleted, run.PolicySkip},
		{Options{OnDuplicate: run.PolicyFail}, stores.ValueProcessing, run.PolicyFail},
		{Options{OnDuplicate: run.PolicyFail}, stores.ValueCompleted, run.PolicyFail},
		{Options{OnProcessing: run.PolicyFail}, stores.ValueProcessing, run.PolicyFail},
		{Options{OnProcessing: run.PolicyFail}, stores.ValueCompleted, run.PolicySkip},
		{Options{OnDuplicate: run.PolicyFail, OnProcessing: run.PolicySkip}, stores.ValueProcessing, run.PolicySkip},
		{Options{OnDuplicate: run.PolicyFail, OnProcessing: run.PolicySkip}, stores.ValueCompleted, run.PolicyFail},
	} {
		s := &scope{t: t, wants: []telemetry.EventName{telemetry.EventIdempotencyDuplicate}}
		r := guardOf(&keyed{}, row.options).Refused(s, &stores.Entry{Key: "n:T:7"}, stores.Entered{State: row.state})
		metadata := map[string]any{"code": "duplicate", "idempotency_key": "n:T:7", "state": row.state}
		if r.Policy != row.want || !reflect.DeepEqual(r.Metadata, metadata) {
			t.Errorf("%+v, %s: %+v", row.options, row.state, r)
		}
		if !strings.Contains(r.Reason, "duplicate") || !strings.Contains(r.Reason, "state="+row.state) {
			t.Errorf("the reason %q does not tell of a duplicate and its state", r.Reason)
		}
		if !reflect.DeepEqual(s.payload, metadata) {
			t.Errorf("the event tells %v, the metadata %v", s.payload, metadata)
		}
		s.payload["code"] = "spoiled"
		if r.Metadata["code"] != "duplicate" {
			t.Error("event and metadata share a map")
		}
	}
}

func TestPart(t *testing.T) {
	g := guardOf(&keyed{}, Options{})
	s, e := &scope{t: t}, &stores.Entry{}
	if g.Part(s, e, run.Ending{Succeeded: true}) != stores.PartComplete || g.Part(s, e, run.Ending{}) != stores.PartRelease {
		t.Error("a success completes, anything else releases")
	}
}

func TestLeftTellsWhatBecameOfTheClaim(t *testing.T) {
	away := errors.New("away")
	all := []telemetry.EventName{
		telemetry.EventIdempotencyCompleted, telemetry.EventIdempotencyLost,
		telemetry.EventIdempotencyCompletionFailed, telemetry.EventIdempotencyReleaseFailed,
	}
	for _, row := range []struct {
		part   stores.Part
		answer stores.Answer
		event  telemetry.EventName
		warns  bool
	}{
		{stores.PartComplete, stores.Answer{Outcome: stores.OutcomeDone}, telemetry.EventIdempotencyCompleted, false},
		{stores.PartRelease, stores.Answer{Outcome: stores.OutcomeDone}, "", false},
		{stores.PartComplete, stores.Answer{Outcome: stores.OutcomeLost}, telemetry.EventIdempotencyLost, true},
		{stores.PartRelease, stores.Answer{Outcome: stores.OutcomeLost}, telemetry.EventIdempotencyLost, true},
		{stores.PartComplete, stores.Answer{Outcome: stores.OutcomeError, Err: away}, telemetry.EventIdempotencyCompletionFailed, true},
		{stores.PartRelease, stores.Answer{Outcome: stores.OutcomeError, Err: away}, telemetry.EventIdempotencyReleaseFailed, true},
	} {
		entry := &stores.Entry{Key: "n:T:7", Part: row.part}
		for _, wants := range [][]telemetry.EventName{all, nil} {
			for _, log := range []*bytes.Buffer{nil, {}} {
				s := &scope{t: t, wants: wants, log: log}
				guardOf(&keyed{}, Options{}).Left(s, entry, row.answer)
				var want []telemetry.EventName
				if row.event != "" && wants != nil {
					want = []telemetry.EventName{row.event}
				}
				if !slices.Equal(s.emitted, want) {
					t.Errorf("%v, %v: emitted %v, want %v", row.part, row.answer, s.emitted, want)
				}
				if want != nil && (s.payload["idempotency_key"] != "n:T:7" || s.payload["error"] != any(row.answer.Err)) {
					t.Errorf("%v, %v: the event tells %v", row.part, row.answer, s.payload)
				}
				if log != nil && strings.Contains(log.String(), "n:T:7") != row.warns {
					t.Errorf("%v, %v: logged %q", row.part, row.answer, log)
				}
			}
		}
	}
}

func TestNothingIsBuiltForEventsThatNobodyWants(t *testing.T) {
	s := &scope{t: t} // an Emit is an error
	g := guardOf(&keyed{}, Options{})
	entry := &stores.Entry{Key: "n:T:7", Part: stores.PartComplete}
	done := stores.Answer{Outcome: stores.OutcomeDone}
	if _, _, err := g.Prepare(t.Context(), s, nil); err != nil {
		t.Error(err)
	}
	g.Refused(s, entry, stores.Entered{State: stores.ValueCompleted})
	allocations := testing.AllocsPerRun(100, func() {
		g.Entered(s, entry)
		g.Left(s, entry, done)
	})
	if allocations != 0 {
		t.Errorf("claimed and completed cost %v allocations without a subscriber", allocations)
	}
}

func TestTraits(t *testing.T) {
	want := run.Traits{
		Step: "idempotency claim", Holds: "claim", KeyName: "idempotency_key",
		Asks: "whether the claim is free", StoreFailed: telemetry.EventIdempotencyStoreFailed, Renew: true, Most: 1, Settle: run.AfterPipeline,
	}
	if got := *guardOf(&keyed{}, Options{Renew: run.On}).Traits(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
