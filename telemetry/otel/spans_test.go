package cmdxotel_test

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/gomega"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/cmdxtest"
	"github.com/cmdx-go/cmdx/inputs"
	cmdxotel "github.com/cmdx-go/cmdx/telemetry/otel"
)

func TestASuccessIsASpanWithoutStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rig := newRig(t, func(c *cmdx.Configuration) { c.CorrelationID = func(context.Context) string { return "req-1" } })
		began := time.Now()
		r := rig.run(&charge{doing{Do: func(context.Context, *doing) error { time.Sleep(time.Second); return nil }}}, cmdx.Args{"payment_id": "pay_1"})
		s := rig.span("billing.Charge")
		rig.g.Expect(s.Status.Code).To(Equal(codes.Unset))
		rig.g.Expect(s.SpanKind).To(Equal(trace.SpanKindInternal))
		rig.g.Expect(s.StartTime).To(BeTemporally("==", began))
		rig.g.Expect(s.EndTime).To(BeTemporally("==", began.Add(time.Second)))
		rig.g.Expect(s.Parent.IsValid()).To(BeFalse())
		rig.g.Expect(has(s.Attributes)).To(Equal(map[string]any{
			"cmdx.task.name": "billing.Charge", "cmdx.task.type": "Task", "cmdx.task.tags": []string{"billing", "money"},
			"cmdx.tid": r.TID(), "cmdx.cid": r.CID(), "cmdx.xid": "req-1", "cmdx.root": true, "cmdx.strict": false,
			"cmdx.status": "success", "cmdx.retries": int64(0),
		}))
		rig.g.Expect(happened(s)).To(Equal([]string{"idempotency_claimed", "idempotency_completed"}))
		rig.g.Expect(event(s, "idempotency_claimed")).To(Equal(map[string]any{"cmdx.idempotency_key": "cmdx:idem:billing.Charge:pay_1"}))
	})
}

func TestASkipLeavesTheStatusUnset(t *testing.T) {
	rig := newRig(t)
	rig.run(&doing{Do: func(_ context.Context, t *doing) error { return t.Skip("closed", cmdx.Metadata{"code": "shut"}) }}, nil)
	s := rig.span("doing")
	rig.g.Expect(s.Status.Code).To(Equal(codes.Unset))
	rig.g.Expect(has(s.Attributes)).To(And(HaveKeyWithValue("cmdx.status", "skipped"), HaveKeyWithValue("cmdx.code", "shut")))
	rig.g.Expect(event(s, "signal")).To(Equal(map[string]any{"cmdx.status": "skipped", "cmdx.reason": "closed", "cmdx.code": "shut"}))
}

func TestASuccessWithAReasonIsASignal(t *testing.T) {
	rig := newRig(t)
	rig.run(&doing{Do: func(_ context.Context, t *doing) error { return t.Success("nothing to do") }}, nil)
	s := rig.span("doing")
	rig.g.Expect(s.Status.Code).To(Equal(codes.Unset))
	rig.g.Expect(event(s, "signal")).To(HaveKeyWithValue("cmdx.reason", "nothing to do"))
}

func TestAFailIsAnErrorAndASignal(t *testing.T) {
	rig := newRig(t)
	rig.run(&doing{Do: func(_ context.Context, t *doing) error { return t.Fail("broken", cmdx.Metadata{"code": "x"}) }}, nil)
	s := rig.span("doing")
	rig.g.Expect(s.Status).To(Equal(sdktrace.Status{Code: codes.Error, Description: "broken"}))
	rig.g.Expect(has(s.Attributes)).To(HaveKeyWithValue("error.type", "x"))
	rig.g.Expect(happened(s)).To(Equal([]string{"signal"}))
}

func TestARaisedErrorIsRecordedAsAnException(t *testing.T) {
	rig := newRig(t)
	rig.run(&doing{Do: func(context.Context, *doing) error {
		return &fs.PathError{Op: "open", Path: "ledger", Err: errDeclined}
	}}, nil)
	s := rig.span("doing")
	rig.g.Expect(s.Status).To(Equal(sdktrace.Status{Code: codes.Error, Description: "[fs.PathError] open ledger: card declined"}))
	rig.g.Expect(has(s.Attributes)).To(HaveKeyWithValue("error.type", "fs.PathError"))
	rig.g.Expect(event(s, "exception")).To(Equal(map[string]any{
		"exception.type": "fs.PathError", "exception.message": "open ledger: card declined",
	}))
}

func TestAPanicIsRecordedWithItsStack(t *testing.T) {
	rig := newRig(t)
	rig.run(&doing{Do: func(context.Context, *doing) error { panic("boom") }}, nil)
	s := rig.span("doing")
	rig.g.Expect(s.Status.Code).To(Equal(codes.Error))
	e := event(s, "exception")
	rig.g.Expect(e).To(HaveKeyWithValue("exception.type", "cmdx.PanicError"))
	rig.g.Expect(e["exception.stacktrace"]).To(ContainSubstring("spans_test.go"))
}

type loudError struct{}

func (*loudError) Error() string   { panic("no text") }
func (*loudError) Is(error) bool   { panic("no answer") }
func (*loudError) As(any) bool     { panic("no answer") }
func (*loudError) Unwrap() []error { panic("nothing inside") }

func TestAnErrorWhoseMethodsPanicDoesNoHarm(t *testing.T) {
	for _, err := range []error{&loudError{}, (*loudError)(nil)} {
		rig := newRig(t)
		rig.run(&doing{Do: func(context.Context, *doing) error { return err }}, nil)
		rig.g.Expect(event(rig.span("doing"), "exception")).To(HaveKeyWithValue("exception.type", "cmdxotel_test.loudError"))
	}
}

func TestNestedExecutionsAreChildren(t *testing.T) {
	rig := newRig(t)
	ctx, caller := rig.provider.Tracer("caller").Start(context.Background(), "caller")
	r := rig.Execute(ctx, &charge{doing{Do: func(ctx context.Context, _ *doing) error {
		nested := cmdx.Execute(ctx, &doing{Do: func(ctx context.Context, t *doing) error {
			_, own := rig.provider.Tracer("work").Start(ctx, "query")
			own.End()
			return fmt.Errorf("charging: %w", fs.ErrClosed)
		}}, nil)
		return nested.Err()
	}}}, cmdx.Args{"payment_id": "pay_1"})
	caller.End()
	outer, inner, query := rig.span("billing.Charge"), rig.span("doing"), rig.span("query")
	rig.g.Expect(outer.Parent.SpanID()).To(Equal(caller.SpanContext().SpanID()))
	rig.g.Expect(inner.Parent.SpanID()).To(Equal(outer.SpanContext.SpanID()))
	rig.g.Expect(query.Parent.SpanID()).To(Equal(inner.SpanContext.SpanID()))
	rig.g.Expect(inner.SpanContext.TraceID()).To(Equal(caller.SpanContext().TraceID()))

	rig.g.Expect(outer.Status).To(Equal(inner.Status))
	rig.g.Expect(has(outer.Attributes)).To(HaveKeyWithValue("cmdx.origin.tid", r.Origin().TID()))
	rig.g.Expect(has(inner.Attributes)).To(And(HaveKeyWithValue("cmdx.root", false), Not(HaveKey("cmdx.origin.tid"))))
	rig.g.Expect(happened(inner)).To(ContainElement("exception"))
	rig.g.Expect(happened(outer)).NotTo(ContainElement("exception"), "it is recorded where it arose")
}

func TestRetriesAndGuardsAreSpanEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rig := newRig(t)
		began, tries := time.Now(), 0
		task := &charge{doing{Do: func(context.Context, *doing) error {
			if tries++; tries == 1 {
				return errDeclined
			}
			return nil
		}}}
		rig.run(task, cmdx.Args{"payment_id": "pay_1"})
		s := rig.span("billing.Charge")
		rig.g.Expect(happened(s)).To(Equal([]string{"idempotency_claimed", "task_retried", "idempotency_completed"}))
		rig.g.Expect(event(s, "task_retried")).To(Equal(map[string]any{"cmdx.attempt": int64(1), "cmdx.delay": 1.5}))
		rig.g.Expect(s.Events[1].Time).To(BeTemporally("==", began.Add(1500*time.Millisecond)))
		rig.g.Expect(has(s.Attributes)).To(HaveKeyWithValue("cmdx.retries", int64(1)))

		rig.run(task, cmdx.Args{"payment_id": "pay_1"})
		s = rig.spans.all()[1]
		rig.g.Expect(happened(s)).To(Equal([]string{"idempotency_duplicate", "signal"}))
		rig.g.Expect(event(s, "idempotency_duplicate")).To(Equal(map[string]any{
			"cmdx.code": "duplicate", "cmdx.state": "completed", "cmdx.idempotency_key": "cmdx:idem:billing.Charge:pay_1",
		}))
	})
}

func TestACancelledCallerIsRecordedAllTheSame(t *testing.T) {
	rig := newRig(t)
	ctx, cancel := context.WithCancel(context.Background())
	rig.Execute(ctx, &doing{Do: func(context.Context, *doing) error { cancel(); return ctx.Err() }}, nil)
	rig.g.Expect(rig.span("doing").Status.Code).To(Equal(codes.Error))
	rig.g.Expect(rig.sums("cmdx.task.executions", "cmdx.status")).To(Equal(map[string]int64{"failed": 1}))

	rig.Execute(ctx, &charge{}, nil) // it has gone before the start
	rig.g.Expect(rig.span("billing.Charge").Status.Code).To(Equal(codes.Error))
	rig.g.Expect(rig.sums("cmdx.task.executions", "cmdx.status")).To(Equal(map[string]int64{"failed": 2}))
}

func TestGoexitEndsItsSpanOnce(t *testing.T) {
	rig := newRig(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		rig.run(&doing{Do: func(context.Context, *doing) error { runtime.Goexit(); return nil }}, nil)
	}()
	<-done
	s := rig.span("doing")
	rig.g.Expect(s.Status.Code).To(Equal(codes.Error))
	rig.g.Expect(has(s.Attributes)).To(HaveKeyWithValue("error.type", "cmdx.GoexitError"))
}

func TestAMisdeclaredTaskHasASpanToo(t *testing.T) {
	rig := newRig(t)
	r := rig.run(&wrong{}, nil)
	s := rig.span(r.TaskName())
	rig.g.Expect(s.Status.Code).To(Equal(codes.Error))
	rig.g.Expect(has(s.Attributes)).To(And(HaveKeyWithValue("cmdx.tid", r.TID()), HaveKeyWithValue("error.type", "cmdx.DefinitionError")))
}

func TestNoInputIsInASpan(t *testing.T) {
	rig := newRig(t)
	rig.run(&doing{Do: func(_ context.Context, t *doing) error { return t.Skip("closed", cmdx.Metadata{"card": "visa-card"}) }}, cmdx.Args{"secret": "hunter2"})
	rig.g.Expect(fmt.Sprint(rig.spans.all())).NotTo(Or(ContainSubstring("hunter2"), ContainSubstring("visa-card")))
}

func TestManyAtOnceEachHaveOneSpan(t *testing.T) {
	rig := newRig(t)
	var running sync.WaitGroup
	for range 50 {
		running.Go(func() {
			rig.run(&charge{doing{Do: func(ctx context.Context, _ *doing) error { return cmdx.Execute(ctx, &doing{}, nil).Err() }}}, nil)
		})
	}
	running.Wait()
	parents := map[trace.SpanID]bool{}
	for _, s := range rig.spans.all() {
		if s.Name == "billing.Charge" {
			parents[s.SpanContext.SpanID()] = true
		}
	}
	rig.g.Expect(parents).To(HaveLen(50))
	for _, s := range rig.spans.all() {
		if s.Name == "doing" {
			rig.g.Expect(parents).To(HaveKey(s.Parent.SpanID()))
			delete(parents, s.Parent.SpanID())
		}
	}
	rig.g.Expect(parents).To(BeEmpty())
}

func TestWhatIsNotSampledCostsNoAttributesAndIsMeasuredAllTheSame(t *testing.T) {
	rig := newRig(t)
	c := cmdx.Configuration{}
	err := cmdxotel.Instrument(&c, cmdxotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()), sdktrace.WithSyncer(rig.spans))))
	rig.g.Expect(err).NotTo(HaveOccurred())
	rig.g.Expect(cmdx.New(c).Execute(context.Background(), &doing{Do: func(ctx context.Context, _ *doing) error {
		rig.g.Expect(trace.SpanContextFromContext(ctx).IsValid()).To(BeTrue())
		return nil
	}}, nil)).To(cmdxtest.BeSuccess())
	rig.g.Expect(rig.spans.all()).To(BeEmpty())
}

func TestNoConfigurationIsRefused(t *testing.T) {
	g := NewWithT(t)
	g.Expect(cmdxotel.Instrument(nil)).To(MatchError(ContainSubstring("no configuration")))
}

// secretive has an input that nobody must see.
type secretive struct {
	doing
	PIN string `cmdx:"pin"`
}

func (*secretive) Configure(c *cmdx.Config) { c.Required("pin", inputs.Sensitive()) }

func TestASensitiveInputIsInNoSpan(t *testing.T) {
	rig := newRig(t)
	rig.run(&secretive{doing: doing{Do: func(_ context.Context, t *doing) error {
		return fmt.Errorf("the terminal refused %v", t.Input("pin"))
	}}}, cmdx.Args{"pin": "hunter2hunter2"})
	rig.g.Expect(event(rig.span("secretive"), "exception")).To(HaveKey("exception.message"))
	rig.g.Expect(fmt.Sprint(rig.spans.all())).NotTo(ContainSubstring("hunter2"))
}
