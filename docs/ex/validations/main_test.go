package main

import (
	"context"
	"testing"

	"github.com/cmdx-go/cmdx"
)

func TestTasksAreDeclaredRightly(t *testing.T) {
	if err := cmdx.Validate(&RefundOrder{}); err != nil {
		t.Error(err)
	}
}

func Example_basic() {
	basic(context.Background())
	// Output:
	// amount must be within 0.01 and 500
	// currency must be a currency code
	// reason must be one of: damaged, late
	// note length must be at most 5
	// mail must be an email address
}

func Example_locales() {
	defer cmdx.ForgetMessages("es")
	locales(context.Background())
	// Output:
	// currency es obligatorio. reason debe ser uno de: damaged, late
}
