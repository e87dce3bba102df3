package spec

import (
	"context"
	"fmt"
	"maps"
	"strings"

	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// life is a task with something at every place around its work, all of which
// is written into one track. Types that embed it add what their rows tell.
type life struct {
	cmdx.Base
	Track *doTrack
	Doing func(ctx context.Context, t *life) error
	// At lets what is named do something beside leaving its trace.
	At map[string]func(ctx context.Context, t *life) error
	ID string `cmdx:"id"`
}

func (*life) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("id"), cmdx.Idempotency{Namespace: "spec:life"})
	c.Use(lifeMiddleware{})
	c.AroundExecution(cmdx.Around((*life).around))
	c.BeforeExecution(cmdx.Call((*life).beforeExecution))
	c.BeforeValidation(cmdx.Call((*life).beforeValidation))
	c.AfterExecution(cmdx.Call((*life).afterExecution))
	c.OnComplete(cmdx.Call((*life).onComplete))
	c.OnInterrupted(cmdx.Call((*life).onInterrupted))
	c.OnSuccess(cmdx.Call((*life).onSuccess))
	c.OnSkipped(cmdx.Call((*life).onSkipped))
	c.OnFailed(cmdx.Call((*life).onFailed))
	c.OnOK(cmdx.Call((*life).onOK))
	c.OnKO(cmdx.Call((*life).onKO))
}

func (t *life) pass(ctx context.Context, place string) error {
	t.Track.add("%s", place)
	if f := t.At[place]; f != nil {
		return f(ctx, t)
	}
	return nil
}

func (t *life) Work(ctx context.Context) error {
	t.Track.add("work")
	if t.Doing != nil {
		return t.Doing(ctx, t)
	}
	return nil
}

func (t *life) beforeExecution(ctx context.Context) error  { return t.pass(ctx, "before_execution") }
func (t *life) beforeValidation(ctx context.Context) error { return t.pass(ctx, "before_validation") }
func (t *life) afterExecution(ctx context.Context) error   { return t.pass(ctx, "after_execution") }
func (t *life) onComplete(ctx context.Context) error       { return t.pass(ctx, "on_complete") }
func (t *life) onInterrupted(ctx context.Context) error    { return t.pass(ctx, "on_interrupted") }
func (t *life) onSuccess(ctx context.Context) error        { return t.pass(ctx, "on_success") }
func (t *life) onSkipped(ctx context.Context) error        { return t.pass(ctx, "on_skipped") }
func (t *life) onFailed(ctx context.Context) error         { return t.pass(ctx, "on_failed") }
func (t *life) onOK(ctx context.Context) error             { return t.pass(ctx, "on_ok") }
func (t *life) onKO(ctx context.Context) error             { return t.pass(ctx, "on_ko") }

func (t *life) around(ctx context.Context, next cmdx.Next) error {
	if err := t.pass(ctx, "around("); err != nil {
		return err
	}
	if t.At["instead of around"] != nil {
		return t.At["instead of around"](ctx, t)
	}
	err := next(ctx)
	if other := t.pass(ctx, ")around"); other != nil {
		return other
	}
	return err
}

type lifeMiddleware struct{}

func (lifeMiddleware) Call(ctx context.Context, task cmdx.Task, next cmdx.Next) error {
	t := lifeOf(task)
	if err := t.pass(ctx, "middleware("); err != nil {
		return err
	}
	if t.At["instead of middleware"] != nil {
		return t.At["instead of middleware"](ctx, t)
	}
	err := next(ctx)
	other := t.pass(ctx, fmt.Sprintf(")middleware:failed=%v", cmdx.Failed(err)))
	if other == nil && t.At[")middleware"] != nil {
		other = t.At[")middleware"](ctx, t)
	}
	switch {
	case other == errSwallow:
		return nil
	case other != nil:
		return other
	}
	return err
}

// errSwallow lets the middleware return nil whatever next returned.
var errSwallow = fmt.Errorf("swallow")

// lifer is every task that embeds life.
type lifer interface {
	cmdx.Task
	own() *life
}

func (t *life) own() *life { return t }

func lifeOf(task cmdx.Task) *life { return task.(lifer).own() }

// lifeUndo is a life that can be rolled back.
type lifeUndo struct{ life }

func (t *lifeUndo) Rollback(ctx context.Context) error { return t.pass(ctx, "rollback") }

// lifeRun is one execution with all that it left.
type lifeRun struct {
	result *cmdx.Result
	err    error
	track  []string
	key    string
	log    *doLog
}

// lifeRig executes tasks and writes events into their track.
type lifeRig struct {
	store   *stores.Memory
	runtime *cmdx.Runtime
	track   *doTrack
	log     *doLog
}

func newLifeRig(change ...func(*cmdx.Configuration)) *lifeRig {
	rig := &lifeRig{store: stores.NewMemory(), track: &doTrack{}, log: &doLog{}}
	c := cmdx.Configuration{Store: rig.store, Logger: rig.log.logger()}
	for _, f := range change {
		f(&c)
	}
	rig.runtime = cmdx.New(c)
	for _, name := range telemetry.Names() {
		rig.runtime.Telemetry().Subscribe(name, func(e cmdx.Event) {
			if e.Root {
				rig.track.add("%s", strings.TrimPrefix(string(e.Name), "idempotency_"))
			}
		})
	}
	return rig
}

// prepare lets a task write into the rig's track.
func (r *lifeRig) prepare(task lifer) lifer {
	task.own().Track = r.track
	return task
}

func (r *lifeRig) key(id string, task lifer) string {
	d, err := cmdx.DefinitionOf(task)
	if err != nil {
		return ""
	}
	key, err := stores.Compose("spec:life", d.Name(), id)
	Expect(err).NotTo(HaveOccurred())
	value, _, err := r.store.Get(context.Background(), key)
	Expect(err).NotTo(HaveOccurred())
	return value
}

func (r *lifeRig) execute(ctx context.Context, task lifer, bang bool, args cmdx.Args) lifeRun {
	r.prepare(task)
	run := lifeRun{log: r.log}
	if bang {
		run.result, run.err = r.runtime.ExecuteBang(ctx, task, args)
	} else {
		run.result = r.runtime.Execute(ctx, task, args)
	}
	run.track = r.track.all()
	if args["id"] != nil {
		run.key = r.key(fmt.Sprint(args["id"]), task)
	}
	return run
}

// facts is the result's map without what differs from run to run.
func (r lifeRun) facts() map[string]any {
	m := r.result.ToMap()
	for _, name := range []string{"xid", "cid", "tid", "duration", "context", "index", "root", "type", "task", "tags", "strict", "cause", "origin", "threw_failure", "caused_failure"} {
		delete(m, name)
	}
	return m
}

// lifeFacts are those of a plain success, with what a row changes.
func lifeFacts(changes ...any) map[string]any {
	m := map[string]any{
		"state": "complete", "status": "success", "reason": "", "metadata": cmdx.Metadata{},
		"deprecated": false, "retried": false, "retries": 0,
	}
	for i := 0; i < len(changes); i += 2 {
		m[changes[i].(string)] = changes[i+1]
	}
	switch m["status"] {
	case "failed":
		m["state"] = "interrupted"
		if m["rolled_back"] == nil {
			m["rolled_back"] = false
		}
	case "skipped":
		m["state"] = "interrupted"
	}
	return maps.Clone(m)
}
