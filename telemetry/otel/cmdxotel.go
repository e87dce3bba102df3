// Package cmdxotel tells OpenTelemetry about the executions of a runtime: a
// span for each, with what happened in it as span events, and metrics.
//
//	configuration := cmdx.Configuration{Store: store}
//	if err := cmdxotel.Instrument(&configuration); err != nil { … }
//	runtime := cmdx.New(configuration)
//
// It lies in a module of its own, so that applications without OpenTelemetry
// do not require it.
//
// # Spans
//
// A span bears its task's name and stands for one execution, from its
// middlewares to the moment at which its result stood. Work's ctx carries it:
// what Work starts on that ctx is a child, nested executions too. Only a failed
// result gives it the status Error, with the reason; success and skip leave
// the status unset. The cause of a failure is recorded once, where it arose, as
// an exception event, a panic with its stack. Every other event of the
// execution is a span event of the event's name, with its payload.
//
// # Metrics
//
//	cmdx.task.executions         {execution}  cmdx.task.name, cmdx.task.type, cmdx.status
//	cmdx.task.duration           s            cmdx.task.name, cmdx.task.type, cmdx.status
//	cmdx.task.retries            {retry}      cmdx.task.name, cmdx.task.type
//	cmdx.idempotency.duplicates  {duplicate}  cmdx.task.name, cmdx.task.type, cmdx.state
//	cmdx.guard.refusals          {refusal}    cmdx.task.name, cmdx.task.type, cmdx.code
//
// No metric holds a key, an id or a reason, whose number has no bound. What the
// caller's ctx has come to changes nothing: a cancelled run is recorded too.
package cmdxotel

import (
	"errors"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/telemetry"
)

// scope is the name under which OpenTelemetry knows this package.
const scope = "github.com/cmdx-go/cmdx/telemetry/otel"

// Option changes where [Instrument] sends what it tells.
type Option func(*options)

type options struct {
	tracers trace.TracerProvider
	meters  metric.MeterProvider
}

// WithTracerProvider takes another provider than the global one. nil keeps the
// global one.
func WithTracerProvider(p trace.TracerProvider) Option {
	return func(o *options) {
		if p != nil {
			o.tracers = p
		}
	}
}

// WithMeterProvider takes another provider than the global one. nil keeps the
// global one.
func WithMeterProvider(p metric.MeterProvider) Option {
	return func(o *options) {
		if p != nil {
			o.meters = p
		}
	}
}

// Instrument lets the runtimes that are made of c from now on tell
// OpenTelemetry of their executions. It adds a middleware outside of all that
// c has, and subscribes on c.Telemetry, which it makes where it is nil. Call it
// once for a bus, since each call tells of everything again; on a bus that
// several runtimes share, the executions of a runtime whose configuration was
// not instrumented have spans without a parent.
//
// Without options it uses the global providers. The error is the meter
// provider's, about a metric that it cannot make; c is unchanged then.
func Instrument(c *cmdx.Configuration, opts ...Option) error {
	if c == nil {
		return errors.New("cmdxotel: there is no configuration to instrument")
	}
	o := options{tracers: otel.GetTracerProvider(), meters: otel.GetMeterProvider()}
	for _, set := range opts {
		if set != nil {
			set(&o)
		}
	}
	meters, err := newMeters(o.meters)
	if err != nil {
		return err
	}
	r := &recorder{tracer: o.tracers.Tracer(scope), meters: meters}
	if c.Telemetry == nil {
		c.Telemetry = &cmdx.Telemetry{}
	}
	for _, name := range telemetry.Names() {
		c.Telemetry.Subscribe(name, r.event)
	}
	c.Use(r, cmdx.MiddlewareOptions{Position: cmdx.Outermost})
	return nil
}
