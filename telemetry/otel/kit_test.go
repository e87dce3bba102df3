package cmdxotel_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/cmdxtest"
	cmdxotel "github.com/cmdx-go/cmdx/telemetry/otel"
)

var errDeclined = errors.New("card declined")

// doing is a task whose Work is what a test gives it.
type doing struct {
	cmdx.Base
	Do func(context.Context, *doing) error
}

func (t *doing) Work(ctx context.Context) error {
	if t.Do == nil {
		return nil
	}
	return t.Do(ctx, t)
}

// charge is a task with a name, tags, retries and a key.
type charge struct{ doing }

func (*charge) Configure(c *cmdx.Config) {
	c.Name("billing.Charge")
	c.Tags("billing", "money")
	c.RetryOn(cmdx.ErrorIs(errDeclined), cmdx.Retry{Limit: 2, Delay: 1500 * time.Millisecond})
	c.IdempotentBy(cmdx.FromContext("payment_id"))
}

// wrong is declared wrongly: it never comes to its middlewares.
type wrong struct{ doing }

func (*wrong) Configure(c *cmdx.Config) { c.Name("") }

// rig is an instrumented runtime and what it has told.
type rig struct {
	*cmdxtest.Runtime
	g        Gomega
	spans    *exporter
	reader   *metric.ManualReader
	provider *sdktrace.TracerProvider
}

// exporter keeps spans in the order in which they ended.
type exporter struct {
	mu   sync.Mutex
	list tracetest.SpanStubs
}

func (x *exporter) ExportSpans(_ context.Context, spans []sdktrace.ReadOnlySpan) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = append(x.list, tracetest.SpanStubsFromReadOnlySpans(spans)...)
	return nil
}

func (x *exporter) Shutdown(context.Context) error { return nil }

func (x *exporter) all() tracetest.SpanStubs {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append(tracetest.SpanStubs(nil), x.list...)
}

func newRig(t *testing.T, options ...func(*cmdx.Configuration)) *rig {
	t.Helper()
	r := &rig{g: NewWithT(t), spans: &exporter{}, reader: metric.NewManualReader()}
	r.provider = sdktrace.NewTracerProvider(sdktrace.WithSyncer(r.spans))
	meters := metric.NewMeterProvider(metric.WithReader(r.reader))
	options = append(options, func(c *cmdx.Configuration) {
		r.g.Expect(cmdxotel.Instrument(c, cmdxotel.WithTracerProvider(r.provider), cmdxotel.WithMeterProvider(meters))).To(Succeed())
	})
	r.Runtime = cmdxtest.NewRuntime(t, options...)
	return r
}

func (r *rig) run(task cmdx.Task, args any) *cmdx.Result {
	return r.Execute(context.Background(), task, args)
}

// span is the one span of that name.
func (r *rig) span(name string) tracetest.SpanStub {
	var found tracetest.SpanStubs
	for _, s := range r.spans.all() {
		if s.Name == name {
			found = append(found, s)
		}
	}
	r.g.ExpectWithOffset(1, found).To(HaveLen(1), "spans of the name %s", name)
	return found[0]
}

// has tells attributes as a map of plain values.
func has(attributes []attribute.KeyValue) map[string]any {
	m := map[string]any{}
	for _, a := range attributes {
		m[string(a.Key)] = a.Value.AsInterface()
	}
	return m
}

// happened are the names of a span's events, in order.
func happened(s tracetest.SpanStub) (names []string) {
	for _, e := range s.Events {
		names = append(names, e.Name)
	}
	return names
}

// event is the attributes of a span's first event of that name.
func event(s tracetest.SpanStub, name string) map[string]any {
	for _, e := range s.Events {
		if e.Name == name {
			return has(e.Attributes)
		}
	}
	return nil
}

func (r *rig) metrics() map[string]metricdata.Metrics {
	var collected metricdata.ResourceMetrics
	r.g.Expect(r.reader.Collect(context.Background(), &collected)).To(Succeed())
	byName := map[string]metricdata.Metrics{}
	for _, scope := range collected.ScopeMetrics {
		r.g.Expect(scope.Scope.Name).To(Equal("github.com/cmdx-go/cmdx/telemetry/otel"))
		for _, m := range scope.Metrics {
			byName[m.Name] = m
		}
	}
	return byName
}

// sums are the points of a counter, by the values of some attributes.
func (r *rig) sums(name string, by ...string) map[string]int64 {
	m := map[string]int64{}
	counter, ok := r.metrics()[name].Data.(metricdata.Sum[int64])
	if !ok {
		return m
	}
	r.g.ExpectWithOffset(1, counter.IsMonotonic).To(BeTrue())
	for _, point := range counter.DataPoints {
		key := ""
		for i, attr := range by {
			if v, found := point.Attributes.Value(attribute.Key(attr)); found {
				if i > 0 {
					key += " "
				}
				key += v.AsString()
			}
		}
		m[key] += point.Value
	}
	return m
}
