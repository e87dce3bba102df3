package stores_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// redisUnit leaves half of it to the slowest call of a busy machine.
const redisUnit = 250 * time.Millisecond

// redisSuite is for a store that all cases share: what a case leaves behind
// is its own.
func redisSuite(t *testing.T, store *stores.Redis, unit time.Duration) storetest.Suite {
	return storetest.Suite{
		New:    func(*testing.T) stores.Store { return store },
		Unit:   unit,
		Settle: func() { settled(t, store) },
	}
}

// settled returns when nothing is under way behind the callers any more.
func settled(t *testing.T, store *stores.Redis) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := store.Wait(ctx); err != nil {
		t.Errorf("the store has not settled: %v", err)
	}
}

// everyKeyEnds asks for the remaining time of every key of a node.
func everyKeyEnds(t *testing.T, client redis.Cmdable) {
	t.Helper()
	seen := 0
	keys := client.Scan(t.Context(), 0, "*", 1000).Iterator()
	for keys.Next(t.Context()) {
		left, err := client.PTTL(t.Context(), keys.Val()).Result()
		if err != nil || left == -1 {
			t.Errorf("%q has no end (%v)", keys.Val(), err)
		}
		seen++
	}
	if err := keys.Err(); err != nil || seen == 0 {
		t.Errorf("%d keys were looked at, error %v", seen, err)
	}
}

func TestRedisKeepsTheContract(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(nil)
	storetest.Run(t, redisSuite(t, stores.NewRedis(client), redisUnit))
	everyKeyEnds(t, client)
}

func TestRedisClusterKeepsTheContract(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	storetest.Run(t, redisSuite(t, stores.NewRedis(cluster.Client(nil)), redisUnit))
	for _, node := range cluster.Nodes() {
		everyKeyEnds(t, node.Client(nil))
	}
}

func TestRedisIsLikeMemory(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(nil)
	memory := storetest.Suite{New: func(*testing.T) stores.Store { return stores.NewMemory() }, Wrap: synctest.Test}
	storetest.Compare(t, memory, redisSuite(t, stores.NewRedis(client), redisUnit), storetest.Comparison{})
	everyKeyEnds(t, client)
}
