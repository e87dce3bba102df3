package main

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

// region key-func

// SendReceipt builds its key in a method.
type SendReceipt struct {
	cmdx.Base
	UserID  int64  `cmdx:"user_id,required"`
	OrderID string `cmdx:"order_id,required"`
}

// Configure gives a method expression: the task comes with each run.
func (*SendReceipt) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc((*SendReceipt).key))
}

func (t *SendReceipt) key() string { return fmt.Sprintf("%d:%s", t.UserID, t.OrderID) }

// endregion

// Work sends the receipt.
func (t *SendReceipt) Work(context.Context) error { return nil }

// region resolver

// perTenant is a resolver of the application's own, for any task.
type perTenant struct{ name string }

// Key puts the caller's tenant before an input.
func (r perTenant) Key(ctx context.Context, task cmdx.Task) (any, error) {
	tenant, ok := ctx.Value(tenantKey{}).(string)
	if !ok {
		return nil, fmt.Errorf("no tenant for %s", r.name)
	}
	return tenant + "/" + cmdx.In[string](task, r.name), nil
}

// endregion

type tenantKey struct{}

// SyncContact is kept apart by tenant.
type SyncContact struct {
	cmdx.Base
	Contact string `cmdx:"contact,required"`
}

// Configure declares the resolver.
func (*SyncContact) Configure(c *cmdx.Config) { c.IdempotentBy(perTenant{"contact"}) }

// Work copies the contact.
func (t *SyncContact) Work(context.Context) error { return nil }

// CloseBooks runs once per lifetime of its claim, whoever calls.
type CloseBooks struct{ cmdx.Base }

// Configure declares a fixed segment.
func (*CloseBooks) Configure(c *cmdx.Config) {
	// region literal
	c.IdempotentBy(cmdx.Literal("nightly"))
	// endregion
}

// Work closes the books.
func (t *CloseBooks) Work(context.Context) error { return nil }

// InviteUser does not show the address in the store.
type InviteUser struct {
	cmdx.Base
	Email string `cmdx:"email,required"`
}

// Configure hashes the key.
func (*InviteUser) Configure(c *cmdx.Config) {
	// region hashed
	c.IdempotentBy(cmdx.Hashed(cmdx.FromContext("email")))
	// endregion
}

// Work sends the invitation.
func (t *InviteUser) Work(context.Context) error { return nil }

// keyOf is the store key of a duplicate.
func keyOf(r *cmdx.Result) any { return r.Metadata()["idempotency_key"] }

func keyResolvers(ctx context.Context) {
	acme := context.WithValue(ctx, tenantKey{}, "acme")
	for range 2 {
		for _, r := range []*cmdx.Result{
			cmdx.Execute(ctx, &SendReceipt{}, cmdx.Args{"user_id": 7, "order_id": "o_1"}),
			cmdx.Execute(acme, &SyncContact{}, cmdx.Args{"contact": "c_9"}),
			cmdx.Execute(ctx, &CloseBooks{}, nil),
			cmdx.Execute(ctx, &InviteUser{}, cmdx.Args{"email": "ada@example.org"}),
		} {
			if r.IsSkipped() {
				fmt.Println(keyOf(r))
			}
		}
	}
}

// region blank

// TouchAccount has a key only when the caller sends one.
type TouchAccount struct{ cmdx.Base }

// Configure reads the key from the context; it is not a declared input.
func (*TouchAccount) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("request_id"))
}

// endregion

// Work touches the account.
func (t *TouchAccount) Work(context.Context) error { return nil }

func blankKey(ctx context.Context) {
	// region blank-run
	for _, args := range []cmdx.Args{nil, {"request_id": nil}, {"request_id": ""}, {"request_id": " "}} {
		first := cmdx.Execute(ctx, &TouchAccount{}, args)
		second := cmdx.Execute(ctx, &TouchAccount{}, args)
		fmt.Println(first.Status(), second.Status())
	}
	// endregion
}

func storeKeys(ctx context.Context) {
	// region store-keys
	store := stores.NewMemory()
	runtime := cmdx.New(cmdx.Configuration{Store: store})
	runtime.Execute(ctx, &ChargeCustomer{Gateway: &provider{}}, cmdx.Args{"payment_id": "pay_123", "amount_cents": 9_900})

	key, _ := stores.Compose("cmdx:idem", "ChargeCustomer", "pay_123")
	value, found, _ := store.Get(ctx, key)
	fmt.Println(key, value, found)
	// endregion
}
