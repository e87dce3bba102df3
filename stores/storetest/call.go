package storetest

import (
	"context"
	"fmt"
	"strings"

	"github.com/cmdx-go/cmdx/stores"
)

// Op names a method of [stores.Guards] or [stores.Breakers].
type Op uint8

// The operations: the four verbs, those of the guards, and those of breakers.
const (
	OpGet Op = iota
	OpSet
	OpIncr
	OpDelete
	OpEnter
	OpExtend
	OpLeave
	OpTakeBack
	OpInspect
	OpReset

	opCount
)

// String returns the operation in lower-case words, as [Call.String] begins.
func (o Op) String() string {
	switch o {
	case OpGet:
		return "get"
	case OpSet:
		return "set"
	case OpIncr:
		return "incr"
	case OpDelete:
		return "delete"
	case OpEnter:
		return "enter"
	case OpExtend:
		return "extend"
	case OpLeave:
		return "leave"
	case OpTakeBack:
		return "take back"
	case OpInspect:
		return "inspect"
	case OpReset:
		return "reset"
	}
	return "unknown operation"
}

// Call is one call that reached a [Faulty].
type Call struct {
	Op Op
	// Key is the verb's key, or that of the first entry; "" without entries.
	Key string
	// Part is that of the first entry.
	Part stores.Part
	// Entries are copies of all entries; nil for the verbs.
	Entries []stores.Entry
	// From is where an Enter begins.
	From int
	// Value is what a Set writes.
	Value string
	// Options are those of a Set; TTL is that of an Incr too.
	Options stores.SetOptions
	// Token is the run's token; zero for the verbs.
	Token stores.Token
	// HasDeadline tells whether the call's ctx had a deadline.
	HasDeadline bool
	// Ended tells whether the call's ctx had ended when the call began.
	Ended bool
}

// HasToken tells whether the call came with a token.
func (c Call) HasToken() bool { return !c.Token.IsZero() }

// String tells the operation and its keys, and what is done with them:
// "get a", "set a", "enter a b", "enter a b from 1", "leave a=complete b=release".
func (c Call) String() string {
	var text strings.Builder
	text.WriteString(c.Op.String())
	if c.Op <= OpDelete {
		text.WriteString(" " + c.Key)
	}
	for _, entry := range c.Entries {
		text.WriteString(" " + entry.Key)
		if c.Op == OpLeave {
			text.WriteString("=" + entry.Part.String())
		}
	}
	if c.From != 0 {
		fmt.Fprintf(&text, " from %d", c.From)
	}
	return text.String()
}

// verbCall describes a call of a verb.
func verbCall(ctx context.Context, op Op, key string) Call {
	return Call{Op: op, Key: key}.under(ctx)
}

// entriesCall describes a call of the guards.
func entriesCall(ctx context.Context, op Op, token stores.Token, entries []stores.Entry) Call {
	c := Call{Op: op, Token: token, Entries: append([]stores.Entry{}, entries...)}
	if len(entries) > 0 {
		c.Key, c.Part = entries[0].Key, entries[0].Part
	}
	return c.under(ctx)
}

func (c Call) under(ctx context.Context) Call {
	_, c.HasDeadline = ctx.Deadline()
	c.Ended = ctx.Err() != nil
	return c
}
