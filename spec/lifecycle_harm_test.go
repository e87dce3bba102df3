package spec

import (
	"context"
	"errors"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// lifeHarm is a life in which a function may do harm wherever user code is
// called; Calls tells which places were reached.
type lifeHarm struct{ lifeUndo }

// harmful is what a harmful function does, by its place: "" for nothing.
var lifeHarmAt func(place string)

func lifeStrike(place string) {
	if lifeHarmAt != nil {
		lifeHarmAt(place)
	}
}

type (
	lifeHarmGate    struct{ place string }
	lifeHarmKey     struct{}
	lifeHarmMatcher struct{}
)

func (g lifeHarmGate) Allow(context.Context, cmdx.Task) bool { lifeStrike(g.place); return true }
func (lifeHarmKey) Key(_ context.Context, task cmdx.Task) (any, error) {
	lifeStrike("key")
	return cmdx.FromContext("id").Key(context.Background(), task)
}
func (lifeHarmMatcher) Match(err error) bool { lifeStrike("matcher"); return errors.Is(err, errLife) }

func (*lifeHarm) Configure(c *cmdx.Config) {
	c.IdempotentBy(lifeHarmKey{}, cmdx.Idempotency{If: lifeHarmGate{"gate of a guard"}})
	c.LockWith(cmdx.FromContext("id"), cmdx.Lock{Namespace: "spec:life:lock"})
	c.LimitConcurrency(cmdx.FromContext("id"), cmdx.Concurrency{Limit: 1, Namespace: "spec:life:place"})
	c.RetryOn(lifeHarmMatcher{}, cmdx.Retry{
		Limit: 1, If: lifeHarmGate{"gate of a retry"},
		Jitter: func(int, time.Duration, time.Duration) time.Duration { lifeStrike("jitter"); return 0 },
	})
	c.Use(cmdx.MiddlewareFunc(lifeHarmMiddleware), cmdx.MiddlewareOptions{If: lifeHarmGate{"gate of a middleware"}})
	c.OnSuccess(cmdx.Call((*lifeHarm).gated), cmdx.CallbackOptions{If: lifeHarmGate{"gate of a callback"}})
	c.BeforeExecution(cmdx.Call((*lifeHarm).gated), cmdx.CallbackOptions{If: lifeHarmGate{"gate of a before callback"}})
	c.Deprecate(cmdx.Call((*lifeHarm).deprecated), cmdx.Deprecation{If: lifeHarmGate{"gate of a deprecation"}})
	c.Subscribe(cmdx.EventIdempotencyClaimed, func(cmdx.Event) { lifeStrike("subscriber") })
}

func (t *lifeHarm) gated(context.Context) error      { return nil }
func (t *lifeHarm) deprecated(context.Context) error { lifeStrike("deprecation"); return nil }

func (t *lifeHarm) Rollback(context.Context) error {
	lifeStrike("Rollback")
	return nil
}

func lifeHarmMiddleware(ctx context.Context, _ cmdx.Task, next cmdx.Next) error {
	lifeStrike("middleware before next")
	err := next(ctx)
	lifeStrike("middleware after next")
	return err
}

// lifeStriking makes a task whose Work raises until its last attempt; it
// fails for good when failing, so that Rollback is called.
func lifeStriking(failing bool) *lifeHarm {
	task := &lifeHarm{}
	places := []string{
		"before_execution", "before_validation", "around(", ")around", "after_execution",
		"on_complete", "on_interrupted", "on_success", "on_failed", "on_ok", "on_ko",
	}
	task.At = map[string]func(context.Context, *life) error{}
	for _, place := range places {
		task.At[place] = func(context.Context, *life) error { lifeStrike(place); return nil }
	}
	task.Doing = func(_ context.Context, t *life) error {
		lifeStrike("Work")
		if failing || t.Attempt() == 0 {
			return errLife
		}
		return nil
	}
	return task
}

var _ = Describe("Harm around the work", func() {
	harms := map[string]func(){
		"panics":            func() { panic("harm") },
		"panics with nil":   func() { panic(nil) },
		"panics with error": func() { panic(errLife) },
		"calls Goexit":      runtime.Goexit,
	}
	places := map[string]bool{ // and whether the run fails where it strikes
		"key": false, "gate of a guard": false, "matcher": false, "gate of a retry": false, "jitter": false,
		"middleware before next": false, "middleware after next": false, "gate of a middleware": false,
		"gate of a callback": false, "gate of a before callback": false, "gate of a deprecation": false, "deprecation": false,
		"before_execution": false, "before_validation": false, "around(": false, ")around": false, "after_execution": false,
		"on_complete": false, "on_success": false, "on_ok": false,
		"Work": false, "subscriber": false,
		"Rollback": true, "on_interrupted": true, "on_failed": true, "on_ko": true,
	}
	for place, failing := range places {
		for what, harm := range harms {
			It("leaves nothing held and lets the next run work: "+place+" "+what, bubble(), func() {
				rig := newLifeRig()
				struck := 0
				lifeHarmAt = func(at string) {
					if at == place {
						struck++
						harm()
					}
				}
				defer func() { lifeHarmAt = nil }()
				returned := doGoexit(func() {
					rig.execute(context.Background(), lifeStriking(failing), false, cmdx.Args{"id": "k"})
				})
				Expect(struck).To(BeNumerically(">", 0), "it was never called")
				Expect(returned).To(Equal(what != "calls Goexit"))

				lifeHarmAt = nil
				behind := map[string]bool{"after_execution": true, "on_complete": true, "on_success": true, "on_ok": true, "gate of a callback": true, "subscriber": what != "calls Goexit"}
				run := rig.execute(context.Background(), lifeStriking(false), false, cmdx.Args{"id": "k"})
				if behind[place] {
					Expect(run.result).To(endSkipped()) // the first run had succeeded
					Expect(run.key).To(Equal("completed"))
					return
				}
				Expect(run.result).To(endSuccess())
			})
		}
	}
})
