package benchmarks

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/bsm/redislock"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
	"github.com/sony/gobreaker/v2"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/internal/redistest"
)

// plenty is a limit that is never reached.
const plenty = 1_000_000

// guarded has all guards, and does nothing else.
type guarded struct {
	cmdx.Base
	ID string
}

func (*guarded) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{Limit: plenty, Per: time.Second})
	c.CircuitBreaker(nil)
	c.LimitConcurrency(cmdx.PerTask, cmdx.Concurrency{Limit: plenty})
	c.LockWith(cmdx.KeyFunc((*guarded).key))
	c.IdempotentBy(cmdx.KeyFunc((*guarded).key), cmdx.Idempotency{TTL: completedTTL, ProcessingTTL: processingTTL})
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

func (t *guarded) key() string { return t.ID }

func (*guarded) Work(ctx context.Context) error { return work(ctx) }

// smooth has a rate limit of one instant instead of a log.
type smooth struct{ guarded }

func (*smooth) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{Limit: 1_000_000_000, Per: time.Second, Pace: cmdx.PaceSmooth})
}

// Single guards.
type (
	rated   struct{ guarded }
	broken  struct{ guarded }
	bounded struct{ guarded }
	locked  struct{ guarded }
)

// only turns off what a type is not about.
func only(c *cmdx.Config, keep string) {
	for name, off := range map[string]func(){
		"rate": func() { c.RateLimit(cmdx.Disabled) }, "breaker": func() { c.CircuitBreaker(cmdx.Disabled) },
		"places": func() { c.LimitConcurrency(cmdx.Disabled) }, "lock": func() { c.LockWith(cmdx.Disabled) },
		"claim": func() { c.IdempotentBy(cmdx.Disabled) }, "retry": func() { c.RetryOn(cmdx.Disabled) },
	} {
		if name != keep {
			off()
		}
	}
}

func (*rated) Configure(c *cmdx.Config)   { only(c, "rate") }
func (*broken) Configure(c *cmdx.Config)  { only(c, "breaker") }
func (*bounded) Configure(c *cmdx.Config) { only(c, "places") }
func (*locked) Configure(c *cmdx.Config)  { only(c, "lock") }

// keysFor makes n keys beforehand: they are the caller's.
func keysFor(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = "pay_" + strconv.Itoa(i)
	}
	return keys
}

// failsafeClaimed is retry, circuit breaker, rate limiter and bulkhead around
// work, with a claim in a map that keeps its keys for ever.
func failsafeClaimed(ctx context.Context) func(key string) error {
	executor := failsafe.With[any](
		retrypolicy.NewBuilder[any]().WithMaxRetries(2).Build(),
		ratelimiter.NewBursty[any](plenty, time.Second),
		circuitbreaker.NewWithDefaults[any](),
		bulkhead.New[any](plenty),
	).WithContext(ctx)
	var claims sync.Map
	return func(key string) error {
		if _, held := claims.LoadOrStore(key, "processing"); held {
			return context.Canceled
		}
		err := executor.Run(func() error { return work(ctx) })
		if err != nil {
			claims.Delete(key)
			return err
		}
		claims.Store(key, "completed")
		return nil
	}
}

// BenchmarkGuardsBeside lets both sides take turns, see beside.
func BenchmarkGuardsBeside(b *testing.B) {
	for name, task := range map[string]func(id string) cmdx.Task{
		"windows": func(id string) cmdx.Task { return &guarded{ID: id} },
		"smooth":  func(id string) cmdx.Task { return &smooth{guarded{ID: id}} },
	} {
		b.Run("all guards beside failsafe and a map, "+name, func(b *testing.B) {
			last, run, runtime := 0, failsafeClaimed(b.Context()), cmdx.New(cmdx.Configuration{})
			newKey := func() string {
				last++
				return "pay_" + strconv.Itoa(last)
			}
			beside(b, 1,
				func(context.Context) bool { return run(newKey()) == nil },
				func(ctx context.Context) bool { return runtime.Execute(ctx, task(newKey()), nil).IsSuccess() })
		})
	}
}

func BenchmarkGuards(b *testing.B) {
	b.Run("failsafe with four policies and a claim in a map", func(b *testing.B) {
		keys, run := keysFor(b.N), failsafeClaimed(b.Context())
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			if err := run(keys[i]); err != nil {
				b.Fatal(err)
			}
		}
	})
	executeAll(b, "task with all guards", func(id string) cmdx.Task { return &guarded{ID: id} })
	executeAll(b, "task with all guards, smooth", func(id string) cmdx.Task { return &smooth{guarded{ID: id}} })
	b.Run("gobreaker", func(b *testing.B) {
		breaker, ctx := gobreaker.NewCircuitBreaker[any](gobreaker.Settings{}), b.Context()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := breaker.Execute(func() (any, error) { return nil, work(ctx) }); err != nil {
				b.Fatal(err)
			}
		}
	})
	executeAll(b, "task with a circuit breaker", func(string) cmdx.Task { return &broken{} })
	executeAll(b, "task with a rate limit", func(string) cmdx.Task { return &rated{} })
	executeAll(b, "task with places", func(string) cmdx.Task { return &bounded{} })
	executeAll(b, "task with a lock", func(id string) cmdx.Task { return &locked{guarded{ID: id}} })
}

// executeAll runs b.N templates that were made beforehand, each with a key of
// its own.
func executeAll(b *testing.B, name string, task func(id string) cmdx.Task) {
	b.Run(name, func(b *testing.B) {
		templates := make([]cmdx.Task, b.N)
		for i, key := range keysFor(b.N) {
			templates[i] = task(key)
		}
		runtime, ctx := cmdx.New(cmdx.Configuration{}), b.Context()
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			if result := runtime.Execute(ctx, templates[i], nil); !result.IsSuccess() {
				b.Fatal(result)
			}
		}
	})
}

// guardsOnRedis is what is measured on one server.
type guardsOnRedis struct {
	*onRedis
	limiter *redis_rate.Limiter
	locker  *redislock.Client
}

func newGuardsOnRedis(t testing.TB, client *redis.Client) *guardsOnRedis {
	return &guardsOnRedis{newOnRedis(t, client), redis_rate.NewLimiter(client), redislock.New(client)}
}

func (r *guardsOnRedis) all(ctx context.Context) bool {
	return r.runtime.Execute(ctx, &guarded{ID: r.newKey()}, nil).IsSuccess()
}

// apart is a limiter, a lock and the two commands of a claim one after
// another.
func (r *guardsOnRedis) apart(ctx context.Context) bool {
	return r.rate(ctx) && r.lock(ctx, func() bool { return r.claimedFloor(ctx) })
}

func (r *guardsOnRedis) rate(ctx context.Context) bool {
	answer, err := r.limiter.Allow(ctx, "floor", redis_rate.PerSecond(plenty))
	return err == nil && answer.Allowed == 1
}

func (r *guardsOnRedis) lock(ctx context.Context, work func() bool) bool {
	lock, err := r.locker.Obtain(ctx, "floor:lock:"+r.newKey(), 30*time.Second, nil)
	return err == nil && work() && lock.Release(ctx) == nil
}

func (r *guardsOnRedis) lockFloor(ctx context.Context) bool {
	return r.lock(ctx, func() bool { return true })
}

func (r *guardsOnRedis) rated(ctx context.Context) bool {
	return r.runtime.Execute(ctx, &rated{}, nil).IsSuccess()
}

func (r *guardsOnRedis) locked(ctx context.Context) bool {
	return r.runtime.Execute(ctx, &locked{guarded{ID: r.newKey()}}, nil).IsSuccess()
}

func BenchmarkGuardsOnRedis(b *testing.B) {
	r := newGuardsOnRedis(b, redistest.Start(b).Client(&redis.Options{PoolSize: manyCallers}))
	b.Run("all beside SET NX and SET XX", func(b *testing.B) { beside(b, 1, r.claimedFloor, r.all) })
	b.Run("all beside redis_rate, redislock and the two SETs", func(b *testing.B) { beside(b, 1, r.apart, r.all) })
	b.Run("rate limit beside redis_rate", func(b *testing.B) { beside(b, 1, r.rate, r.rated) })
	b.Run("lock beside redislock", func(b *testing.B) { beside(b, 1, r.lockFloor, r.locked) })
}

func TestAllGuardsTakeTwoRoundTrips(t *testing.T) {
	proxy := redistest.StartProxy(t, redistest.Start(t).Addr())
	r := newGuardsOnRedis(t, proxy.Client(&redis.Options{PoolSize: 1}))
	for _, do := range []func(context.Context) bool{r.all, r.apart, r.rated} {
		do(t.Context()) // the server knows the scripts from now on
	}
	for _, c := range []struct {
		name       string
		do         func(context.Context) bool
		roundTrips int
	}{
		{"all guards", r.all, 2},
		{"a rate limit", r.rated, 1},
		{"one after another", r.apart, 5},
	} {
		proxy.Forget()
		if !c.do(t.Context()) {
			t.Errorf("%s does not do what it should", c.name)
		}
		if n := proxy.RoundTrips(); n != c.roundTrips {
			t.Errorf("%s takes %d round trips, not %d: %v", c.name, n, c.roundTrips, proxy.Commands())
		}
	}
}
