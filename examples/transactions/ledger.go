package main

import (
	"context"
	"database/sql"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// openLedger opens a database with one account, "cash". An entry of an account
// that is not there is found only when its transaction is committed.
func openLedger(ctx context.Context, name string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection to ":memory:" would be a database of its own
	for _, statement := range []string{
		"PRAGMA foreign_keys = ON",
		"CREATE TABLE accounts (name TEXT PRIMARY KEY)",
		"CREATE TABLE entries (id TEXT, account TEXT REFERENCES accounts (name) DEFERRABLE INITIALLY DEFERRED, cents INTEGER)",
		"INSERT INTO accounts VALUES ('cash')",
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			db.Close()
			return nil, err
		}
	}
	return db, nil
}

// entries counts what is committed.
func entries(ctx context.Context, db *sql.DB) (rows int, err error) {
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM entries").Scan(&rows)
	return rows, err
}
