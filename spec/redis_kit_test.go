package spec

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
)

// redisWork is a parent whose Work does what a spec hands it.
type redisWork struct {
	cmdx.Base
	Do func(ctx context.Context) error
}

func (w *redisWork) Work(ctx context.Context) error {
	if w.Do == nil {
		return nil
	}
	return w.Do(ctx)
}

type redisCharge struct{ redisWork }

func (*redisCharge) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("id")) }

type redisOpenCharge struct{ redisWork }

func (*redisOpenCharge) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{OnStoreError: cmdx.FailOpen})
}

type redisGatedCharge struct{ redisWork }

func (*redisGatedCharge) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{If: cmdx.Never})
}

const (
	redisChargeKey = "cmdx:idem:redisCharge:pay_1"
	redisOpenKey   = "cmdx:idem:redisOpenCharge:pay_1"
)

// redisBound is how long a spec waits for what must happen; a busy machine
// takes a small part of it.
const redisBound = 20 * time.Second

// redisOnce is a client that sends every command once, redisOften one with
// go-redis's default of three repetitions.
var (
	redisOnce  = &redis.Options{MaxRetries: -1}
	redisOften = &redis.Options{MaxRetries: 3}
)

// redisRig is a runtime whose store reaches a server of its own through a
// proxy, and another program's client that goes to the server itself.
type redisRig struct {
	*cmdx.Runtime
	server *redistest.Server
	proxy  *redistest.Proxy
	store  *stores.Redis
	other  *redis.Client
	log    *doLog

	doTrack // Work and events, in their order
	mu      sync.Mutex
	events  []cmdx.Event
}

// newRedisRig starts server and proxy. The server knows the scripts already,
// so that every step of a spec is one round trip.
func newRedisRig(client *redis.Options, server ...redistest.Option) *redisRig {
	GinkgoHelper()
	r := &redisRig{server: redistest.Start(GinkgoTB(), server...), log: &doLog{}}
	r.proxy = redistest.StartProxy(GinkgoTB(), r.server.Addr())
	r.other = r.server.Client(nil)
	r.store = stores.NewRedis(r.proxy.Client(client))
	r.Runtime = cmdx.New(cmdx.Configuration{Store: r.store, Logger: r.log.logger()})
	for _, name := range []cmdx.EventName{
		cmdx.EventIdempotencyClaimed, cmdx.EventIdempotencyCompleted, cmdx.EventIdempotencyDuplicate,
		cmdx.EventIdempotencyLost, cmdx.EventIdempotencyCompletionFailed, cmdx.EventIdempotencyReleaseFailed,
		cmdx.EventIdempotencyStoreFailed,
	} {
		r.Telemetry().Subscribe(name, func(e cmdx.Event) {
			r.add("%s", regexp.MustCompile(`^idempotency_`).ReplaceAllString(string(e.Name), ""))
			r.mu.Lock()
			defer r.mu.Unlock()
			r.events = append(r.events, e)
		})
	}
	r.warm()
	return r
}

// warm makes the scripts known to the server.
func (r *redisRig) warm() {
	GinkgoHelper()
	redisWarm(r.store)
	r.proxy.Forget()
}

func redisWarm(store *stores.Redis) {
	GinkgoHelper()
	token, entries := stores.NewToken(), redisClaim("warm", stores.PartRelease)
	redisEnter(store, token, entries)
	Expect(store.Extend(context.Background(), token, entries)).To(Equal([]stores.Answer{{Outcome: stores.OutcomeDone}}))
	Expect(store.Leave(context.Background(), token, entries)).To(Equal([]stores.Answer{{Outcome: stores.OutcomeDone}}))
}

// redisClaim is one claim for a minute.
func redisClaim(key string, part stores.Part) []stores.Entry {
	return []stores.Entry{{Kind: stores.KindClaim, Key: key, TTL: time.Minute, Keep: time.Minute, Part: part}}
}

func redisEnter(store *stores.Redis, token stores.Token, entries []stores.Entry) {
	GinkgoHelper()
	Expect(store.Enter(context.Background(), token, entries, 0)).To(Equal(stores.Entered{Verdict: stores.VerdictEntered}))
}

// work is a Work that is noted and ends with err.
func (r *redisRig) work(err error) redisWork {
	return r.doing(func(context.Context) error { return err })
}

// doing is a Work that is noted and does f.
func (r *redisRig) doing(f func(context.Context) error) redisWork {
	return redisWork{Do: func(ctx context.Context) error {
		r.add("work")
		return f(ctx)
	}}
}

// run executes a task for pay_1.
func (r *redisRig) run(task cmdx.Task) *cmdx.Result {
	return r.Execute(context.Background(), task, cmdx.Args{"id": "pay_1"})
}

// payload is that of the last event of a name; nil when there was none.
func (r *redisRig) payload(name cmdx.EventName) map[string]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.events) - 1; i >= 0; i-- {
		if r.events[i].Name == name {
			return maps.Clone(r.events[i].Payload)
		}
	}
	return nil
}

// value is what another program reads under a key, "" for nothing.
func (r *redisRig) value(key string) string {
	GinkgoHelper()
	return redisValue(r.other, key)
}

func redisValue(client *redis.Client, key string) string {
	GinkgoHelper()
	value, err := client.Get(context.Background(), key).Result()
	if err != redis.Nil {
		Expect(err).NotTo(HaveOccurred())
	}
	return value
}

// settled waits until the store owes nothing behind its callers.
func (r *redisRig) settled() {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(context.Background(), redisBound)
	defer cancel()
	Expect(r.store.Wait(ctx)).To(Succeed())
}

// runsAgain expects that the key is free: the next execution runs Work and
// completes.
func (r *redisRig) runsAgain() {
	GinkgoHelper()
	before := len(r.all())
	Expect(r.run(&redisCharge{r.work(nil)})).To(idemEnd("success"))
	Expect(r.all()[before:]).To(Equal([]string{"claimed", "work", "completed"}))
}

// redisKey is one key as another program sees it.
type redisKey struct {
	Value string // "" when there is none, its type for what is no text
	Ends  int64  // in Unix milliseconds, -1 for never, -2 when there is none
}

func redisLook(client *redis.Client, key string) redisKey {
	GinkgoHelper()
	ctx := context.Background()
	kind, err := client.Type(ctx, key).Result()
	Expect(err).NotTo(HaveOccurred())
	k := redisKey{}
	if kind == "string" {
		k.Value = redisValue(client, key)
	} else if kind != "none" {
		k.Value = kind
	}
	k.Ends, err = client.Do(ctx, "PEXPIRETIME", key).Int64()
	Expect(err).NotTo(HaveOccurred())
	return k
}

// redisKeys are all keys of a server with what lies there, but for the marks
// of runs that were given up.
func redisKeys(client *redis.Client) map[string]redisKey {
	GinkgoHelper()
	names, err := client.Keys(context.Background(), "*").Result()
	Expect(err).NotTo(HaveOccurred())
	all := map[string]redisKey{}
	for _, name := range names {
		if !regexp.MustCompile(`^cmdx-void:`).MatchString(name) {
			all[name] = redisLook(client, name)
		}
	}
	return all
}

// redisOwner is the key beside a claim's that says who holds it, in the form
// for keys without braces.
func redisOwner(key string) string { return fmt.Sprintf("cmdx-owner:2:{%s}", key) }

// redisTick lets the server's clock go on by more than any two keys of one
// claim may differ.
func redisTick(client *redis.Client) {
	GinkgoHelper()
	now := func() time.Time {
		t, err := client.Time(context.Background()).Result()
		Expect(err).NotTo(HaveOccurred())
		return t
	}
	began := now()
	Eventually(now).WithTimeout(redisBound).WithPolling(time.Millisecond).Should(BeTemporally(">", began.Add(20*time.Millisecond)))
}
