package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cmdx-go/cmdx"
)

// region templates

// CountWords is a task with a preset.
type CountWords struct {
	cmdx.Base
	Separator string `cmdx:"separator"` // optional: the preset stays when it is absent
	Text      string `cmdx:"text,required"`
}

// Work works on a copy that belongs to one execution.
func (t *CountWords) Work(context.Context) error {
	t.Context().Set("words", len(strings.Split(t.Text, t.Separator)))
	return nil
}

// endregion

func templates(ctx context.Context) {
	// region templates-run
	template := &CountWords{Separator: "-"}
	result := cmdx.Execute(ctx, template, cmdx.Args{"text": "one-two-three"})

	executed := result.Task().(*CountWords)
	words, _ := cmdx.Get[int](result.Context(), "words")
	fmt.Printf("%d words in %q\n", words, executed.Text)
	fmt.Printf("the template still holds %q\n", template.Text)
	// endregion
}

// region layers

var (
	errBusy    = errors.New("busy")
	errTimeout = errors.New("timeout")
)

// ApplicationTask is the parent of all tasks of the application.
type ApplicationTask struct {
	cmdx.Base
	Tenant string `cmdx:"tenant,required"`
}

// Configure adds the first layer.
func (*ApplicationTask) Configure(c *cmdx.Config) {
	c.Tags("app")
	c.RetryOn(cmdx.ErrorIs(errBusy), cmdx.Retry{Limit: 5, Delay: time.Second})
}

// BillingTask is a parent of its own, between the two.
type BillingTask struct{ ApplicationTask }

// Configure adds the second layer.
func (*BillingTask) Configure(c *cmdx.Config) {
	c.Tags("billing")
	c.RetryOn(cmdx.ErrorIs(errTimeout), cmdx.Retry{Jitter: cmdx.FullRandom})
}

// SendInvoice is what is executed.
type SendInvoice struct{ BillingTask }

// Configure adds the last layer.
func (*SendInvoice) Configure(c *cmdx.Config) {
	c.RetryOn(nil, cmdx.Retry{Limit: 2})
}

// Work sends the invoice.
func (t *SendInvoice) Work(context.Context) error { return nil }

// endregion

func layers(context.Context) {
	// region layers-run
	definition, err := cmdx.DefinitionOf(&SendInvoice{})
	if err != nil {
		panic(err)
	}
	fmt.Println(definition.TagList())
	fmt.Println(len(definition.RetryMatchers()), "matchers")
	fmt.Println(definition.Retry().Limit, "retries,", definition.Retry().Delay, "apart")
	// endregion
}

// region mixins

// Traced is a mixin: it declares Configure and does not embed cmdx.Base.
type Traced struct {
	TraceID string `cmdx:"trace_id"`
}

// Configure counts as a layer between the parent's and the type's own.
func (*Traced) Configure(c *cmdx.Config) { c.Tags("traced") }

// PrintLabel has a parent and a mixin.
type PrintLabel struct {
	Traced
	ApplicationTask
}

// Work is the only method that a task must have.
func (t *PrintLabel) Work(context.Context) error {
	fmt.Println(t.Tenant, t.TraceID)
	return nil
}

// endregion

func mixins(ctx context.Context) {
	// region mixins-run
	result := cmdx.Execute(ctx, &PrintLabel{}, cmdx.Args{"tenant": "acme", "trace_id": "t_1"})
	fmt.Println(result.Tags())
	// endregion
}

// region ways-back

// ImportRates inherits five retries, a second apart, and wants none of it.
type ImportRates struct{ ApplicationTask }

// Configure says zero by a word of its own: a zero field would inherit.
func (*ImportRates) Configure(c *cmdx.Config) {
	c.RetryOn(nil, cmdx.Retry{Limit: cmdx.NoRetries, Delay: 0})
}

// Work imports the rates.
func (t *ImportRates) Work(context.Context) error { return errBusy }

// endregion

func waysBack(ctx context.Context) {
	// region ways-back-run
	definition, _ := cmdx.DefinitionOf(&ImportRates{})
	fmt.Println("delay:", definition.Retry().Delay)

	result := cmdx.Execute(ctx, &ImportRates{}, cmdx.Args{"tenant": "acme"})
	fmt.Println(result.Status(), "after", result.Retries(), "retries")
	// endregion
}

// region ancestors

// KeyedTask keeps keys of tenants apart for every task below it.
type KeyedTask struct {
	cmdx.Base
	Tenant string `cmdx:"tenant,required"`
	Number string `cmdx:"number,required"`
}

// Configure names a method of this type; descendants are fine.
func (*KeyedTask) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc((*KeyedTask).key))
}

func (t *KeyedTask) key() string { return t.Tenant + "/" + t.Number }

// ArchiveInvoice inherits the key.
type ArchiveInvoice struct{ KeyedTask }

// Work archives the invoice.
func (t *ArchiveInvoice) Work(context.Context) error { return nil }

// endregion

func ancestors(ctx context.Context) {
	// region ancestors-run
	invoice := cmdx.Args{"tenant": "acme", "number": "17"}
	cmdx.Execute(ctx, &ArchiveInvoice{}, invoice)
	fmt.Println(cmdx.Execute(ctx, &ArchiveInvoice{}, invoice).Metadata()["idempotency_key"])
	// endregion
}

// Import is a generic task.
type Import[T any] struct{ cmdx.Base }

// Work imports.
func (t *Import[T]) Work(context.Context) error { return nil }

// User is what is imported.
type User struct{}

// region name

// CloseAccount bears a name of its own in keys, results and texts.
type CloseAccount struct{ cmdx.Base }

// Configure sets it; children do not inherit it.
func (*CloseAccount) Configure(c *cmdx.Config) { c.Name("accounts.Close") }

// endregion

// Work closes the account.
func (t *CloseAccount) Work(context.Context) error { return nil }

func names(ctx context.Context) {
	// region names-run
	fmt.Println(cmdx.Execute(ctx, &CloseAccount{}, nil).TaskName())
	fmt.Println(cmdx.Execute(ctx, &Import[User]{}, nil).TaskName())
	// endregion
}

// region steps

// PostEntry declares something for every step that there is.
type PostEntry struct {
	cmdx.Base
	EntryID string `cmdx:"entry_id,required"`
}

// Configure declares a claim, retries and an output.
func (*PostEntry) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("entry_id"))
	c.RetryOn(cmdx.ErrorIs(errBusy))
	c.Output("balance")
}

// Work posts the entry.
func (t *PostEntry) Work(context.Context) error { return nil }

// endregion

func steps(context.Context) {
	// region steps-run
	for _, task := range []cmdx.Task{&PostEntry{}, &CloseAccount{}} {
		definition, _ := cmdx.DefinitionOf(task)
		fmt.Println(strings.Join(definition.Steps(), " → "))
	}
	// endregion
}

// region definition-error

// SyncStock says how, but not by what.
type SyncStock struct{ cmdx.Base }

// Configure forgets the resolver.
func (*SyncStock) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{TTL: time.Hour})
}

// Work is never entered.
func (t *SyncStock) Work(context.Context) error { return nil }

// endregion

func definitionError(ctx context.Context) {
	// region definition-error-run
	result := cmdx.Execute(ctx, &SyncStock{}, nil)
	var mistake *cmdx.DefinitionError
	fmt.Println(result.Status(), errors.As(result.Cause(), &mistake))
	fmt.Println(mistake.Problem)
	fmt.Println(mistake.Anchor)
	// endregion
}
