package main

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

// region configure

// counting is a callback for every task.
type counting struct{}

// Do is given the executed task.
func (counting) Do(ctx context.Context, _ cmdx.Task) error {
	outcome, _ := cmdx.OutcomeOf(ctx)
	fmt.Println("counted:", outcome.Status)
	return nil
}

func configure() {
	cmdx.Configure(func(c *cmdx.Configuration) {
		c.AfterExecution(counting{})
		c.CorrelationID = func(context.Context) string { return "req_1" }
		c.FaultOn = []cmdx.Status{cmdx.StatusFailed, cmdx.StatusSkipped}
	})
}

// endregion

// AuditAccount has settings of its own.
type AuditAccount struct{ cmdx.Base }

// Configure says what differs from the runtime.
func (*AuditAccount) Configure(c *cmdx.Config) {
	// region settings
	c.Settings(cmdx.Settings{StrictContext: cmdx.On, Tags: []string{"audit"}})
	// endregion
}

// Work reads what must be there.
func (t *AuditAccount) Work(context.Context) error {
	t.Context().MustGet("account")
	return nil
}

func configured(ctx context.Context) {
	// region configure-run
	configure()
	result := cmdx.Execute(ctx, &AuditAccount{}, nil)
	fmt.Println(result.XID(), result.Tags(), result.Reason())
	// endregion
}
