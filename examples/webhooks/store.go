package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx/stores"
)

// inMemory is the name of the store that serves this process alone.
const inMemory = "memory"

// storeWithin is how long a server may take to answer at the start, and to
// answer what it still owes at the end.
const storeWithin = 5 * time.Second

// openStore makes the store that a flag names and asks whether it answers.
// Texts hold no URL, since a URL may hold a password.
func openStore(ctx context.Context, name string) (store stores.Store, closeIt func(), err error) {
	if name == inMemory {
		return stores.NewMemory(), func() {}, nil
	}
	o, err := redis.ParseURL(name)
	if err != nil {
		if _, ok := errors.AsType[*url.Error](err); ok {
			err = errors.New("this is no URL") // its own text shows parts of it
		}
		return nil, nil, fmt.Errorf("-store must be %s or a URL such as redis://localhost:6379/0: %w", inMemory, err)
	}
	if o.MaxRetries == 0 {
		o.MaxRetries = -1 // the framework sends again, and knows by its token what was done
	}
	client := redis.NewClient(o)
	if err := answers(ctx, client); err != nil {
		_ = client.Close()
		return nil, nil, fmt.Errorf("no redis answers at %s: %w", o.Addr, err)
	}
	shared := stores.NewRedis(client)
	return shared, func() {
		ctx, cancel := context.WithTimeout(context.Background(), storeWithin)
		defer cancel()
		_ = shared.Close(ctx)
		_ = client.Close()
	}, nil
}

// answers asks in a goroutine of its own, since a client that reads does not
// look at ctx.
func answers(ctx context.Context, client *redis.Client) error {
	ctx, cancel := context.WithTimeoutCause(ctx, storeWithin, fmt.Errorf("nothing came within %v", storeWithin))
	defer cancel()
	asked := make(chan error, 1)
	go func() { asked <- client.Ping(ctx).Err() }()
	select {
	case err := <-asked:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
