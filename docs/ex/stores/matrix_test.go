package main

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
)

const (
	matrixKey   = "cmdx:idem:ChargeCustomer:pay_123"
	matrixOwner = "cmdx-owner:2:{cmdx:idem:ChargeCustomer:pay_123}"
)

// meddling is what another program does to a claim that is under way, by the
// words of the page.
var meddling = map[string]func(context.Context, *redis.Client) error{
	"nothing":                               func(context.Context, *redis.Client) error { return nil },
	"`DEL` of the claim's key":              func(ctx context.Context, c *redis.Client) error { return c.Del(ctx, matrixKey).Err() },
	"`DEL` of the owner's key, or eviction": func(ctx context.Context, c *redis.Client) error { return c.Del(ctx, matrixOwner).Err() },
	"`FLUSHALL`, expiry, loss of both keys": func(ctx context.Context, c *redis.Client) error { return c.FlushAll(ctx).Err() },
	"`DEL`, then a claim of its own": func(ctx context.Context, c *redis.Client) error {
		c.Del(ctx, matrixKey)
		return c.Set(ctx, matrixKey, "processing", 90*time.Second).Err()
	},
	"`SET … completed XX EX`": func(ctx context.Context, c *redis.Client) error {
		return c.SetArgs(ctx, matrixKey, "completed", redis.SetArgs{Mode: "XX", TTL: 5 * time.Minute}).Err()
	},
	"`SET … completed KEEPTTL`": func(ctx context.Context, c *redis.Client) error {
		return c.SetArgs(ctx, matrixKey, "completed", redis.SetArgs{KeepTTL: true}).Err()
	},
	"`EXPIRE` of the claim's key":  func(ctx context.Context, c *redis.Client) error { return c.Expire(ctx, matrixKey, time.Hour).Err() },
	"`PERSIST` of the claim's key": func(ctx context.Context, c *redis.Client) error { return c.Persist(ctx, matrixKey).Err() },
	"`SET` of another value": func(ctx context.Context, c *redis.Client) error {
		return c.SetArgs(ctx, matrixKey, "done", redis.SetArgs{KeepTTL: true}).Err()
	},
	"a value of another type": func(ctx context.Context, c *redis.Client) error {
		c.Del(ctx, matrixKey)
		return c.HSet(ctx, matrixKey, "state", "processing").Err()
	},
}

// operations are the columns of the page's table; token holds the claim.
var operations = map[string]func(context.Context, *stores.Redis, stores.Token) string{
	"Enter of another run": func(ctx context.Context, s *stores.Redis, _ stores.Token) string {
		return entering(ctx, s, stores.NewToken())
	},
	"its own Enter again": entering,
	"Extend": func(ctx context.Context, s *stores.Redis, token stores.Token) string {
		answers, err := s.Extend(ctx, token, claim(matrixKey))
		return outcome(answers, err)
	},
	"complete":  leaving(stores.PartComplete),
	"release":   leaving(stores.PartRelease),
	"take back": leaving(stores.PartTakeBack),
}

func entering(ctx context.Context, s *stores.Redis, token stores.Token) string {
	got, err := s.Enter(ctx, token, claim(matrixKey), 0)
	switch {
	case err != nil:
		return err.Error()
	case got.Verdict == stores.VerdictRefused:
		return got.State
	}
	return got.Verdict.String()
}

func leaving(part stores.Part) func(context.Context, *stores.Redis, stores.Token) string {
	return func(ctx context.Context, s *stores.Redis, token stores.Token) string {
		entries := claim(matrixKey)
		entries[0].Part = part
		return outcome(s.Leave(ctx, token, entries))
	}
}

func outcome(answers []stores.Answer, err error) string {
	if err != nil {
		return err.Error()
	}
	return answers[0].Outcome.String()
}

func TestWhatOtherProgramsDoIsAnsweredAsThePageSays(t *testing.T) {
	client := redistest.Start(t).Client(nil)
	store := stores.NewRedis(client)
	head, rows := table(t, "matrix")
	var tried []string
	for _, row := range rows {
		meddle := meddling[row[0]]
		if meddle == nil {
			t.Errorf("the page tells of %q, and nobody has tried it", row[0])
			continue
		}
		tried = append(tried, row[0])
		for i, name := range head[1:] {
			operate := operations[name]
			if operate == nil {
				t.Fatalf("the page tells of the operation %q, and nobody has tried it", name)
			}
			token := stores.NewToken()
			if err := client.FlushAll(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
			if got := entering(t.Context(), store, token); got != "entered" {
				t.Fatalf("a free key gives %q", got)
			}
			if err := meddle(t.Context(), client); err != nil {
				t.Fatalf("%s: %v", row[0], err)
			}
			if got := operate(t.Context(), store, token); got != uncoded(row[i+1]) {
				t.Errorf("after %s, %s gives %q, and the page says %q", row[0], name, got, uncoded(row[i+1]))
			}
		}
	}
	if len(head) != 1+len(operations) {
		t.Errorf("the page has the columns %q", head)
	}
	for what := range meddling {
		if !slices.Contains(tried, what) {
			t.Errorf("the page does not tell of %q", what)
		}
	}
}
