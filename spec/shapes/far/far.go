// Package far holds parents and mixins for types of another package.
package far

import (
	"context"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/spec/shapes"
)

// Arg is an argument for generic types elsewhere.
type Arg struct{ Amount int64 }

// Parent is an exported parent.
type Parent struct{ cmdx.Base }

// Configure adds its layer.
func (*Parent) Configure(c *cmdx.Config) { shapes.Layer(c, "far.Parent") }

// Work does nothing.
func (*Parent) Work(context.Context) error { return nil }

type hidden struct {
	cmdx.Base
	Account string
}

func (*hidden) Configure(c *cmdx.Config) { shapes.Layer(c, "far.hidden") }

// Work does nothing.
func (*hidden) Work(context.Context) error { return nil }

func (h *hidden) account() string { return h.Account }

// ByAccount is a resolver that was written for a parent nobody else can name.
var ByAccount = cmdx.KeyFunc((*hidden).account)

// Exposed has an unexported parent and a layer of its own.
type Exposed struct{ hidden }

// Configure adds its layer.
func (*Exposed) Configure(c *cmdx.Config) { shapes.Layer(c, "far.Exposed") }

// Silent has an unexported parent and nothing of its own.
type Silent struct{ hidden }

// Shadow is another name for the unexported parent.
type Shadow = hidden

// Generic is a generic parent.
type Generic[T any] struct {
	cmdx.Base
	Item T
}

// Configure adds its layer.
func (*Generic[T]) Configure(c *cmdx.Config) { shapes.Layer(c, "far.Generic") }

// Work does nothing.
func (*Generic[T]) Work(context.Context) error { return nil }

// Mixin is a mixin.
type Mixin struct{ Note string }

// Configure adds its layer.
func (*Mixin) Configure(c *cmdx.Config) { shapes.Layer(c, "far.Mixin") }

type secret struct{}

func (*secret) Configure(c *cmdx.Config) { shapes.Layer(c, "far.secret") }

// Wrapping embeds an unexported mixin and declares nothing itself.
type Wrapping struct{ secret }
