// Command worker is a process that a spec kills, stops and wakes while it
// charges a payment. It tells on standard output what it has come to, a line
// each, and goes on when a line on standard input says so.
//
//	execute     execute once                      → work 0, …, result skipped duplicate processing
//	await       execute until the key's first run has ended → the same
//	succeed     let Work end without an error     → leaving
//	raise       let Work end with an error        → pausing or leaving
//	leave       let the run leave its claim       → completed or lost, result success
//	commit      with -commit: let the run commit  → leaving, or result success
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

var (
	addr = flag.String("addr", "", "the server's address")
	ttl  = flag.Duration("ttl", time.Minute, "how long a claim lives whose run neither ends nor gives up")
	// commit is for a middleware that waits before it commits: "" for none,
	// "AfterPipeline" or "AfterMiddlewares" for the claim's Settle.
	commit = flag.String("commit", "", "let a middleware wait, and when the claim settles")
	pause  = flag.Duration("pause", time.Minute, "the pause before a further attempt")
)

var errOutage = errors.New("the gateway is away")

// chargePayment lets standard input decide how Work ends.
type chargePayment struct{ cmdx.Base }

// Configure declares what the flags say.
func (*chargePayment) Configure(c *cmdx.Config) {
	c.Name("ChargePayment")
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{ProcessingTTL: *ttl, TTL: time.Minute})
	if *commit != "" {
		settle := map[string]cmdx.Settle{"AfterPipeline": cmdx.AfterPipeline, "AfterMiddlewares": cmdx.AfterMiddlewares}
		c.IdempotentBy(nil, cmdx.Idempotency{Settle: settle[*commit]})
		c.Use(cmdx.MiddlewareFunc(committing))
	}
	c.RetryOn(cmdx.AnyError, cmdx.Retry{
		Limit: 1, Delay: *pause,
		Jitter: func(_ int, delay, _ time.Duration) time.Duration {
			say("pausing")
			return delay
		},
	})
}

// Work tells its attempt and waits.
func (t *chargePayment) Work(context.Context) error {
	say("work", t.Attempt())
	if hear() == "raise" {
		return errOutage
	}
	t.Context().Set("charged", true)
	return nil
}

// committing waits between Work and a commit.
func committing(ctx context.Context, task cmdx.Task, next cmdx.Next) error {
	err := next(ctx)
	if task.(*chargePayment).Context().Has("charged") {
		say("committing")
		hear()
	}
	return err
}

// halting is a store at whose Leave the process waits.
type halting struct{ *stores.Redis }

// Leave waits before it leaves.
func (h halting) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	say("leaving")
	hear()
	return h.Redis.Leave(ctx, token, entries)
}

var (
	lines    = bufio.NewScanner(os.Stdin)
	patience = 50 * time.Millisecond // between the tries of await
)

func say(words ...any) { fmt.Println(words...) }

// hear returns the next line; the process ends with its standard input.
func hear() string {
	if !lines.Scan() {
		os.Exit(0)
	}
	return lines.Text()
}

func main() {
	flag.Parse()
	store := stores.NewRedis(redis.NewClient(&redis.Options{Addr: *addr}))
	if *load {
		underLoad(cmdx.New(cmdx.Configuration{Store: store}))
		return
	}
	runtime := cmdx.New(cmdx.Configuration{Store: halting{store}})
	for _, name := range []cmdx.EventName{
		cmdx.EventIdempotencyCompleted, cmdx.EventIdempotencyLost, cmdx.EventIdempotencyCompletionFailed,
	} {
		runtime.Telemetry().Subscribe(name, func(e cmdx.Event) { say(strings.TrimPrefix(string(e.Name), "idempotency_")) })
	}
	execute := func() *cmdx.Result {
		return runtime.Execute(context.Background(), &chargePayment{}, cmdx.Args{"id": "pay_1"})
	}
	say("ready")
	for {
		command := hear()
		res := execute()
		for command == "await" && res.Metadata()["state"] == stores.ValueProcessing {
			time.Sleep(patience)
			res = execute()
		}
		say(outcome(res)...)
	}
}

// outcome tells a result in words.
func outcome(r *cmdx.Result) []any {
	words := []any{"result", r.Status()}
	for _, name := range []string{"code", "state"} {
		if word, ok := r.Metadata()[name]; ok {
			words = append(words, word)
		}
	}
	var lost *cmdx.LeaseLostError
	if errors.As(r.Cause(), &lost) {
		words = append(words, "lease lost")
	}
	return words
}
