// Command stores holds the samples of docs/stores.md. It runs those that need
// no server, and with the URL of a Redis also the others.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

func main() {
	ctx := context.Background()
	fmt.Println("kinds")
	kinds()
	fmt.Println("\na store of one's own")
	ownStore(ctx)
	fmt.Println("\na key that Ruby shares")
	ruby(ctx)
	if len(os.Args) < 2 {
		return
	}
	fmt.Println("\nredis")
	if err := onRedis(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "stores:", err)
		os.Exit(1)
	}
}

func kinds() {
	for _, store := range []stores.Store{
		alone().Store(),
		sentinel("mymaster", "localhost:26379", "localhost:26380"),
		cluster("localhost:7000", "localhost:7001"),
		&Table{},
	} {
		_, err := stores.AsGuards(store)
		fmt.Printf("%T %v\n", store, err)
	}
}

func ownStore(ctx context.Context) {
	// region table-run
	runtime := cmdx.New(cmdx.Configuration{Store: &Table{}})
	for range 2 {
		result := runtime.Execute(ctx, &ImportStatement{}, cmdx.Args{"statement_id": "2026-12"})
		fmt.Println(result.Status())
	}
	// endregion
}

func onRedis(ctx context.Context, url string) error {
	client, store, err := open(ctx, url)
	if err != nil {
		return err
	}
	evicts, err := mayEvict(ctx, client)
	if err != nil {
		return err
	}
	fmt.Println("may evict:", evicts)
	runtime := cmdx.New(cmdx.Configuration{Store: store})
	fmt.Println(runtime.Execute(ctx, &ImportStatement{}, cmdx.Args{"statement_id": "2026-12"}))
	return shutDown(client, store)
}
