// The contract compiles when every public name that is promised exists with
// its type. Names may be added to, not renamed.
package spec

//lint:file-ignore SA4006 what is assigned here only has to compile

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

// Running and asking.
var (
	_ func(context.Context, cmdx.Task, any) *cmdx.Result                         = cmdx.Execute
	_ func(context.Context, cmdx.Task, any) (*cmdx.Result, error)                = cmdx.ExecuteBang
	_ func(cmdx.Configuration) *cmdx.Runtime                                     = cmdx.New
	_ func() *cmdx.Runtime                                                       = cmdx.Default
	_ func(func(*cmdx.Configuration))                                            = cmdx.Configure
	_ func()                                                                     = cmdx.Reset
	_ func(...cmdx.Task) error                                                   = cmdx.Validate
	_ func(cmdx.Task) (*cmdx.Definition, error)                                  = cmdx.DefinitionOf
	_ func(context.Context) context.Context                                      = cmdx.Detach
	_ func(context.Context, cmdx.Task, ...any) (cmdx.BreakerReport, error)       = cmdx.BreakerState
	_ func(context.Context, cmdx.Task, ...any) (bool, error)                     = cmdx.ResetBreaker
	_ func(error) bool                                                           = cmdx.Failed
	_ func(*cmdx.Runtime, context.Context, cmdx.Task, any) *cmdx.Result          = (*cmdx.Runtime).Execute
	_ func(*cmdx.Runtime, context.Context, cmdx.Task, any) (*cmdx.Result, error) = (*cmdx.Runtime).ExecuteBang
	_ func(*cmdx.Runtime) *cmdx.Telemetry                                        = (*cmdx.Runtime).Telemetry
	_ func(*cmdx.Runtime) stores.Store                                           = (*cmdx.Runtime).Store
)

// A configuration, and what a subscriber is given.
func configuration() {
	cmdx.Configure(func(c *cmdx.Configuration) {
		c.Store = stores.NewMemory()
		c.Logger = slog.Default()
		c.CorrelationID = func(context.Context) string { return "" }
		c.StrictContext = true
		c.FaultOn = []cmdx.Status{cmdx.StatusFailed, cmdx.StatusSkipped}
		unsubscribe := c.Telemetry.Subscribe(cmdx.EventIdempotencyDuplicate, func(e cmdx.Event) {
			var _ cmdx.EventName = e.Name
			var _ []string = []string{e.Task, e.Type, e.TID, e.CID, e.XID}
			var _ bool = e.Root
			var _ map[string]any = e.Payload
			var _ time.Time = e.Time
		})
		unsubscribe()
	})
}

// Stores.
var (
	_ stores.Store                                          = (*stores.Memory)(nil)
	_ stores.Store                                          = (*stores.Redis)(nil)
	_ stores.Store                                          = stores.NewRedis(redis.UniversalClient(nil))
	_ func(namespace, task, segment string) (string, error) = stores.Compose
)

func verbs(ctx context.Context, s stores.Store) {
	var value string
	var yes bool
	var n int64
	var err error
	value, yes, err = s.Get(ctx, "k")
	yes, err = s.Set(ctx, "k", value, stores.SetOptions{TTL: time.Second, NX: true, XX: false})
	n, err = s.Incr(ctx, "k", time.Second)
	yes, err = s.Delete(ctx, "k")
	_, _, _ = yes, n, err
}

// A resolver, a gate, a matcher and a middleware of an application's own.
type own struct{}

func (own) Key(context.Context, cmdx.Task) (any, error)                 { return "k", nil }
func (own) Allow(context.Context, cmdx.Task) bool                       { return true }
func (own) Match(error) bool                                            { return true }
func (own) Call(ctx context.Context, _ cmdx.Task, next cmdx.Next) error { return next(ctx) }

var (
	_ cmdx.KeyResolver  = own{}
	_ cmdx.Gate         = own{}
	_ cmdx.ErrorMatcher = own{}
	_ cmdx.Middleware   = own{}
)

// A task that declares everything.
type everything struct {
	cmdx.Base
	ID string `cmdx:"id"`
}

func (t *everything) key() string                                    { return t.ID }
func (t *everything) live() bool                                     { return true }
func (t *everything) notify(context.Context) error                   { return nil }
func (t *everything) wrap(ctx context.Context, next cmdx.Next) error { return next(ctx) }
func (t *everything) Rollback(context.Context) error                 { return nil }

func (*everything) Configure(c *cmdx.Config) {
	c.Name("contract.Everything")
	c.Required("id")
	c.Optional("note")
	c.Output("receipt")
	c.RetryOn(cmdx.ErrorIs(context.Canceled), cmdx.Retry{Limit: 3, Delay: time.Second, MaxDelay: time.Minute, Jitter: cmdx.Exponential})
	c.RetryOn(cmdx.ErrorType[*cmdx.Fault](), cmdx.Retry{Limit: cmdx.NoRetries, Delay: cmdx.NoDelay, MaxDelay: cmdx.NoMaxDelay, Jitter: cmdx.NoJitter})
	c.RetryOn(cmdx.ErrorFunc(func(error) bool { return true }), cmdx.Retry{Jitter: cmdx.HalfRandom})
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Jitter: cmdx.FullRandom})
	c.RetryOn(own{}, cmdx.Retry{Jitter: cmdx.BoundedRandom})
	c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.Linear})
	c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.Fibonacci})
	c.RetryOn(nil, cmdx.Retry{Jitter: cmdx.DecorrelatedJitter})
	c.RetryOn(nil, cmdx.Retry{Jitter: func(attempt int, delay, prev time.Duration) time.Duration { return delay }})
	c.RetryOn(nil, cmdx.Retry{If: cmdx.WhenError(func(t *everything, err error, attempt int) bool { return attempt < 2 }), Unless: cmdx.Never})
	c.RetryOn(cmdx.Disabled)
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{
		TTL: time.Minute, ProcessingTTL: time.Second, Renew: cmdx.On, Namespace: "app:once",
		OnDuplicate: cmdx.PolicySkip, OnProcessing: cmdx.PolicyFail, OnBlank: cmdx.PolicyFail,
		Settle: cmdx.AfterMiddlewares, If: cmdx.When((*everything).live), Unless: cmdx.Never, OnStoreError: cmdx.FailOpen,
	})
	c.IdempotentBy(cmdx.Literal("nightly"), cmdx.Idempotency{OnBlank: cmdx.PolicyStepAside, Renew: cmdx.Off, Settle: cmdx.AfterPipeline, If: cmdx.Always, OnStoreError: cmdx.FailClosed})
	c.IdempotentBy(cmdx.KeyFunc((*everything).key))
	c.IdempotentBy(cmdx.Hashed(own{}))
	c.IdempotentBy(nil, cmdx.Idempotency{TTL: time.Hour})
	c.IdempotentBy(cmdx.Disabled)
	c.LockWith(cmdx.FromContext("id"), cmdx.Lock{Scope: "account", TTL: time.Second, Wait: cmdx.NoWait, Renew: cmdx.On, Namespace: "n", OnConflict: cmdx.PolicyFail, Settle: cmdx.AfterPipeline, If: own{}, OnStoreError: cmdx.FailOpen})
	c.RateLimit(cmdx.PerTask, cmdx.Rate{Limit: 10, Per: time.Second}, cmdx.Rate{Limit: 1000, Per: time.Hour, Pace: cmdx.PaceSmooth, OnLimit: cmdx.PolicySkip})
	c.RateLimit(nil, cmdx.Rate{Limit: 1, Per: time.Second, Pace: cmdx.PaceWindow})
	c.CircuitBreaker(cmdx.PerTask, cmdx.Breaker{Threshold: 5, CoolOff: time.Second, Probes: 1, CountIf: own{}, OnOpen: cmdx.PolicyFail})
	c.CircuitBreaker(nil, cmdx.Breaker{Scope: "stripe", CountIf: cmdx.AnyRaised, FailureRate: 0.5, Window: time.Minute, MinCalls: 20})
	c.LimitConcurrency(cmdx.PerTask, cmdx.Concurrency{Limit: 4, TTL: time.Second, Renew: cmdx.On, OnFull: cmdx.PolicyFail})
	c.Timeout(time.Minute)
	c.Use(own{})
	c.Use(cmdx.MiddlewareFunc(func(ctx context.Context, _ cmdx.Task, next cmdx.Next) error { return next(ctx) }))
	c.BeforeExecution(cmdx.Call((*everything).notify))
	c.BeforeValidation(cmdx.Call((*everything).notify))
	c.AroundExecution(cmdx.Around((*everything).wrap))
	c.AfterExecution(cmdx.Call((*everything).notify))
	c.OnComplete(cmdx.Call((*everything).notify))
	c.OnInterrupted(cmdx.Call((*everything).notify))
	c.OnSuccess(cmdx.Call((*everything).notify))
	c.OnSkipped(cmdx.Call((*everything).notify))
	c.OnFailed(cmdx.Call((*everything).notify))
	c.OnOK(cmdx.Call((*everything).notify))
	c.OnKO(cmdx.Call((*everything).notify))
	c.Tags("billing")
	c.Subscribe(cmdx.EventIdempotencyDuplicate, func(cmdx.Event) {})
	var _ cmdx.Idempotency = c.Idempotency()
	var _ cmdx.KeyResolver = c.IdempotencyKey()
}

func (t *everything) Work(ctx context.Context) error {
	var _ *cmdx.Context = t.Context()
	var _ *cmdx.Errors = t.Errors()
	var _ cmdx.Metadata = t.Metadata()
	var _ *slog.Logger = t.Logger()
	var _ string = t.TID()
	var _ int = t.Attempt()
	var _ any = t.Input("id")
	var _ string = cmdx.In[string](t, "id")
	if _, ok := cmdx.Get[string](t.Context(), "x"); !ok {
		return t.Skip("no x", cmdx.Metadata{"code": "x"})
	}
	res := cmdx.Execute(ctx, &everything{}, t.Context())
	if res.IsFailed() {
		return t.Throw(res)
	}
	if err := t.Fail("no"); err != nil {
		return err
	}
	return t.Success("done")
}

// What a result answers.
func result(r *cmdx.Result, f *cmdx.Fault, c *cmdx.Chain) {
	var _ cmdx.State = r.State()
	var _ cmdx.Status = r.Status()
	var _ []bool = []bool{r.IsSuccess(), r.IsSkipped(), r.IsFailed(), r.IsComplete(), r.IsInterrupted(), r.IsOK(), r.IsKO(), r.IsRoot(), r.Strict(), r.Deprecated(), r.RolledBack()}
	var _ []string = []string{r.Reason(), r.TID(), r.CID(), r.XID(), r.TaskName(), r.Type(), r.String(), c.ID()}
	var _ cmdx.Metadata = r.Metadata()
	var _ []error = []error{r.Cause(), r.Err(), f.Unwrap()}
	var _ *cmdx.Context = r.Context()
	var _ *cmdx.Errors = r.Errors()
	var _ []error = r.CallbackErrors()
	var _ *cmdx.Chain = r.Chain()
	var _ []*cmdx.Result = append(c.Results(), r.Origin(), r.CausedFailure(), r.ThrewFailure(), f.Result())
	var _ []int = []int{r.Index(), r.Retries(), c.Len()}
	var _ cmdx.Task = r.Task()
	var _ []string = r.Tags()
	var _ time.Duration = r.Duration()
	var _ map[string]any = r.ToMap()
	var _ json.Marshaler = r
	var _ slog.LogValuer = r
	var _ error = f
	var _ error = (*cmdx.DefinitionError)(nil)
	var _ error = (*cmdx.PanicError)(nil)
	var _ error = (*cmdx.LeaseLostError)(nil)
	r.On(cmdx.WordSuccess, func(*cmdx.Result) {}).On(cmdx.WordKO, func(*cmdx.Result) {})
}

// The codes are plain strings, so that metadata["code"] == "duplicate" holds.
var _ = []string{
	cmdx.CodeDuplicate, cmdx.CodeLocked, cmdx.CodeRateLimited, cmdx.CodeCircuitOpen,
	cmdx.CodeConcurrencyLimited, cmdx.CodeStoreUnavailable, cmdx.CodeKeyBlank,
}

func TestContract(t *testing.T) {
	_, _, _ = configuration, verbs, result
	if cmdx.StatusSuccess != "success" || cmdx.StatusSkipped != "skipped" || cmdx.StatusFailed != "failed" ||
		cmdx.StateComplete != "complete" || cmdx.StateInterrupted != "interrupted" ||
		cmdx.EventIdempotencyDuplicate != "idempotency_duplicate" || cmdx.CodeDuplicate != "duplicate" {
		t.Error("a documented word differs")
	}
}
