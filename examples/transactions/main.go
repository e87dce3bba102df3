// Command transactions posts entries into a ledger of a database: a middleware
// holds the transaction, and the key of an entry is completed only once the
// transaction is committed.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/cmdx-go/cmdx"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	db, err := openLedger(ctx, ":memory:")
	if err != nil {
		return err
	}
	defer db.Close()
	post := &PostEntry{DB: db}
	for _, args := range []cmdx.Args{
		{"entry_id": "e_1", "account": "cash", "cents": 9_900},
		{"entry_id": "e_1", "account": "cash", "cents": 9_900},
		{"entry_id": "e_2", "account": "nowhere", "cents": 1},
		{"entry_id": "e_2", "account": "cash", "cents": 1},
	} {
		result := cmdx.Execute(ctx, post, args)
		rows, err := entries(ctx, db)
		if err != nil {
			return err
		}
		fmt.Println(args["entry_id"], args["account"], result.Status(), "rows:", rows)
	}
	return nil
}
