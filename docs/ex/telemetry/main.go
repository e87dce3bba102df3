// Command telemetry shows who can listen to executions.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/cmdx-go/cmdx"
	slogevents "github.com/cmdx-go/cmdx/telemetry/slog"
)

// ChargeCustomer listens to its own runs.
type ChargeCustomer struct{ cmdx.Base }

// region type

// Configure subscribes to the runs of this type and its descendants.
func (*ChargeCustomer) Configure(c *cmdx.Config) {
	c.Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) {
		fmt.Println("the type hears", e.Name, "of", e.Task)
	})
}

// endregion

// Work succeeds.
func (*ChargeCustomer) Work(context.Context) error { return nil }

func listen() {
	// region runtime
	runtime := cmdx.New(cmdx.Configuration{})
	unsubscribe := runtime.Telemetry().Subscribe(cmdx.EventTaskExecuted, func(e cmdx.Event) {
		result := e.Payload["result"].(*cmdx.Result)
		fmt.Println("the runtime hears", e.Name, "of", e.Task, "with", result.Status())
	})
	defer unsubscribe()
	// endregion
	runtime.Execute(context.Background(), &ChargeCustomer{}, nil)
}

func steady(_ []string, a slog.Attr) slog.Attr {
	switch a.Key {
	case slog.TimeKey, "tid", "cid", "duration":
		return slog.Attr{}
	}
	return a
}

func logEvents() {
	runtime := cmdx.New(cmdx.Configuration{})
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: steady}))
	// region slog
	stop := slogevents.Subscribe(runtime.Telemetry(), logger,
		slogevents.Only(cmdx.EventTaskStarted, cmdx.EventTaskRetried),
		slogevents.Level(slog.LevelInfo, cmdx.EventTaskStarted))
	defer stop()
	// endregion
	runtime.Execute(context.Background(), &ChargeCustomer{}, nil)
}

func main() {
	listen()
	logEvents()
}
