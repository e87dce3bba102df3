package main

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
)

func claim(key string) []stores.Entry {
	return []stores.Entry{{Kind: stores.KindClaim, Key: key, TTL: time.Minute, Keep: time.Minute}}
}

func settled(t *testing.T, store *stores.Redis) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := store.Wait(ctx); err != nil {
		t.Error(err)
	}
}

func keysOf(t *testing.T, client *redis.Client) []string {
	t.Helper()
	keys, err := client.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(keys)
	return keys
}

func TestTheProgramRunsOnRedis(t *testing.T) {
	server := redistest.Start(t)
	if err := onRedis(t.Context(), "redis://"+server.Addr()); err != nil {
		t.Error(err)
	}
	want := []string{"cmdx-owner:2:{cmdx:idem:ImportStatement:2026-12}", "cmdx:idem:ImportStatement:2026-12"}
	if got := keysOf(t, server.Client(nil)); !slices.Equal(got, want) {
		t.Errorf("it leaves the keys %q", got)
	}
	server.Kill()
	if err := onRedis(t.Context(), "redis://"+server.Addr()); err == nil {
		t.Error("there is no server, and no error")
	}
}

func TestTheEvictionPolicyIsTold(t *testing.T) {
	for policy, want := range map[string]bool{"noeviction": false, "volatile-lru": true, "allkeys-lru": true} {
		client := redistest.Start(t, redistest.Setting("maxmemory-policy", policy)).Client(nil)
		if evicts, err := mayEvict(t.Context(), client); err != nil || evicts != want {
			t.Errorf("%s: %t, error %v", policy, evicts, err)
		}
	}
}

func TestAClusterIsServed(t *testing.T) {
	nodes := redistest.StartCluster(t).Nodes()
	store := cluster(nodes[0].Addr())
	result := cmdx.New(cmdx.Configuration{Store: store}).Execute(t.Context(), &ImportStatement{}, cmdx.Args{"statement_id": "a}b"})
	if !result.IsSuccess() {
		t.Error(result)
	}
}

func TestAnEndedStoreRefuses(t *testing.T) {
	client, store, err := open(t.Context(), "redis://"+redistest.Start(t).Addr())
	if err != nil {
		t.Fatal(err)
	}
	if err := shutDown(client, store); err != nil {
		t.Error(err)
	}
	result := cmdx.New(cmdx.Configuration{Store: store}).Execute(t.Context(), &ImportStatement{}, cmdx.Args{"statement_id": "a"})
	if result.Metadata()["code"] != cmdx.CodeStoreUnavailable || !errors.Is(result.Err(), stores.ErrClosed) {
		t.Errorf("%v: %v", result, result.Err())
	}
}

func TestTheKeysLieInRedisAsThePageShowsThem(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	store := stores.NewRedis(client)
	_, rows := table(t, "keys")
	for _, row := range rows {
		key, owner, mark := uncoded(row[0]), uncoded(row[1]), uncoded(row[2])
		token := stores.NewToken()
		if _, err := store.Enter(t.Context(), token, claim(key), 0); err != nil {
			t.Fatal(err)
		}
		if got := keysOf(t, client); !slices.Equal(got, sorted(key, owner)) {
			t.Errorf("a claim of %s lies under %q", key, got)
		}
		held, err := client.MGet(t.Context(), key, owner).Result()
		if err != nil || held[0] != "processing" || held[1] != token.String() {
			t.Errorf("it reads %v, error %v", held, err)
		}
		store.TakeBack(token, claim(key))
		settled(t, store)
		if got := keysOf(t, client); !slices.Equal(got, []string{strings.ReplaceAll(mark, "<token>", token.String())}) {
			t.Errorf("taken back, %s leaves %q", key, got)
		}
		client.FlushAll(t.Context())
	}
}

func sorted(keys ...string) []string {
	slices.Sort(keys)
	return keys
}

func TestACompletionGivesBothKeysOneNewEnd(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	store, token, entries := stores.NewRedis(client), stores.NewToken(), claim("cmdx:idem:A:b")
	entries[0].Part, entries[0].Keep = stores.PartComplete, time.Hour
	if _, err := store.Enter(t.Context(), token, entries, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Leave(t.Context(), token, entries); err != nil {
		t.Fatal(err)
	}
	first, second := client.PExpireTime(t.Context(), "cmdx:idem:A:b").Val(), client.PExpireTime(t.Context(), "cmdx-owner:2:{cmdx:idem:A:b}").Val()
	if left := client.PTTL(t.Context(), "cmdx:idem:A:b").Val(); first != second || left < 59*time.Minute || left > time.Hour {
		t.Errorf("they end at %v and %v, in %v", first, second, left)
	}
}

func TestTheRightsOnThePageAreEnough(t *testing.T) {
	server := redistest.Start(t)
	rights := regexp.MustCompile("(?s)`(~cmdx[^`]*)`.*?`(\\+eval [^`]*)`").FindStringSubmatch(page(t))
	if rights == nil {
		t.Fatal("the page tells no rights")
	}
	admin := server.Client(nil)
	rule := []any{"ACL", "SETUSER", "worker", "on", ">secret"}
	for word := range strings.FieldsSeq(rights[1] + " " + rights[2]) {
		rule = append(rule, word)
	}
	if err := admin.Do(t.Context(), rule...).Err(); err != nil {
		t.Fatal(err)
	}
	client := server.Client(&redis.Options{Username: "worker", Password: "secret"})
	store, token, entries := stores.NewRedis(client), stores.NewToken(), claim("cmdx:idem:A:b")
	done := func(what string, answers []stores.Answer, err error) {
		t.Helper()
		if err != nil || answers[0].Outcome != stores.OutcomeDone {
			t.Errorf("%s: %v, error %v", what, answers, err)
		}
	}
	if got, err := store.Enter(t.Context(), token, entries, 0); err != nil || got.Verdict != stores.VerdictEntered {
		t.Errorf("Enter: %v, error %v", got, err)
	}
	answers, err := store.Extend(t.Context(), token, entries)
	done("Extend", answers, err)
	for _, part := range []stores.Part{stores.PartComplete, stores.PartTakeBack} {
		entries[0].Part = part
		answers, err := store.Leave(t.Context(), token, entries)
		done(part.String(), answers, err)
	}
	store.TakeBack(token, entries)
	settled(t, store)
	_, setErr := store.Set(t.Context(), "cmdx:x", "y", stores.SetOptions{TTL: time.Minute})
	_, incrErr := store.Incr(t.Context(), "cmdx:n", time.Minute)
	_, _, getErr := store.Get(t.Context(), "cmdx:x")
	_, deleteErr := store.Delete(t.Context(), "cmdx:x")
	if err := errors.Join(setErr, incrErr, getErr, deleteErr); err != nil {
		t.Error(err)
	}
}

func TestAFullServerRefusesClaimsAndCompletionsAndFreesKeys(t *testing.T) {
	server := redistest.Start(t, redistest.Setting("maxmemory-policy", "noeviction"))
	store, token, entries := stores.NewRedis(server.Client(nil)), stores.NewToken(), claim("cmdx:idem:A:b")
	if _, err := store.Enter(t.Context(), token, entries, 0); err != nil {
		t.Fatal(err)
	}
	server.Config("maxmemory", "1")
	got, err := store.Enter(t.Context(), stores.NewToken(), claim("cmdx:idem:A:c"), 0)
	if err != nil || got.Verdict != stores.VerdictError || !strings.Contains(got.Err.Error(), "OOM") {
		t.Errorf("a claim: %+v, error %v", got, err)
	}
	entries[0].Part = stores.PartComplete
	if answers, err := store.Leave(t.Context(), token, entries); err != nil || answers[0].Outcome != stores.OutcomeError {
		t.Errorf("a completion: %v, error %v", answers, err)
	}
	if got, err := store.Enter(t.Context(), stores.NewToken(), entries, 0); err != nil || got.State != "processing" {
		t.Errorf("after a completion that could not be written: %+v, error %v", got, err)
	}
	entries[0].Part = stores.PartRelease
	if answers, err := store.Leave(t.Context(), token, entries); err != nil || answers[0].Outcome != stores.OutcomeDone {
		t.Errorf("a release: %v, error %v", answers, err)
	}
}

func TestAClaimTakesLessThanHalfAKilobyte(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	store, token := stores.NewRedis(client), stores.NewToken()
	var entries []stores.Entry
	for i := range 1000 {
		entries = append(entries, claim("cmdx:idem:ChargeCustomer:pay_"+time.Duration(i).String())...)
	}
	used := func() int {
		memory, err := client.InfoMap(t.Context(), "memory").Result()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, digit := range memory["Memory"]["used_memory_dataset"] {
			n = 10*n + int(digit-'0')
		}
		return n
	}
	if _, err := store.Enter(t.Context(), token, entries[:1], 0); err != nil { // the script is known
		t.Fatal(err)
	}
	before := used()
	for i := range entries {
		if _, err := store.Enter(t.Context(), token, entries[i:i+1], 0); err != nil {
			t.Fatal(err)
		}
	}
	each := (used() - before) / len(entries)
	t.Logf("%d bytes a claim", each)
	if each > 500 || each < 100 {
		t.Errorf("a claim takes %d bytes", each)
	}
	if !strings.Contains(page(t), "less than half a kilobyte") {
		t.Error("the page tells another figure")
	}
}
