package cmdxotel

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/cmdx-go/cmdx"
)

// meters are the instruments; each is safe for many goroutines.
type meters struct {
	executions, retries, duplicates, refusals metric.Int64Counter
	duration                                  metric.Float64Histogram
}

const keyState = attribute.Key("cmdx.state")

// secondsBounds are the limits of the duration's buckets: those that
// OpenTelemetry advises for durations in seconds, and a few for long work.
var secondsBounds = []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 300}

func newMeters(p metric.MeterProvider) (*meters, error) {
	meter := p.Meter(scope)
	var m meters
	var errs [5]error
	m.executions, errs[0] = meter.Int64Counter("cmdx.task.executions",
		metric.WithUnit("{execution}"), metric.WithDescription("Executions that have ended."))
	m.retries, errs[1] = meter.Int64Counter("cmdx.task.retries",
		metric.WithUnit("{retry}"), metric.WithDescription("Attempts after the first one of their execution."))
	m.duplicates, errs[2] = meter.Int64Counter("cmdx.idempotency.duplicates",
		metric.WithUnit("{duplicate}"), metric.WithDescription("Executions that found their key held."))
	m.refusals, errs[3] = meter.Int64Counter("cmdx.guard.refusals",
		metric.WithUnit("{refusal}"), metric.WithDescription("Executions that a guard kept from their work."))
	m.duration, errs[4] = meter.Float64Histogram("cmdx.task.duration",
		metric.WithUnit("s"), metric.WithDescription("How long executions took."), metric.WithExplicitBucketBoundaries(secondsBounds...))
	return &m, errors.Join(errs[:]...)
}

func (m *meters) executed(ctx context.Context, e cmdx.Event, r *cmdx.Result) {
	with := attributesWith(e, keyStatus.String(string(r.Status())))
	m.executions.Add(ctx, 1, with)
	m.duration.Record(ctx, r.Duration().Seconds(), with)
}

// event counts what an event stands for. Guards tell of a refusal by an event
// with a code; under fail_open the run goes on all the same.
func (m *meters) event(ctx context.Context, e cmdx.Event) {
	switch e.Name {
	case cmdx.EventTaskRetried:
		m.retries.Add(ctx, 1, attributesWith(e))
		return
	case cmdx.EventIdempotencyDuplicate:
		state, _ := e.Payload["state"].(string)
		m.duplicates.Add(ctx, 1, attributesWith(e, keyState.String(state)))
	}
	code, refused := e.Payload["code"].(string)
	if refused && e.Payload["policy"] != "fail_open" {
		m.refusals.Add(ctx, 1, attributesWith(e, keyCode.String(code)))
	}
}

func attributesWith(e cmdx.Event, more ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributes(append(more, keyTaskName.String(e.Task), keyTaskType.String(e.Type))...)
}
