package task

import (
	"context"
	"log/slog"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Configuration is what a runtime is made of. The zero value is usable: a
// memory store, a bus of its own, no logger.
type Configuration struct {
	// Store holds claims and whatever else guards remember. nil means a new
	// memory store, which serves one process only.
	Store stores.Store
	// Telemetry carries events. nil means a new bus.
	Telemetry *telemetry.Bus
	// Logger gets one line per execution and warnings. nil means silence.
	Logger *slog.Logger
	// CorrelationID gives a chain its correlation id (xid); it is asked once
	// per root execution. nil means none.
	CorrelationID func(context.Context) string
	// StrictContext lets Context.MustGet and In stop the run when the key is
	// missing.
	StrictContext bool
	// FaultOn lists the statuses for which ExecuteBang returns an error. nil
	// means StatusFailed only.
	FaultOn []result.Status
	// Locale is the language of messages, such as "es" or "es-MX", where ctx
	// has none of its own. "" means the built-in English.
	Locale string

	hooks hooks
}

// Runtime executes tasks with one configuration. Two runtimes share nothing
// but definitions. It may be used from many goroutines.
type Runtime struct {
	store         stores.Store
	telemetry     *telemetry.Bus
	logger        *slog.Logger
	correlationID func(context.Context) string
	strict        bool
	faultOn       []result.Status
	hooks
	locale string
}

// New makes a runtime of a configuration; later changes of c do not reach it.
func New(c Configuration) *Runtime {
	c.fill()
	return &Runtime{
		store: c.Store, telemetry: c.Telemetry, logger: harmless(c.Logger),
		correlationID: c.CorrelationID, strict: c.StrictContext, faultOn: slices.Clone(c.FaultOn),
		hooks: c.hooks, locale: c.Locale,
	}
}

func (c *Configuration) fill() {
	if c.Store == nil {
		c.Store = stores.NewMemory()
	}
	if c.Telemetry == nil {
		c.Telemetry = &telemetry.Bus{}
	}
	if c.FaultOn == nil {
		c.FaultOn = []result.Status{result.StatusFailed}
	}
}

func (r *Runtime) configuration() Configuration {
	return Configuration{
		Store: r.store, Telemetry: r.telemetry, Logger: r.logger,
		CorrelationID: r.correlationID, StrictContext: r.strict, FaultOn: slices.Clone(r.faultOn),
		hooks: r.hooks, Locale: r.locale,
	}
}

// Store is the runtime's store; never nil.
func (r *Runtime) Store() stores.Store { return r.store }

// Telemetry is the runtime's bus; never nil.
func (r *Runtime) Telemetry() *telemetry.Bus { return r.telemetry }

var defaultRuntime atomic.Pointer[Runtime]

func init() { defaultRuntime.Store(New(Configuration{})) }

// Default is the runtime of the package functions.
func Default() *Runtime { return defaultRuntime.Load() }

// Configure changes the default runtime: change is given its configuration,
// in which Telemetry and Store are never nil. Executions under way go on with
// what they have. change is called again when another change came in between.
func Configure(change func(*Configuration)) {
	for {
		before := Default()
		c := before.configuration()
		change(&c)
		if defaultRuntime.CompareAndSwap(before, New(c)) {
			return
		}
	}
}

// Reset gives the default runtime a new memory store, a new bus and no
// logger, for tests.
func Reset() {
	defaultRuntime.Store(New(Configuration{}))
}

// Execute runs a task on the runtime that ctx's execution runs on, else on
// the default one.
func Execute(ctx context.Context, task run.Task, args any) *result.Result {
	return runtimeFor(ctx).execute(ctx, task, args, false)
}

// ExecuteBang is Execute with an error for results whose status is one of the
// configuration's FaultOn.
func ExecuteBang(ctx context.Context, task run.Task, args any) (*result.Result, error) {
	return runtimeFor(ctx).ExecuteBang(ctx, task, args)
}

func runtimeFor(ctx context.Context) *Runtime {
	if ctx != nil {
		if _, r := carried(ctx); r != nil {
			return r
		}
	}
	return Default()
}

// Execute runs a copy of task with args and returns what became of it.
//
// args may be nil, any map with string keys, a struct or a pointer to one,
// whose fields become values; or a context, a result or an executed task,
// whose context is shared while its root execution is under way and copied
// afterwards. Execute never returns nil and never panics, but
// inside a Configure, where it turns into a definition error.
func (r *Runtime) Execute(ctx context.Context, task run.Task, args any) *result.Result {
	return r.execute(ctx, task, args, false)
}

// ExecuteBang is [Runtime.Execute] with an error, a [*result.Fault], for
// results whose status is one of the configuration's FaultOn; by default for
// failed ones.
func (r *Runtime) ExecuteBang(ctx context.Context, task run.Task, args any) (*result.Result, error) {
	res := r.execute(ctx, task, args, true)
	if slices.Contains(r.faultOn, res.Status()) {
		return res, (*result.Fault)(res)
	}
	return res, nil
}

func (r *Runtime) execute(ctx context.Context, task run.Task, args any, strict bool) *result.Result {
	refuseInsideConfigure("Execute")
	if ctx == nil {
		ctx = context.Background()
	}
	e := &execution{runtime: r}
	structType, problem := structOfFast(task)
	if problem != nil {
		e.definition = undefined(problem)
	} else {
		e.definition = definitionOf(structType)
	}
	e.Run.Type = e.definition.info
	if problem := e.problem(); problem != nil {
		e.Run.Task = task
		e.refuseDefinition(problem)
	} else {
		copyTemplate(e.definition, task, &e.Run)
	}
	return e.execute(ctx, args, strict)
}

// problem is what is declared wrongly by the type, or by the runtime.
func (e *execution) problem() *DefinitionError {
	if problem := e.definition.problem(); problem != nil {
		return problem
	}
	return e.runtime.mistake
}

// structOfFast is structOf without an interface around nil.
func structOfFast(t run.Task) (reflect.Type, *DefinitionError) {
	structType, err := structOf(t)
	if err != nil {
		return nil, err.(*DefinitionError)
	}
	return structType, nil
}

// undefined is the definition of what is no task value.
func undefined(problem *DefinitionError) *Definition {
	return &Definition{
		info:     &run.Type{Name: problem.Task, Kind: "Task"},
		mistakes: []*DefinitionError{problem},
	}
}

// refuseDefinition fails the run of a type that is declared wrongly.
func (e *execution) refuseDefinition(problem *DefinitionError) {
	e.decide(result.Refuse(problem))
	if c := e.definition.clash; c != nil && e.logger() != nil {
		c.logged.Do(func() {
			e.logger().Error("cmdx: two task types would share store keys; the one defined later fails", "error", problem)
		})
	}
}

// askCorrelation asks for the correlation id; a function that panics gives
// none.
func (e *execution) askCorrelation(ctx context.Context, ask func(context.Context) string) (xid string) {
	defer func() {
		if p := recover(); p != nil {
			xid = ""
			if logger := e.logger(); logger != nil {
				logger.Error("cmdx: CorrelationID panicked", "error", result.Recovered(p, nil))
			}
		}
	}()
	return ask(ctx)
}
