package benchmarks

import (
	"context"
	"testing"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"github.com/cmdx-go/cmdx"
)

// bare does nothing and declares nothing.
type bare struct{ cmdx.Base }

func (*bare) Work(ctx context.Context) error { return work(ctx) }

// retried declares what the retry policy beside it has.
type retried struct{ cmdx.Base }

func (*retried) Configure(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

func (*retried) Work(ctx context.Context) error { return work(ctx) }

// work is what all of them call.
//
//go:noinline
func work(context.Context) error { return nil }

func BenchmarkBare(b *testing.B) {
	ctx := b.Context()
	b.Run("plain call", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := work(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("failsafe with a retry policy", func(b *testing.B) {
		executor := failsafe.With(retrypolicy.NewBuilder[any]().WithMaxRetries(2).Build()).WithContext(ctx)
		b.ReportAllocs()
		for b.Loop() {
			if err := executor.Run(func() error { return work(ctx) }); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("task", func(b *testing.B) { execute(b, &bare{}) })
	b.Run("task with retries", func(b *testing.B) { execute(b, &retried{}) })
}

func execute(b *testing.B, task cmdx.Task) {
	runtime, ctx := cmdx.New(cmdx.Configuration{}), b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if result := runtime.Execute(ctx, task, nil); !result.IsSuccess() {
			b.Fatal(result)
		}
	}
}
