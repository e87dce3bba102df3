package task

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/cmdx-go/cmdx/features/breaker"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/stores"
)

// NoBreakerError says that a task has no circuit to look at: its type
// declares none, or the key is blank for these arguments.
type NoBreakerError struct {
	// Task is the task's name.
	Task string
	// Blank tells that there is a circuit breaker but no key.
	Blank bool
}

// Error tells which of the two it is and what to do.
func (e *NoBreakerError) Error() string {
	if e.Blank {
		return "cmdx: the circuit of " + e.Task + " has no key for these arguments: pass what its key is made of"
	}
	return "cmdx: " + e.Task + " has no circuit breaker: declare one by CircuitBreaker"
}

// BreakerState tells the state of a task's circuit. What the key is made of
// is passed as for [Runtime.Execute]; a circuit that is the whole type's
// needs nothing. It changes nothing, runs no Work and asks no gates: an open
// circuit whose cool-off is over reads open until a run comes.
//
// Its error is a [*DefinitionError], a [*NoBreakerError], what the key
// resolver had to say, an error that wraps [stores.ErrUnsupported], or the
// store's.
func (r *Runtime) BreakerState(ctx context.Context, task run.Task, args ...any) (stores.BreakerReport, error) {
	refuseInsideConfigure("BreakerState")
	ctx, entry, store, err := r.circuit(ctx, task, args)
	if err != nil {
		return stores.BreakerReport{}, err
	}
	return store.InspectBreaker(ctx, entry)
}

// ResetBreaker closes a task's circuit and forgets all failures; runs that
// are under way count no more. closed is false when it was closed already.
// Arguments and errors are those of [Runtime.BreakerState].
func (r *Runtime) ResetBreaker(ctx context.Context, task run.Task, args ...any) (closed bool, err error) {
	refuseInsideConfigure("ResetBreaker")
	ctx, entry, store, err := r.circuit(ctx, task, args)
	if err != nil {
		return false, err
	}
	return store.ResetBreaker(ctx, entry)
}

// BreakerState is [Runtime.BreakerState] on the runtime that ctx's execution
// runs on, else on the default one.
func BreakerState(ctx context.Context, task run.Task, args ...any) (stores.BreakerReport, error) {
	return runtimeFor(ctx).BreakerState(ctx, task, args...)
}

// ResetBreaker is [Runtime.ResetBreaker] on the runtime that ctx's execution
// runs on, else on the default one.
func ResetBreaker(ctx context.Context, task run.Task, args ...any) (closed bool, err error) {
	return runtimeFor(ctx).ResetBreaker(ctx, task, args...)
}

// circuit resolves the inputs of a copy of the task, which is never executed,
// and makes the entry of its circuit.
func (r *Runtime) circuit(ctx context.Context, task run.Task, args []any) (_ context.Context, entry stores.Entry, store stores.Breakers, err error) {
	defer func() {
		if p := recover(); p != nil { // a resolver, a default, a coercion
			err = result.Recovered(p, debug.Stack())
		}
	}()
	if ctx == nil {
		ctx = context.Background()
	}
	structType, err := structOf(task)
	if err != nil {
		return ctx, entry, nil, err
	}
	e := &execution{runtime: r, definition: definitionOf(structType)}
	e.Run.Type = e.definition.info
	if problem := e.definition.problem(); problem != nil {
		return ctx, entry, nil, problem
	}
	guard, ok := breaker.NewGuard(e.definition.breaker).(*breaker.Guard)
	if !ok {
		return ctx, entry, nil, &NoBreakerError{Task: e.Type.Name}
	}
	store, ok = r.store.(stores.Breakers)
	if !ok {
		return ctx, entry, nil, fmt.Errorf("%w: %T cannot tell of circuits; it does not implement stores.Breakers", stores.ErrUnsupported, r.store)
	}
	copyTemplate(e.definition, task, &e.Run)
	if err := e.resolveFor(ctx, args); err != nil {
		return ctx, entry, nil, err
	}
	entry, ok, err = guard.Entry(&e.carrier, e)
	if err == nil && !ok {
		err = &NoBreakerError{Task: e.Type.Name, Blank: true}
	}
	return ctx, entry, store, err
}

// resolveFor gives a run that does not take place its context and inputs.
func (e *execution) resolveFor(ctx context.Context, args []any) error {
	e.carrier = carrier{Context: ctx, execution: e}
	result.Begin(&e.result, &e.Run, &e.chain, time.Now(), false)
	result.StartChain(&e.chain, &e.result, "")
	defer e.chain.Life().End()
	var first any
	if len(args) > 0 {
		first = args[0]
	}
	e.takeArgs(first)
	if draft := result.Draft(&e.result); draft.Cause != nil {
		return draft.Cause
	}
	if resolve := resolveInputs(e.definition); resolve != nil {
		// The key may need only some of the inputs: what the others lack does
		// not matter. A key without its own is blank.
		resolve(e, &e.carrier)
	}
	return nil
}
