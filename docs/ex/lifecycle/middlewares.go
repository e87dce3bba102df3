package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

// region middleware

type tenantKey struct{}

// forTenant puts a tenant into the ctx of what is inside, and halts without
// one.
func forTenant(ctx context.Context, task cmdx.Task, next cmdx.Next) error {
	tenant, ok := cmdx.Get[string](task.(*ListInvoices).Context(), "tenant")
	if !ok {
		return errors.New("no tenant")
	}
	return next(context.WithValue(ctx, tenantKey{}, tenant))
}

// ListInvoices finds its tenant in ctx.
type ListInvoices struct{ cmdx.Base }

// Configure declares the middleware.
func (*ListInvoices) Configure(c *cmdx.Config) {
	c.Use(cmdx.MiddlewareFunc(forTenant))
}

// Work reads what the middleware put there.
func (t *ListInvoices) Work(ctx context.Context) error {
	return t.Success(fmt.Sprint("invoices of ", ctx.Value(tenantKey{})))
}

// endregion

func timing(ctx context.Context) {
	// region middleware-run
	for _, args := range []cmdx.Args{{"tenant": "acme"}, nil} {
		result := cmdx.Execute(ctx, &ListInvoices{}, args)
		fmt.Println(result.Status(), result.Reason())
	}
	// endregion
}
