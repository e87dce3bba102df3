package spec

import (
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

// redisGuarded has every guard there is, each with a key of its own.
type redisGuarded struct{ redisWork }

func (*redisGuarded) Configure(c *cmdx.Config) {
	c.Name("Guarded")
	c.RateLimit(cmdx.FromContext("rate"), cmdx.Rate{Limit: 3, Per: time.Minute})
	c.CircuitBreaker(cmdx.FromContext("breaker"), cmdx.Breaker{Threshold: 2, CoolOff: time.Minute})
	c.LimitConcurrency(cmdx.FromContext("slot"), cmdx.Concurrency{Limit: 1, TTL: time.Minute})
	c.LockWith(cmdx.FromContext("lock"), cmdx.Lock{TTL: time.Minute})
	c.IdempotentBy(cmdx.FromContext("id"))
}

// redisPatient waits for its lock.
type redisPatient struct{ redisGuarded }

func (*redisPatient) Configure(c *cmdx.Config) {
	c.Name("Patient")
	c.LockWith(cmdx.FromContext("lock"), cmdx.Lock{Wait: redisBound})
}

// redisGuardArgs are keys that all end as name does, or with others named.
func redisGuardArgs(name string, others ...string) cmdx.Args {
	args := cmdx.Args{}
	for _, part := range []string{"rate", "breaker", "slot", "lock", "id"} {
		args[part] = part + "_" + name
	}
	for i := 0; i+1 < len(others); i += 2 {
		args[others[i]] = others[i+1]
	}
	return args
}

// redisGuardKeys are the store keys of these arguments, in the order of the
// guards.
func redisGuardKeys(args cmdx.Args) []string {
	return []string{
		fmt.Sprint("cmdx:rate:Guarded:", args["rate"]), fmt.Sprint("cmdx:breaker:Guarded:", args["breaker"]),
		fmt.Sprint("cmdx:slots:Guarded:", args["slot"]), fmt.Sprint("cmdx:lock:Guarded:", args["lock"]),
		fmt.Sprint("cmdx:idem:Guarded:", args["id"]),
	}
}

// redisSent is a hook that keeps what a client sends, handshakes left out.
type redisSent struct {
	mu       sync.Mutex
	commands [][]any
}

func (s *redisSent) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (s *redisSent) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if slices.Contains([]string{"evalsha", "eval"}, cmd.Name()) {
			s.mu.Lock()
			s.commands = append(s.commands, cmd.Args())
			s.mu.Unlock()
		}
		return next(ctx, cmd)
	}
}

func (s *redisSent) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// take returns what was sent since it was asked last.
func (s *redisSent) take() [][]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.commands
	s.commands = nil
	return taken
}

// redisEveryKeyEnds expects no key without an end.
func redisEveryKeyEnds(client *redis.Client) {
	GinkgoHelper()
	names, err := client.Keys(context.Background(), "*").Result()
	Expect(err).NotTo(HaveOccurred())
	for _, name := range names {
		Expect(client.PTTL(context.Background(), name).Val()).NotTo(Equal(time.Duration(-1)), name)
	}
}

// redisEntries are entries of every kind for a run that succeeds.
func redisEntries(name string) []stores.Entry {
	rate := func(pace stores.Pace) *stores.RateRule {
		return &stores.RateRule{Limit: 2, Per: time.Minute, Pace: pace}
	}
	breaker := &stores.BreakerRule{Threshold: 2, CoolOff: time.Minute, Probes: 1}
	return []stores.Entry{
		{Kind: stores.KindRate, Key: "window:" + name, TTL: time.Minute, Rate: rate(stores.PaceWindow)},
		{Kind: stores.KindRate, Key: "smooth:" + name, TTL: time.Minute, Rate: rate(stores.PaceSmooth)},
		{Kind: stores.KindBreaker, Key: "breaker:" + name, TTL: time.Minute, Breaker: breaker, Part: stores.PartSuccess},
		{Kind: stores.KindPlace, Key: "place:" + name, TTL: time.Minute, Limit: 1, Part: stores.PartRelease},
		{Kind: stores.KindLock, Key: "lock:" + name, TTL: time.Minute, Part: stores.PartRelease},
		{Kind: stores.KindClaim, Key: "claim:" + name, TTL: time.Minute, Keep: time.Minute, Part: stores.PartComplete},
	}
}

// redisAnswer is an Enter that must have an answer.
func redisAnswer(store *stores.Redis, token stores.Token, entries []stores.Entry) stores.Entered {
	GinkgoHelper()
	entered, err := store.Enter(context.Background(), token, entries, 0)
	Expect(err).NotTo(HaveOccurred())
	return entered
}

// redisOutcomes is a Leave that must have answers.
func redisOutcomes(store *stores.Redis, token stores.Token, entries []stores.Entry) []stores.Answer {
	GinkgoHelper()
	answers, err := store.Leave(context.Background(), token, entries)
	Expect(err).NotTo(HaveOccurred())
	return answers
}
