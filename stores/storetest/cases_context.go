package storetest

import (
	"context"
	"errors"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

var errWentAway = errors.New("the caller went away")

// endedContexts gives contexts that have ended in different ways, each with
// the error that a call with it must wrap.
func endedContexts() map[error]context.Context {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Hour))
	cancel()
	caused, cancelCause := context.WithCancelCause(context.Background())
	cancelCause(errWentAway)
	return map[error]context.Context{
		context.Canceled:         canceled,
		context.DeadlineExceeded: late,
		errWentAway:              caused,
	}
}

func endedContextCases() []Case {
	return []Case{
		{
			Name:        "ctx/verbs",
			Explanation: "Every method ends with ctx: its error wraps ctx's cause. A ctx that has ended beforehand changes nothing.",
			Check: func(e *Env) {
				e.set(e.Key("a"), "1", 10)
				for cause, ctx := range endedContexts() {
					value, found, err := e.Store.Get(ctx, e.Key("a"))
					e.wantError("Get", err, cause)
					if found || value != "" {
						e.Failf("Get: got %q, found %t with an error", value, found)
					}
					for _, key := range []string{e.Key("a"), e.Key("b")} {
						stored, err := e.Store.Set(ctx, key, "2", stores.SetOptions{TTL: e.Units(10)})
						e.wantError("Set", err, cause)
						sum, err := e.Store.Incr(ctx, key, e.Units(10))
						e.wantError("Incr", err, cause)
						deleted, err := e.Store.Delete(ctx, key)
						e.wantError("Delete", err, cause)
						if stored || sum != 0 || deleted {
							e.Failf("got stored %t, sum %d, deleted %t with errors", stored, sum, deleted)
						}
					}
				}
				e.wantValue(e.Key("a"), "1")
				e.wantAbsent(e.Key("b"))
			},
		},
		{
			Name:        "ctx/guards",
			Explanation: "Enter, Extend and Leave end with ctx: the error wraps ctx's cause. A ctx that has ended beforehand takes, extends and gives back nothing.",
			NeedsGuards: true,
			Check: func(e *Env) {
				token := stores.NewToken()
				held, free := e.claim(e.Key("held"), 4), e.claim(e.Key("free"), 4)
				e.wantEntered(token, held)
				e.Advance(2)
				for cause, ctx := range endedContexts() {
					_, err := e.guards.Enter(ctx, token, []stores.Entry{free}, 0)
					e.wantError("Enter", err, cause)
					_, err = e.guards.Extend(ctx, token, []stores.Entry{held})
					e.wantError("Extend", err, cause)
					for _, part := range []stores.Part{stores.PartComplete, stores.PartRelease, stores.PartTakeBack} {
						_, err = e.guards.Leave(ctx, token, do(part, held))
						e.wantError("Leave", err, cause)
					}
				}
				e.wantValue(held.Key, stores.ValueProcessing)
				e.wantAbsent(free.Key)
				e.wantEntered(stores.NewToken(), free)
				e.Advance(3)
				e.wantAbsent(held.Key) // nothing has extended it
			},
		},
	}
}
