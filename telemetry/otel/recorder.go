package cmdxotel

import (
	"context"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/cmdx-go/cmdx"
)

// recorder is the middleware that starts spans and the subscriber that fills
// and ends them. Events carry no ctx, so it keeps what is under way by the
// execution's id.
type recorder struct {
	tracer trace.Tracer
	meters *meters
	runs   sync.Map // tid → *underway
}

// underway is an execution whose result does not stand yet.
type underway struct {
	ctx  context.Context // with the span
	span trace.Span
}

// identified is what every task has from its Base.
type identified interface{ TID() string }

// Call starts the execution's span and lets what is inside run with it. The
// span is ended by the event that brings the result, which comes later than
// the return: callbacks that follow the outcome belong to the execution too.
func (r *recorder) Call(ctx context.Context, task cmdx.Task, next cmdx.Next) error {
	id, ok := task.(identified)
	if !ok {
		return next(ctx)
	}
	d, err := cmdx.DefinitionOf(task)
	if err != nil { // no execution of such a task comes here
		return next(ctx)
	}
	run := r.start(ctx, d.Name(), id.TID(), time.Now())
	r.runs.Store(id.TID(), run)
	return next(run.ctx)
}

func (r *recorder) start(ctx context.Context, name, tid string, at time.Time) *underway {
	ctx, span := r.tracer.Start(ctx, name, trace.WithTimestamp(at), trace.WithSpanKind(trace.SpanKindInternal),
		trace.WithAttributes(keyTaskName.String(name), keyTID.String(tid)))
	return &underway{ctx, span}
}

// event takes every event of every execution.
func (r *recorder) event(e cmdx.Event) {
	if e.Name == cmdx.EventTaskExecuted {
		r.executed(e)
		return
	}
	ctx := context.Background()
	if v, ok := r.runs.Load(e.TID); ok {
		run := v.(*underway)
		ctx = run.ctx
		run.tell(e)
	}
	r.meters.event(context.WithoutCancel(ctx), e)
}

// executed ends the span. An execution that never came to its middlewares,
// since its type is declared wrongly, gets one that is as long as it was.
func (r *recorder) executed(e cmdx.Event) {
	result, ok := e.Payload["result"].(*cmdx.Result)
	if !ok {
		return
	}
	var run *underway
	if v, ok := r.runs.LoadAndDelete(e.TID); ok {
		run = v.(*underway)
	} else {
		run = r.start(context.Background(), e.Task, e.TID, e.Time.Add(-result.Duration()))
	}
	r.meters.executed(context.WithoutCancel(run.ctx), e, result)
	run.end(e, result)
}
