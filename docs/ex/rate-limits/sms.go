package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

// region send-sms

// SendSMS sends at most two messages per second and three per hour to a
// number.
type SendSMS struct {
	cmdx.Base
	Number string `cmdx:"number,required"`
}

// Configure declares both limits at once.
func (*SendSMS) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.FromContext("number"),
		cmdx.Rate{Limit: 2, Per: time.Second},
		cmdx.Rate{Limit: 3, Per: time.Hour},
	)
}

// Work sends the message.
func (*SendSMS) Work(context.Context) error { return nil }

// endregion

func basicUsage(ctx context.Context) {
	// region basic-usage
	store := stores.NewMemory()
	runtime := cmdx.New(cmdx.Configuration{Store: store})
	send := func() {
		result := runtime.Execute(ctx, &SendSMS{}, cmdx.Args{"number": "+49 30 1"})
		if wait, limited := result.Metadata()["retry_after"].(time.Duration); limited {
			fmt.Println(result.Reason(), "- again in", wait.Round(time.Second))
			return
		}
		fmt.Println(result.Status())
	}

	send()
	send()
	send()
	store.Advance(time.Second) // as if a second had passed
	send()
	send()
	// endregion
}

// region smooth

// SyncContact calls a provider that allows ten calls per second and wants them
// evenly spread. All tasks that call it share the limit.
type SyncContact struct{ cmdx.Base }

// Configure counts for all keys together: there is no resolver.
func (*SyncContact) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{
		Limit: 10, Per: time.Second,
		Pace:  cmdx.PaceSmooth,
		Scope: "crm",
	})
}

// endregion

// Work calls the provider.
func (*SyncContact) Work(context.Context) error { return nil }

func smooth(ctx context.Context) {
	store := stores.NewMemory()
	runtime := cmdx.New(cmdx.Configuration{Store: store})
	sync := func() {
		result := runtime.Execute(ctx, &SyncContact{}, nil)
		fmt.Println(result.Status(), result.Metadata()["rate_key"])
	}
	sync()
	sync()
	store.Advance(100 * time.Millisecond)
	sync()
}
