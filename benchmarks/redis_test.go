package benchmarks

import (
	"context"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
)

// manyCallers is how many call at once where not one after another.
const manyCallers = 64

const (
	processingTTL = time.Minute
	completedTTL  = 5 * time.Minute
)

// chargeOnce does nothing but be idempotent.
type chargeOnce struct {
	cmdx.Base
	ID string
}

func (*chargeOnce) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc((*chargeOnce).key), cmdx.Idempotency{TTL: completedTTL, ProcessingTTL: processingTTL})
}

func (t *chargeOnce) key() string { return t.ID }

func (*chargeOnce) Work(context.Context) error { return nil }

// onRedis is one client with what is measured on it.
type onRedis struct {
	client  *redis.Client
	runtime *cmdx.Runtime
	last    atomic.Int64
}

func newOnRedis(t testing.TB, client *redis.Client, options ...stores.RedisOption) *onRedis {
	t.Helper()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Fatalf("the server does not answer: %v", err)
	}
	return &onRedis{client: client, runtime: cmdx.New(cmdx.Configuration{Store: stores.NewRedis(client, options...)})}
}

func (r *onRedis) newKey() string { return "pay_" + strconv.FormatInt(r.last.Add(1), 10) }

// claimed executes a task with a key that nobody had.
func (r *onRedis) claimed(ctx context.Context) bool {
	return r.runtime.Execute(ctx, &chargeOnce{ID: r.newKey()}, nil).IsSuccess()
}

// claimedFloor is the least that the same could be done with: a claim and its
// completion, without an owner.
func (r *onRedis) claimedFloor(ctx context.Context) bool {
	key := "floor:" + r.newKey()
	claimed, err := set(ctx, r.client, key, "processing", redis.SetArgs{Mode: "NX", TTL: processingTTL})
	if err != nil || claimed == "" {
		return false
	}
	completed, err := set(ctx, r.client, key, "completed", redis.SetArgs{Mode: "XX", TTL: completedTTL})
	return err == nil && completed == "OK"
}

// duplicate executes a task whose key is completed, see prepare.
func (r *onRedis) duplicate(ctx context.Context) bool {
	return r.runtime.Execute(ctx, &chargeOnce{ID: "completed"}, nil).IsSkipped()
}

// duplicateFloor is one command that asks for the claim and reads what stands
// in the way.
func (r *onRedis) duplicateFloor(ctx context.Context) bool {
	state, err := set(ctx, r.client, "floor:completed", "processing", redis.SetArgs{Mode: "NX", Get: true, TTL: processingTTL})
	return err == nil && state == "completed"
}

// prepare completes the keys of the duplicates.
func (r *onRedis) prepare(t testing.TB) {
	t.Helper()
	r.duplicate(t.Context())
	if !r.duplicate(t.Context()) {
		t.Fatal("the key is not completed")
	}
	if err := r.client.Set(t.Context(), "floor:completed", "completed", completedTTL).Err(); err != nil {
		t.Fatal(err)
	}
}

func set(ctx context.Context, client *redis.Client, key, value string, args redis.SetArgs) (string, error) {
	return client.SetArgs(ctx, key, value, args).Result()
}

// onEach measures a store as it is by default, and one whose client has no
// hooks.
func onEach(b *testing.B, floor, subject func(*onRedis, context.Context) bool) {
	client := redistest.Start(b).Client(&redis.Options{PoolSize: manyCallers})
	for _, c := range []struct {
		name    string
		options []stores.RedisOption
	}{{"default", nil}, {"without-hooks", []stores.RedisOption{stores.WithoutHooks()}}} {
		r := newOnRedis(b, client, c.options...)
		r.last.Store(time.Now().UnixNano()) // keys that the one before did not have
		r.prepare(b)
		do := func(f func(*onRedis, context.Context) bool) func(context.Context) bool {
			return func(ctx context.Context) bool { return f(r, ctx) }
		}
		b.Run(c.name+"/serial", func(b *testing.B) { beside(b, 1, do(floor), do(subject)) })
		b.Run(c.name+"/64-callers", func(b *testing.B) { beside(b, manyCallers, do(floor), do(subject)) })
	}
}

func BenchmarkIdempotentExecuteOnRedis(b *testing.B) {
	onEach(b, (*onRedis).claimedFloor, (*onRedis).claimed)
}

func BenchmarkDuplicateExecuteOnRedis(b *testing.B) {
	onEach(b, (*onRedis).duplicateFloor, (*onRedis).duplicate)
}

func TestWhatIsComparedDoesTheSameInAsManyCommands(t *testing.T) {
	server := redistest.Start(t)
	proxy := redistest.StartProxy(t, server.Addr())
	r := newOnRedis(t, proxy.Client(&redis.Options{PoolSize: 1}))
	r.prepare(t)
	r.claimed(t.Context()) // the server knows the scripts from now on
	for _, c := range []struct {
		name       string
		do         func(context.Context) bool
		roundTrips int
	}{
		{"a claim", r.claimed, 2},
		{"the floor of a claim", r.claimedFloor, 2},
		{"a duplicate", r.duplicate, 1},
		{"the floor of a duplicate", r.duplicateFloor, 1},
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
