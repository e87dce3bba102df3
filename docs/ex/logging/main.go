// Command logging shows what executions write through log/slog.
package main

import (
	"context"
	"log/slog"
	"os"

	"github.com/cmdx-go/cmdx"
)

// region task

// ChargeCustomer logs beside its line.
type ChargeCustomer struct {
	cmdx.Base
	AmountCents int64 `cmdx:"amount_cents,required"`
}

// Work charges nobody for nothing.
func (t *ChargeCustomer) Work(context.Context) error {
	t.Logger().Info("charging")
	if t.AmountCents == 0 {
		return t.Skip("nothing to charge", cmdx.Metadata{"code": "free"})
	}
	return nil
}

// endregion

// steady leaves out of the lines what differs from run to run.
func steady(_ []string, a slog.Attr) slog.Attr {
	switch a.Key {
	case slog.TimeKey, "tid", "cid", "duration":
		return slog.Attr{}
	}
	return a
}

func run(logger *slog.Logger) {
	// region logger
	runtime := cmdx.New(cmdx.Configuration{Logger: logger})
	runtime.Execute(context.Background(), &ChargeCustomer{}, cmdx.Args{"amount_cents": 0})
	// endregion
}

func text() {
	run(slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: steady})))
}

func json() {
	run(slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: steady})))
}

// region settings

// ImportRow runs a million times a night: only what went wrong is of interest.
type ImportRow struct{ ChargeCustomer }

// Configure lets errors through, and keeps metadata out of the lines.
func (*ImportRow) Configure(c *cmdx.Config) {
	c.Settings(cmdx.Settings{Level: slog.LevelError, LogExclude: []string{"context", "metadata"}})
}

// endregion

func main() {
	text()
	json()
	cmdx.New(cmdx.Configuration{Logger: slog.Default()}).Execute(context.Background(), &ImportRow{}, cmdx.Args{"amount_cents": 0})
}
