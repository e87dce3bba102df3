package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

// region memory
// alone makes a runtime whose claims nobody else sees.
func alone() *cmdx.Runtime {
	return cmdx.New(cmdx.Configuration{Store: stores.NewMemory()})
}

// endregion

// region redis
// open connects to a URL such as redis://user:password@localhost:6379/0.
func open(ctx context.Context, url string) (*redis.Client, *stores.Redis, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, nil, err
	}
	o.MaxRetries = -1 // the framework sends again by itself
	client := redis.NewClient(o)
	if err := client.Ping(ctx).Err(); err != nil {
		return nil, nil, errors.Join(err, client.Close())
	}
	return client, stores.NewRedis(client), nil
}

// endregion

// region kinds
// sentinel follows the master that the sentinels name.
func sentinel(master string, sentinels ...string) *stores.Redis {
	return stores.NewRedis(redis.NewFailoverClient(&redis.FailoverOptions{
		MasterName: master, SentinelAddrs: sentinels, MaxRetries: -1,
	}))
}

// cluster spreads the keys over the nodes. It keeps its retries: they follow
// a slot that moves.
func cluster(nodes ...string) *stores.Redis {
	return stores.NewRedis(redis.NewClusterClient(&redis.ClusterOptions{Addrs: nodes}))
}

// endregion

// region close
// shutDown comes when the workers have stopped: first the store, which may
// still have something to take back, then its client.
func shutDown(client *redis.Client, store *stores.Redis) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return errors.Join(store.Close(ctx), client.Close())
}

// endregion

// region evicts
// mayEvict tells at the start of a program whether the server throws keys
// away when its memory is full.
func mayEvict(ctx context.Context, client *redis.Client) (bool, error) {
	memory, err := client.InfoMap(ctx, "memory").Result()
	if err != nil {
		return false, err
	}
	return memory["Memory"]["maxmemory_policy"] != "noeviction", nil
}

// endregion

// region lifetimes
// ImportStatement works for minutes, sometimes for an hour.
type ImportStatement struct {
	cmdx.Base
	StatementID string `cmdx:"statement_id,required"`
}

// Configure frees the key of a dead worker after a minute, and remembers what
// was done for as long as the bank may send it again.
func (*ImportStatement) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("statement_id"), cmdx.Idempotency{
		ProcessingTTL: time.Minute, Renew: cmdx.On,
		TTL: 72 * time.Hour,
	})
}

// endregion

// Work has nothing to show.
func (*ImportStatement) Work(context.Context) error { return nil }

// region ruby
// ChargeCustomer shares its claims with the Ruby class of that name.
type ChargeCustomer struct {
	cmdx.Base
	PaymentID string `cmdx:"payment_id,required"`
}

// Configure writes the name as Ruby does, modules included.
func (*ChargeCustomer) Configure(c *cmdx.Config) {
	c.Name("Billing::ChargeCustomer")
	c.IdempotentBy(cmdx.FromContext("payment_id"), cmdx.Idempotency{TTL: 10 * time.Minute})
}

// endregion

// Work has nothing to show.
func (*ChargeCustomer) Work(context.Context) error { return nil }

func ruby(ctx context.Context) {
	// region ruby-run
	store := stores.NewMemory() // stands for the Redis that both reach
	runtime := cmdx.New(cmdx.Configuration{Store: store})
	const key = "cmdx:idem:Billing::ChargeCustomer:pay_123"

	_, _ = store.Set(ctx, key, "processing", stores.SetOptions{TTL: 10 * time.Minute, NX: true}) // Ruby claims
	fmt.Println(runtime.Execute(ctx, &ChargeCustomer{}, cmdx.Args{"payment_id": "pay_123"}).Reason())

	_, _ = store.Set(ctx, key, "completed", stores.SetOptions{TTL: 10 * time.Minute, XX: true}) // and completes
	fmt.Println(runtime.Execute(ctx, &ChargeCustomer{}, cmdx.Args{"payment_id": "pay_123"}).Reason())
	// endregion
}
