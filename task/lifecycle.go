package task

import (
	"context"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/telemetry"
)

// execute is one execution in order: it joins the chain that ctx carries or
// starts one, runs everything within its middlewares, settles what was held so
// long, seals the outcome, calls what comes behind it, tells the result and
// closes the chain that it started.
func (e *execution) execute(ctx context.Context, args any, strict bool) *result.Result {
	e.joinChain(ctx, strict)
	finished := false
	defer func() {
		if !finished { // runtime.Goexit: the goroutine will not come back
			e.abandon()
		}
	}()
	e.takeArgs(args)
	e.throughMiddlewares()
	e.settleHold()
	e.seal()
	e.callAfter()
	e.finish()
	e.tell()
	e.closeChain()
	finished = true
	return &e.result
}

// inside is what middlewares stand around.
func (e *execution) inside(ctx context.Context) {
	e.started()
	e.deprecate(ctx)
	e.callBefore(ctx)
	e.withinCallbacks(ctx)
}

// core is what around callbacks stand around: the pipeline and its rollback.
func (e *execution) core(ctx context.Context) {
	if e.surrounded != nil {
		e.surrounded.ctx = ctx
	}
	if e.definition.plan == nil { // nothing else would look at what callbacks added
		e.failWithErrors()
	}
	e.runPipeline(ctx)
}

// joinChain makes the execution nested in the one that ctx carries, or the
// root of a new chain.
func (e *execution) joinChain(ctx context.Context, strict bool) {
	e.carrier = carrier{Context: ctx, execution: e}
	start := time.Now()
	parent, _ := carried(ctx)
	if parent != nil && !parent.result.Chain().Life().Ended() {
		result.Begin(&e.result, &e.Run, parent.result.Chain(), start, strict)
		return
	}
	result.Begin(&e.result, &e.Run, &e.chain, start, strict)
	result.StartChain(&e.chain, &e.result, e.correlation(ctx))
	e.chain.Life().SetLogger(e.logger())
}

func (e *execution) started() {
	if e.Wants(telemetry.EventTaskStarted) {
		e.Emit(telemetry.EventTaskStarted, nil)
	}
}

// takeArgs gives the run its context.
func (e *execution) takeArgs(args any) {
	values, shared, err := contextOf(args)
	if shared != nil && !shared.Ended() {
		e.Context = shared
		e.conceal()
		return
	}
	if shared != nil {
		values = shared.ToMap()
	} else if ended, ok := args.(*sharedContext); ok {
		shared = ended
	}
	e.data.Begin(values, e.chain.Life(), e.strictContext())
	e.data.Inherit(shared)
	e.Context = &e.data
	e.conceal()
	if err != nil {
		e.decide(result.Refuse(err))
	}
}

// seal makes the outcome final.
func (e *execution) seal() {
	e.withOwnMetadata()
	record := result.Record{Retries: int(e.attempt.Load())}
	if s := e.surrounded; s != nil {
		record.Deprecated, record.RolledBack = s.deprecated, s.rolledBack
	}
	if errs := e.errors.Load(); errs != nil && errs.Len() > 0 {
		record.Errors = &result.Errors{}
		record.Errors.Merge(errs) // what the task adds later changes nothing
	}
	result.Seal(&e.result, record)
}

// finish completes the result: it never changes again.
func (e *execution) finish() {
	var s surroundings
	if e.surrounded != nil {
		s = *e.surrounded
	}
	result.Finish(&e.result, s.began, s.callbackErrors)
}

// tell puts the result into the chain, emits it and logs it, once: a
// subscriber may end the goroutine, after which abandon comes here again.
func (e *execution) tell() {
	if !result.Tell(&e.result) {
		return
	}
	defer e.log()
	e.result.Chain().Add(&e.result)
	if e.Wants(telemetry.EventTaskExecuted) {
		e.Emit(telemetry.EventTaskExecuted, map[string]any{"result": &e.result})
	}
}

func (e *execution) log() {
	if logger := e.logger(); logger != nil {
		logger.Info("cmdx: task executed", "result", e.line())
	}
}

// closeChain ends the chain of a root. A nested run's own context ends with
// its root from now on, not before: the root may have ended earlier.
func (e *execution) closeChain() {
	if e.result.IsRoot() {
		e.chain.Life().End()
		return
	}
	e.data.Join(e.result.Chain().Life())
}

// abandon ends the execution of a goroutine that runs only its deferred calls.
func (e *execution) abandon() {
	defer e.closeChain()
	defer func() {
		defer e.tell()
		defer e.finish()
		defer e.callAfter()
		defer e.seal()
		e.settleHold()
	}()
	defer e.leave()
	e.failUndecided(result.Refuse(&result.GoexitError{}))
	e.decided, e.exiting = true, true
	e.undoFailure()
}

// contextOf turns what a caller passes into values or a context to share.
func contextOf(args any) (values map[string]any, shared *sharedContext, err error) {
	switch a := args.(type) {
	case *result.Result:
		if a == nil {
			return nil, nil, nil
		}
		return nil, a.Context(), nil
	case run.Task:
		return contextOfTask(a)
	}
	return argsValues(args)
}
