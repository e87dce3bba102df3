package main

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

func sharedStore(context.Context) {
	// region redis
	client := redis.NewClient(&redis.Options{Addr: "localhost:6379"})
	cmdx.Configure(func(c *cmdx.Configuration) {
		c.Store = stores.NewRedis(client)
	})
	// endregion
	defer client.Close()
	fmt.Printf("%T\n", cmdx.Default().Store())
}
