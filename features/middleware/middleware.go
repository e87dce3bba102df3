// Package middleware lets an application's code stand around whole
// executions: transactions, tracing, locks of another kind.
//
// It promises that each middleware is called once per execution, from outside
// to inside, and that what it returns decides. It does not undo what a
// middleware has done.
package middleware

import (
	"context"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Position says where a middleware stands among those that are declared
// already.
type Position uint8

// The positions.
const (
	// Innermost stands inside of all that were declared before. It is the
	// zero value.
	Innermost Position = iota
	// Outermost stands outside of all that were declared before, a type's
	// also outside of the runtime's.
	Outermost
)

// Options tune one declared middleware.
type Options struct {
	// Position is Innermost or Outermost.
	Position Position
	// If and Unless leave the middleware out of a run; those inside of it
	// run all the same. nil means Always and Never.
	If, Unless run.Gate
}

// Merge lays later options over o; what they do not say stays.
func (o Options) Merge(later Options) Options {
	if later.Position != Innermost {
		o.Position = later.Position
	}
	if later.If != nil {
		o.If = later.If
	}
	if later.Unless != nil {
		o.Unless = later.Unless
	}
	return o
}

// Validate tells what is wrong with options as they were written.
func (o Options) Validate() []run.Problem {
	if o.Position > Outermost {
		return []run.Problem{{Text: "Position is an unknown position", Fix: "Write Innermost or Outermost."}}
	}
	return nil
}

// Entry is one declared middleware.
type Entry struct {
	Middleware run.Middleware
	Options    Options
}

// Name names what was declared, for messages.
func (e Entry) Name() string { return run.DeclaredName(e.Middleware) }

// Allowed asks the gates. It panics with what a gate panics with.
func (e Entry) Allowed(ctx context.Context, task run.Task) bool {
	return run.Allowed(ctx, task, e.Options.If, e.Options.Unless)
}
