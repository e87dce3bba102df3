package cmdxotel_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/gomega"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/embedded"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores/storetest"
	cmdxotel "github.com/cmdx-go/cmdx/telemetry/otel"
)

func TestExecutionsAreCountedByTaskAndStatus(t *testing.T) {
	rig := newRig(t)
	for _, do := range []func(context.Context, *doing) error{
		nil, nil,
		func(_ context.Context, t *doing) error { return t.Skip("closed") },
		func(context.Context, *doing) error { return errors.New("broken") },
	} {
		rig.run(&doing{Do: do}, nil)
	}
	rig.run(&charge{}, nil)
	rig.g.Expect(rig.sums("cmdx.task.executions", "cmdx.task.name", "cmdx.status")).To(Equal(map[string]int64{
		"doing success": 2, "doing skipped": 1, "doing failed": 1, "billing.Charge success": 1,
	}))
	rig.g.Expect(rig.metrics()["cmdx.task.executions"].Unit).To(Equal("{execution}"))
}

func TestDurationsAreAHistogramInSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rig := newRig(t)
		rig.run(&doing{Do: func(context.Context, *doing) error { time.Sleep(2250 * time.Millisecond); return nil }}, nil)
		m := rig.metrics()["cmdx.task.duration"]
		rig.g.Expect(m.Unit).To(Equal("s"))
		points := m.Data.(metricdata.Histogram[float64]).DataPoints
		rig.g.Expect(points).To(HaveLen(1))
		rig.g.Expect(points[0].Sum).To(Equal(2.25))
		rig.g.Expect(points[0].Bounds).To(ContainElements(0.005, 1.0, 10.0))
	})
}

func TestRetriesDuplicatesAndRefusalsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rig := newRig(t)
		tries := 0
		task := &charge{doing{Do: func(context.Context, *doing) error {
			if tries++; tries < 3 {
				return errDeclined
			}
			return rig.run(&charge{}, cmdx.Args{"payment_id": "pay_1"}).Err()
		}}}
		for range 3 {
			rig.run(task, cmdx.Args{"payment_id": "pay_1"})
		}
		rig.g.Expect(rig.sums("cmdx.task.retries", "cmdx.task.name")).To(Equal(map[string]int64{"billing.Charge": 2}))
		rig.g.Expect(rig.sums("cmdx.idempotency.duplicates", "cmdx.task.name", "cmdx.state")).To(Equal(map[string]int64{
			"billing.Charge processing": 1, "billing.Charge completed": 2,
		}))
		rig.g.Expect(rig.sums("cmdx.guard.refusals", "cmdx.task.name", "cmdx.code")).To(Equal(map[string]int64{"billing.Charge duplicate": 3}))
	})
}

// chargeOpen runs without its claim when the store is away.
type chargeOpen struct{ charge }

func (*chargeOpen) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{OnStoreError: cmdx.FailOpen})
}

func TestAStoreThatIsAwayRefusesUnlessTheGuardFailsOpen(t *testing.T) {
	store := storetest.NewFaulty(nil)
	store.Fail(storetest.OpEnter, storetest.Always, nil)
	rig := newRig(t, func(c *cmdx.Configuration) { c.Store = store })
	rig.run(&charge{}, cmdx.Args{"payment_id": "pay_1"})
	rig.run(&chargeOpen{}, cmdx.Args{"payment_id": "pay_1"})
	rig.g.Expect(rig.sums("cmdx.guard.refusals", "cmdx.task.name", "cmdx.code")).To(Equal(map[string]int64{"billing.Charge store_unavailable": 1}))
}

func TestMetricsHoldNoKeysAndNoIDs(t *testing.T) {
	rig := newRig(t)
	for range 2 {
		rig.run(&charge{doing{Do: func(_ context.Context, t *doing) error { return nil }}}, cmdx.Args{"payment_id": "pay_1"})
	}
	r := rig.run(&doing{Do: func(_ context.Context, t *doing) error { return t.Fail("a reason") }}, nil)
	allowed := map[string]bool{"cmdx.task.name": true, "cmdx.task.type": true, "cmdx.status": true, "cmdx.state": true, "cmdx.code": true}
	for name, m := range rig.metrics() {
		for _, secret := range []string{"pay_1", "a reason", r.TID(), r.CID()} {
			rig.g.Expect(fmt.Sprint(m.Data)).NotTo(ContainSubstring(secret), name)
		}
		var sets []metricdata.DataPoint[int64]
		if sum, ok := m.Data.(metricdata.Sum[int64]); ok {
			sets = sum.DataPoints
		}
		for _, point := range sets {
			for _, a := range point.Attributes.ToSlice() {
				rig.g.Expect(allowed).To(HaveKey(string(a.Key)), name)
			}
		}
	}
}

// brokenMeters is a provider that cannot make a histogram.
type brokenMeters struct {
	embedded.MeterProvider
}

type brokenMeter struct{ noop.Meter }

func (brokenMeters) Meter(string, ...metric.MeterOption) metric.Meter { return brokenMeter{} }

func (brokenMeter) Float64Histogram(string, ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return nil, errDeclined
}

func TestAProviderThatCannotMakeAMetricIsTold(t *testing.T) {
	g := NewWithT(t)
	c := cmdx.Configuration{Telemetry: &cmdx.Telemetry{}}
	g.Expect(cmdxotel.Instrument(&c, cmdxotel.WithMeterProvider(brokenMeters{}))).To(MatchError(errDeclined))
	g.Expect(c.Telemetry.Wants(cmdx.EventTaskExecuted)).To(BeFalse(), "nothing is half done")
}

// limited is let through once an hour.
type limited struct{ doing }

func (*limited) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.PerTask, cmdx.Rate{Limit: 1, Per: time.Hour})
}

func TestRefusalsOfEveryGuardAreCounted(t *testing.T) {
	rig := newRig(t)
	for range 3 {
		rig.run(&limited{}, nil)
	}
	rig.g.Expect(rig.sums("cmdx.guard.refusals", "cmdx.task.name", "cmdx.code")).To(Equal(map[string]int64{"limited rate_limited": 2}))
}
