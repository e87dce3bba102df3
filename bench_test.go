package cmdx_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

type bareTask struct{ cmdx.Base }

func (*bareTask) Work(context.Context) error { return nil }

type inputsTask struct {
	cmdx.Base
	PaymentID string `cmdx:"payment_id"`
	Amount    int64  `cmdx:"amount_cents"`
	Live      bool   `cmdx:"live"`
}

func (*inputsTask) Configure(c *cmdx.Config) {
	c.Required("payment_id", inputs.Coerce(inputs.String), inputs.Presence())
	c.Required("amount_cents", inputs.Coerce(inputs.Integer))
	c.Optional("live", inputs.Coerce(inputs.Boolean))
}

func (*inputsTask) Work(context.Context) error { return nil }

type onceTask struct {
	cmdx.Base
	ID string
}

func (*onceTask) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc((*onceTask).key))
}

func (t *onceTask) key() string { return t.ID }

func (*onceTask) Work(context.Context) error { return nil }

type retriedTask struct{ cmdx.Base }

func (*retriedTask) Configure(c *cmdx.Config) { c.RetryOn(cmdx.AnyError) }

func (*retriedTask) Work(context.Context) error { return nil }

// plain is what an execution is measured against.
//
//go:noinline
func plain(context.Context) error { return nil }

func BenchmarkPlainCall(b *testing.B) {
	ctx := context.Background()
	for b.Loop() {
		_ = plain(ctx)
	}
}

func benchmark(b *testing.B, template func(i int) cmdx.Task, args any, want cmdx.Status) {
	runtime := cmdx.New(cmdx.Configuration{})
	ctx := context.Background()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if r := runtime.Execute(ctx, template(i), args); r.Status() != want {
			b.Fatal(r)
		}
	}
}

func BenchmarkBareTask(b *testing.B) {
	t := &bareTask{}
	benchmark(b, func(int) cmdx.Task { return t }, nil, cmdx.StatusSuccess)
}

func BenchmarkThreeInputs(b *testing.B) {
	t := &inputsTask{}
	args := cmdx.Args{"payment_id": "pay_123", "amount_cents": 9_900, "live": true}
	benchmark(b, func(int) cmdx.Task { return t }, args, cmdx.StatusSuccess)
}

// The key and its template are the caller's own two allocations.
func BenchmarkIdempotentNewKey(b *testing.B) {
	benchmark(b, func(i int) cmdx.Task { return &onceTask{ID: "pay_" + strconv.Itoa(i)} }, nil, cmdx.StatusSuccess)
}

func BenchmarkIdempotentDuplicate(b *testing.B) {
	runtime := cmdx.New(cmdx.Configuration{})
	ctx := context.Background()
	t := &onceTask{ID: "pay_123"}
	runtime.Execute(ctx, t, nil)
	b.ReportAllocs()
	for b.Loop() {
		if r := runtime.Execute(ctx, t, nil); !r.IsSkipped() {
			b.Fatal(r)
		}
	}
}

func BenchmarkRetryDeclared(b *testing.B) {
	t := &retriedTask{}
	benchmark(b, func(int) cmdx.Task { return t }, nil, cmdx.StatusSuccess)
}
