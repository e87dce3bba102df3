package stores_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

func TestZZRedis(t *testing.T) {
	c := redis.NewClient(&redis.Options{Addr: "127.0.0.1:16399"})
	var s *stores.Redis
	storetest.Run(t, storetest.Suite{
		New:  func(*testing.T) stores.Store { s = stores.NewRedis(c); return s },
		Unit: 100 * time.Millisecond,
		Settle: func() { ctx, cancel := context.WithTimeout(context.Background(), time.Second); defer cancel(); s.Wait(ctx) },
	})
}
