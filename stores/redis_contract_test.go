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

func TestRedisKeepsTheContract(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(nil)
	storetest.Run(t, redisSuite(t, client, longUnit(t, client)))
	everyKeyEnds(t, client)
}

func TestRedisClusterKeepsTheContract(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	client := cluster.Client(nil)
	storetest.Run(t, redisSuite(t, client, longUnit(t, client)))
	everyKeyOfAClusterEnds(t, cluster)
}

func TestRedisWithoutHooksKeepsTheContract(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(nil)
	storetest.Run(t, redisSuite(t, client, longUnit(t, client), stores.WithoutHooks()))
	everyKeyEnds(t, client)
}

func TestRedisBehindASentinelKeepsTheContract(t *testing.T) {
	t.Parallel()
	master := redistest.Start(t)
	client := redistest.StartSentinel(t, master).Client(nil)
	storetest.Run(t, redisSuite(t, client, longUnit(t, client)))
	everyKeyEnds(t, master.Client(nil))
}

func TestRedisIsLikeMemory(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(nil)
	storetest.Compare(t, memoryInABubble, redisSuite(t, client, comparisonUnit), comparison)
	everyKeyEnds(t, client)
}

func TestRedisClusterIsLikeMemory(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	storetest.Compare(t, memoryInABubble, redisSuite(t, cluster.Client(nil), comparisonUnit), comparison)
	everyKeyOfAClusterEnds(t, cluster)
}

func TestRedisHasAHistory(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(nil)
	storetest.CheckHistory(t, redisHistory(redisSuite(t, client, historyUnit)))
	everyKeyEnds(t, client)
}

func TestRedisClusterHasAHistory(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	storetest.CheckHistory(t, redisHistory(redisSuite(t, cluster.Client(nil), historyUnit)))
	everyKeyOfAClusterEnds(t, cluster)
}

func TestRedisHasAHistoryOfLocks(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(nil)
	history := redisHistory(redisSuite(t, client, historyUnit))
	history.Locks = true
	storetest.CheckHistory(t, history)
	everyKeyEnds(t, client)
}

func TestRedisHasAHistoryThroughRestarts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options []redistest.Option
		forgets bool
	}{
		{"everything is kept", []redistest.Option{redistest.AppendOnly()}, false},
		{"nothing is kept", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := redistest.Start(t, c.options...)
			client := server.Client(&redis.Options{MaxRetries: -1}) // what was done twice would answer lost
			history := redisHistory(redisSuite(t, client, 2*historyUnit))
			history.Rounds, history.Restart, history.Forgets = 5, server.Restart, c.forgets
			storetest.CheckHistory(t, history)
			everyKeyEnds(t, client)
		})
	}
}

// A comparison takes the time of one script's waits, and gives a machine that
// is busy longer units by itself.
const comparisonUnit = 60 * time.Millisecond

var comparison = storetest.Comparison{Scripts: 40, Steps: 40}

var memoryInABubble = storetest.Suite{
	New:  func(*testing.T) stores.Store { return stores.NewMemory() },
	Wrap: synctest.Test,
	Unit: comparisonUnit, // what is known again for whole seconds is so for as many units
}

// redisSuite is for one store that all cases share: each has keys of its own.
func redisSuite(t *testing.T, client redis.UniversalClient, unit time.Duration, options ...stores.RedisOption) storetest.Suite {
	store := stores.NewRedis(client, options...)
	return storetest.Suite{
		New:    func(*testing.T) stores.Store { return store },
		Unit:   unit,
		Settle: func() { settled(t, store) },
	}
}

// settled returns when nothing is under way behind the callers any more.
func settled(t *testing.T, store *stores.Redis) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := store.Wait(ctx); err != nil {
		t.Errorf("the store has not settled: %v", err)
	}
}

// historyUnit is short: a history is right however late a call is.
const historyUnit = 24 * time.Millisecond

func redisHistory(suite storetest.Suite) storetest.HistorySuite {
	return storetest.HistorySuite{Suite: suite, Rounds: 15, Late: true, Tolerance: 5 * time.Millisecond}
}

// The units between which a machine may ask for one.
const (
	shortestUnit = 100 * time.Millisecond
	longestUnit  = 250 * time.Millisecond
)

// longUnit is a unit of which a call of the busy machine that this runs on
// takes a small part.
func longUnit(t *testing.T, client redis.UniversalClient) time.Duration {
	t.Helper()
	const pause = time.Millisecond
	slowest := time.Duration(0)
	for range 200 {
		began := time.Now()
		time.Sleep(pause)
		if err := client.Ping(t.Context()).Err(); err != nil {
			t.Fatalf("the server does not answer: %v", err)
		}
		slowest = max(slowest, time.Since(began)-pause)
	}
	return min(max(10*slowest, shortestUnit), longestUnit).Round(time.Millisecond)
}

// everyKeyEnds asks for the remaining time of every key of a node.
func everyKeyEnds(t *testing.T, client redis.Cmdable) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	keys := client.Scan(ctx, 0, "*", 1000).Iterator()
	for keys.Next(ctx) {
		// Gone since the scan is -2, and without an end is -1.
		if left, err := client.PTTL(ctx, keys.Val()).Result(); err != nil || left == -1 {
			t.Errorf("%q has no end (error %v)", keys.Val(), err)
		}
	}
	if err := keys.Err(); err != nil {
		t.Errorf("the keys were not looked through: %v", err)
	}
}

func everyKeyOfAClusterEnds(t *testing.T, cluster *redistest.Cluster) {
	t.Helper()
	for _, node := range cluster.Nodes() {
		everyKeyEnds(t, node.Client(nil))
	}
}
