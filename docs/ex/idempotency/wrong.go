package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

func lostReply(ctx context.Context) {
	// region lost-reply
	bank := &provider{lose: 1}
	charge := &ChargeCustomer{Gateway: bank}
	payment := cmdx.Args{"payment_id": "pay_123", "amount_cents": 9_900}

	first := cmdx.Execute(ctx, charge, payment)
	fmt.Println(first.Status(), "-", first.Cause())

	second := cmdx.Execute(ctx, charge, payment)
	fmt.Println(second.Status(), "-", len(bank.charges), "charge at the provider")
	// endregion
}

// region transaction

// TransferMoney opens, uses and commits its transaction inside Work.
type TransferMoney struct {
	cmdx.Base
	DB         *database
	TransferID string `cmdx:"transfer_id,required"`
}

// Configure declares the key.
func (*TransferMoney) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("transfer_id"))
}

// Work returns nil only when the commit has succeeded.
func (t *TransferMoney) Work(ctx context.Context) error {
	tx := t.DB.begin(ctx)
	defer tx.rollback() // does nothing after a commit
	tx.insert(t.TransferID)
	return tx.commit()
}

// endregion

var errSerialization = errors.New("could not serialize access")

// database is one whose commits fail for some calls.
type database struct {
	rows    []string
	failing int
}

type tx struct {
	db   *database
	rows []string
}

func (d *database) begin(context.Context) *tx { return &tx{db: d} }
func (t *tx) insert(row string)               { t.rows = append(t.rows, row) }
func (t *tx) rollback()                       { t.rows = nil }
func (t *tx) commit() error {
	if t.db.failing > 0 {
		t.db.failing--
		return errSerialization
	}
	t.db.rows = append(t.db.rows, t.rows...)
	return nil
}

func transaction(ctx context.Context) {
	// region transaction-run
	db := &database{failing: 1}
	for range 3 {
		result := cmdx.Execute(ctx, &TransferMoney{DB: db}, cmdx.Args{"transfer_id": "tr_1"})
		fmt.Println(result.Status(), len(db.rows), "rows")
	}
	// endregion
}
