package main

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

type transactionKey struct{}

// inTransaction is a middleware: Work finds the transaction in its ctx, and it
// is committed unless the run fails.
func inTransaction(ctx context.Context, task cmdx.Task, next cmdx.Next) error {
	tx, err := task.(*PostEntry).DB.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit; also when user code panics or exits
	outcome := next(context.WithValue(ctx, transactionKey{}, tx))
	if cmdx.Failed(outcome) {
		return outcome
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return outcome
}

func transaction(ctx context.Context) *sql.Tx { return ctx.Value(transactionKey{}).(*sql.Tx) }
