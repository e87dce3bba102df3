package task

import (
	"context"
	"runtime/debug"

	"github.com/cmdx-go/cmdx/features/breaker"
	"github.com/cmdx-go/cmdx/features/concurrency"
	"github.com/cmdx-go/cmdx/features/idempotency"
	"github.com/cmdx-go/cmdx/features/lock"
	"github.com/cmdx-go/cmdx/features/ratelimit"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
)

// pipeline is what a task type runs, in this order:
//
// resolve inputs → rate limit → circuit breaker → concurrency → lock → idempotency claim → retry loop { Work } → verify outputs → completed
//
// What a type does not declare is absent from its list.
func pipeline(d *Definition) []step {
	return declared(
		step{name: "resolve inputs", do: resolveInputs(d)},
		step{name: ratelimit.Step, guard: ratelimit.NewGuard(d.rates)},
		step{name: breaker.Step, guard: breaker.NewGuard(d.breaker)},
		step{name: concurrency.Step, guard: concurrency.NewGuard(d.concurrency)},
		step{name: lock.Step, guard: lock.NewGuard(d.lock)},
		step{name: idempotency.Step, guard: idempotency.NewGuard(d.idempotency)},
		step{name: "retry loop { Work }", do: (*execution).attempts},
		step{name: "verify outputs", do: verifyOutputs(d)},
		step{name: "completed", do: completed(d), always: true},
	)
}

// step is one step: a guard, which is entered together with its neighbours,
// or a function. Steps marked always run also after a halt.
type step struct {
	name   string
	guard  run.Guard
	do     func(*execution, context.Context)
	always bool
}

// declared leaves out the steps that are not there, and lets every run of
// guards be entered by its first step.
func declared(steps ...step) []step {
	var kept []step
	for _, s := range steps {
		if s.guard != nil || s.do != nil {
			kept = append(kept, s)
		}
	}
	return kept
}

// entering puts one entering step in the place of the guards' run.
func entering(steps []step) []step {
	var joined []step
	var guards []run.Guard
	for i, s := range steps {
		if s.guard == nil {
			joined = append(joined, s)
			continue
		}
		guards = append(guards, s.guard)
		if i+1 == len(steps) || steps[i+1].guard == nil {
			joined = append(joined, step{name: "enter", do: enter(guards)})
		}
	}
	return joined
}

// runPipeline walks the list. What panics there fails the run; the steps that
// always run are still taken, and change the outcome no more; before them a
// failure is rolled back, so that nobody starts the work while it is being
// undone.
func (e *execution) runPipeline(ctx context.Context) {
	for i := range e.definition.steps {
		s := &e.definition.steps[i]
		if s.always {
			e.undoFailure()
			e.decided = true
		}
		if !e.halted || s.always {
			e.take(ctx, s)
		}
	}
	e.undoFailure()
	e.decided = true
}

func (e *execution) take(ctx context.Context, s *step) {
	defer func() {
		if p := recover(); p != nil {
			e.failUndecided(result.Raise(result.Recovered(p, debug.Stack())))
		}
	}()
	s.do(e, ctx)
}

// failUndecided is for what ends a run from outside its steps.
func (e *execution) failUndecided(o result.Outcome) {
	if !e.decided {
		e.decide(o)
	}
}

// resolveInputs is absent for a type without inputs.
func resolveInputs(d *Definition) func(*execution, context.Context) {
	if d.plan == nil || d.plan.Len() == 0 {
		return nil
	}
	return func(e *execution, ctx context.Context) {
		d.plan.Resolve(ctx, &e.Run, e.Context, lazyErrors{e})
		e.failWithErrors()
	}
}

// verifyOutputs is absent for a type without outputs.
func verifyOutputs(d *Definition) func(*execution, context.Context) {
	if d.outputs.Len() == 0 {
		return nil
	}
	return func(e *execution, ctx context.Context) {
		d.outputs.Verify(ctx, e.Run.Task, e.Context, lazyErrors{e})
		e.failWithErrors()
	}
}

// completed is absent for a type without guards: it is their leaving.
func completed(d *Definition) func(*execution, context.Context) {
	if !d.guarded() {
		return nil
	}
	return func(e *execution, _ context.Context) { e.leave() }
}

// failWithErrors fails the run when anything was added to its errors, unless
// it has failed already.
func (e *execution) failWithErrors() {
	errs := e.errors.Load()
	if errs == nil || errs.Len() == 0 || result.Draft(&e.result).Status == result.StatusFailed {
		return
	}
	e.decide(result.Outcome{Status: result.StatusFailed, Reason: errs.String()})
}

// lazyErrors makes the run's errors only when there is one.
type lazyErrors struct{ e *execution }

func (l lazyErrors) Add(key, message string) { l.e.collectedErrors().Add(key, message) }
