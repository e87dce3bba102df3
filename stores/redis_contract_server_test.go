package stores_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
)

// commands counts what a client sends, each command of its own.
type commands struct{ atomic.Int64 }

func (c *commands) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (c *commands) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.Add(1)
		return next(ctx, cmd)
	}
}

func (c *commands) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error { return next(ctx, cmds) }
}

// in returns how many commands were sent meanwhile.
func (c *commands) in(body func()) int64 {
	before := c.Load()
	body()
	return c.Load() - before
}

// claims are entries of these keys that a run completes.
func claims(keys ...string) []stores.Entry {
	var entries []stores.Entry
	for _, key := range keys {
		entries = append(entries, stores.Entry{
			Kind: stores.KindClaim, Key: key, TTL: time.Minute, Keep: time.Minute, Part: stores.PartComplete,
		})
	}
	return entries
}

func wantEntered(t *testing.T, store *stores.Redis, token stores.Token, entries []stores.Entry) {
	t.Helper()
	if got, err := store.Enter(t.Context(), token, entries, 0); err != nil || got.Verdict != stores.VerdictEntered {
		t.Errorf("Enter: got %s, error %v, want entered", got.Verdict, err)
	}
}

// wantOutcome extends and leaves, and expects one outcome of all entries.
func wantOutcome(t *testing.T, store *stores.Redis, token stores.Token, entries []stores.Entry, want stores.Outcome) {
	t.Helper()
	extended, err := store.Extend(t.Context(), token, entries)
	if err != nil {
		t.Errorf("Extend: unexpected error: %v", err)
	}
	left, err := store.Leave(t.Context(), token, entries)
	if err != nil {
		t.Errorf("Leave: unexpected error: %v", err)
	}
	if len(extended) != len(entries) || len(left) != len(entries) {
		t.Fatalf("%d and %d answers for %d entries", len(extended), len(left), len(entries))
	}
	for i := range entries {
		if extended[i].Outcome != want || left[i].Outcome != want {
			t.Errorf("entry %d: Extend gave %s and Leave %s, want %s", i, extended[i].Outcome, left[i].Outcome, want)
		}
	}
}

func wantReads(t *testing.T, store *stores.Redis, key, want string) {
	t.Helper()
	if got, found, err := store.Get(t.Context(), key); err != nil || got != want || found != (want != "") {
		t.Errorf("Get %s: got %q, found %t, error %v, want %q", key, got, found, err, want)
	}
}

func TestRedisScriptsSurviveAFlush(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(nil)
	store := stores.NewRedis(client)
	flush := func() {
		if err := client.ScriptFlush(t.Context()).Err(); err != nil {
			t.Fatalf("SCRIPT FLUSH: %v", err)
		}
	}
	for round := range 2 { // at first no script is known
		token, entries := stores.NewToken(), claims(fmt.Sprint("claim", round))
		flush()
		wantEntered(t, store, token, entries)
		flush()
		if answers, err := store.Extend(t.Context(), token, entries); err != nil || answers[0].Outcome != stores.OutcomeDone {
			t.Errorf("Extend: got %v, error %v", answers, err)
		}
		flush()
		if answers, err := store.Leave(t.Context(), token, entries); err != nil || answers[0].Outcome != stores.OutcomeDone {
			t.Errorf("Leave: got %v, error %v", answers, err)
		}
		flush()
		wantReads(t, store, entries[0].Key, stores.ValueCompleted)
		flush()
		if n, err := store.Incr(t.Context(), "counter", time.Minute); err != nil || n != int64(round+1) {
			t.Errorf("Incr: got %d, error %v", n, err)
		}
		flush()
		if stored, err := store.Set(t.Context(), "plain", "x", stores.SetOptions{TTL: time.Minute}); err != nil || !stored {
			t.Errorf("Set: got %t, error %v", stored, err)
		}
		flush()
		if deleted, err := store.Delete(t.Context(), "plain"); err != nil || !deleted {
			t.Errorf("Delete: got %t, error %v", deleted, err)
		}
		given := stores.NewToken()
		wantEntered(t, store, given, claims("given back"))
		flush()
		store.TakeBack(given, claims("given back"))
		settled(t, store)
		wantReads(t, store, "given back", "")
	}
	everyKeyEnds(t, client)
}

func TestRedisClaimsGoThroughARestart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options []redistest.Option
		want    stores.Outcome
		reads   string
	}{
		{"with a server that keeps them", []redistest.Option{redistest.AppendOnly()}, stores.OutcomeDone, stores.ValueCompleted},
		{"lost with a server that does not", nil, stores.OutcomeLost, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := redistest.Start(t, c.options...)
			client := server.Client(nil)
			store := stores.NewRedis(client)
			token, entries := stores.NewToken(), claims("a", "{b}", "c}")
			wantEntered(t, store, token, entries)
			server.Restart()
			wantOutcome(t, store, token, entries, c.want)
			for _, e := range entries {
				wantReads(t, store, e.Key, c.reads)
			}
			everyKeyEnds(t, client)
		})
	}
}

func TestRedisEntersAndLeavesInOneCall(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(nil)
	store := stores.NewRedis(client)
	wantEntered(t, store, stores.NewToken(), claims("first")) // makes the scripts known
	wantOutcome(t, store, stores.NewToken(), claims("first"), stores.OutcomeLost)
	sent := &commands{}
	client.AddHook(sent)
	token, entries := stores.NewToken(), claims("a", "b", "c")
	if n := sent.in(func() { wantEntered(t, store, token, entries) }); n != 1 {
		t.Errorf("Enter of three sent %d commands, want 1", n)
	}
	if n := sent.in(func() { wantOutcome(t, store, token, entries, stores.OutcomeDone) }); n != 2 {
		t.Errorf("Extend and Leave of three sent %d commands, want one each", n)
	}
}

func TestRedisClusterAsksForEachEntry(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	client := cluster.Client(nil)
	store := stores.NewRedis(client)
	for _, node := range cluster.Nodes() { // makes the scripts known to every node
		for _, key := range keysOf(t, node.Client(nil), 1) {
			token := stores.NewToken()
			wantEntered(t, store, token, claims(key))
			wantOutcome(t, store, token, claims(key), stores.OutcomeDone)
		}
	}
	sent := &commands{}
	client.AddHook(sent)
	token, entries := stores.NewToken(), claims("a", "b", "c")
	if n := sent.in(func() { wantEntered(t, store, token, entries) }); n != 3 {
		t.Errorf("Enter of three sent %d commands, want 3", n)
	}
	if n := sent.in(func() { wantOutcome(t, store, token, entries, stores.OutcomeDone) }); n != 6 {
		t.Errorf("Extend and Leave of three sent %d commands, want three each", n)
	}
	everyKeyOfAClusterEnds(t, cluster)
}

// A client of a single node does not know that it talks to a cluster.
func TestRedisRemembersThatSlotsDiffer(t *testing.T) {
	t.Parallel()
	node := redistest.StartCluster(t).Nodes()[0]
	keys := keysOf(t, node.Client(nil), 6)
	for _, c := range []struct {
		name string
		meet func(store *stores.Redis, token stores.Token, entries []stores.Entry)
	}{
		{"after an Enter", func(store *stores.Redis, token stores.Token, entries []stores.Entry) {
			wantEntered(t, store, token, entries)
		}},
		{"after an Extend and a Leave", func(store *stores.Redis, token stores.Token, entries []stores.Entry) {
			wantOutcome(t, store, token, entries, stores.OutcomeLost)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := node.Client(nil)
			store := stores.NewRedis(client)
			for i := range 2 { // a single entry tells nothing of slots, and makes the scripts known
				token := stores.NewToken()
				wantEntered(t, store, token, claims(keys[i]))
				wantOutcome(t, store, token, claims(keys[i]), stores.OutcomeDone)
				deleteKey(t, store, keys[i])
			}
			c.meet(store, stores.NewToken(), claims(keys[0], keys[1]))
			sent := &commands{}
			client.AddHook(sent)
			token, entries := stores.NewToken(), claims(keys[2], keys[3], keys[4])
			if n := sent.in(func() { wantEntered(t, store, token, entries) }); n != 3 {
				t.Errorf("the Enter of three that follows sent %d commands, want 3", n)
			}
			if n := sent.in(func() { wantOutcome(t, store, token, entries, stores.OutcomeDone) }); n != 6 {
				t.Errorf("the Extend and Leave that follow sent %d commands, want three each", n)
			}
			for _, key := range keys {
				deleteKey(t, store, key)
			}
		})
	}
}

func deleteKey(t *testing.T, store *stores.Redis, key string) {
	t.Helper()
	if _, err := store.Delete(t.Context(), key); err != nil {
		t.Errorf("Delete: unexpected error: %v", err)
	}
}

// keysOf returns keys that a node of a cluster serves, in different slots.
func keysOf(t *testing.T, node *redis.Client, count int) []string {
	t.Helper()
	var keys []string
	slots := map[int64]bool{}
	for i := 0; len(keys) < count; i++ {
		key := fmt.Sprint("key", i)
		switch err := node.Get(t.Context(), key).Err(); {
		case err == nil, errors.Is(err, redis.Nil):
		default:
			continue // moved: another node's
		}
		slot, err := node.ClusterKeySlot(t.Context(), key).Result()
		if err != nil {
			t.Fatalf("the node tells no slot: %v", err)
		}
		if !slots[slot] {
			slots[slot], keys = true, append(keys, key)
		}
	}
	return keys
}
