package main

import (
	"context"
	"database/sql"

	"github.com/cmdx-go/cmdx"
)

// PostEntry writes one entry, at most once per id.
type PostEntry struct {
	cmdx.Base
	DB      *sql.DB
	EntryID string `cmdx:"entry_id,required"`
	Account string `cmdx:"account,required"`
	Cents   int64  `cmdx:"cents,required"`
}

// Configure holds the claim until the transaction is committed: nobody sees
// "completed" before.
func (*PostEntry) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("entry_id"), cmdx.Idempotency{Settle: cmdx.AfterMiddlewares})
	c.Use(cmdx.MiddlewareFunc(inTransaction))
}

// Work writes within the transaction of its ctx.
func (t *PostEntry) Work(ctx context.Context) error {
	_, err := transaction(ctx).ExecContext(ctx, "INSERT INTO entries VALUES (?, ?, ?)", t.EntryID, t.Account, t.Cents)
	return err
}
