package main

import (
	"context"
	"testing"

	"github.com/cmdx-go/cmdx"
)

// run gives each sample a store of its own.
func run(sample func(context.Context)) {
	cmdx.Reset()
	sample(context.Background())
}

func TestTasksAreDeclaredRightly(t *testing.T) {
	if err := cmdx.Validate(&SellTicket{}, &SellSeason{}); err != nil {
		t.Error(err)
	}
}

func Example_basic() {
	run(basic)
	// Output:
	// success eur gate of A1
	// failed tracking must be set in the context
}

func Example_child() {
	run(child)
	// Output:
	// false
}

func Example_schema() {
	run(schema)
	// Output:
	// [{"name":"ticket","description":"The number of the ticket"},{"name":"currency","has_default":true,"default":"eur"},{"name":"tracking","conditional":true}]
}
