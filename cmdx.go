package cmdx

import (
	"context"
	"time"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/features/breaker"
	"github.com/cmdx-go/cmdx/features/callbacks"
	"github.com/cmdx-go/cmdx/features/concurrency"
	"github.com/cmdx-go/cmdx/features/deprecation"
	"github.com/cmdx-go/cmdx/features/idempotency"
	"github.com/cmdx-go/cmdx/features/lock"
	"github.com/cmdx-go/cmdx/features/middleware"
	"github.com/cmdx-go/cmdx/features/ratelimit"
	"github.com/cmdx-go/cmdx/features/retry"
	"github.com/cmdx-go/cmdx/features/timeout"
	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/task"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Task is a business operation: a struct that embeds [Base] by value, itself
// or through a parent, and has Work(context.Context) error. Work returns nil,
// a signal that the task made, or an error.
type Task = run.Task

// Base makes a struct a task and gives it the methods that speak of its
// execution: Context, Errors, Metadata, Logger, TID, Attempt, Input, Skip,
// Fail, Success and Throw. Their comments: [task.Base].
type Base = task.Base

// Config is what a Configure method declares on: inputs, outputs, retries,
// idempotency and more. Its methods: [task.Config].
type Config = task.Config

// Definition is what a task type declares with everything that it inherits,
// as [DefinitionOf] gives it. Its methods: [task.Definition].
type Definition = task.Definition

// DefinitionError says that a task type is declared wrongly and what to write
// instead. Its fields: [task.DefinitionError].
type DefinitionError = task.DefinitionError

// Runtime executes tasks with a store, a bus and a logger of its own. Its
// methods: [task.Runtime].
type Runtime = task.Runtime

// Configuration is what a [Runtime] is made of. Its fields with their
// defaults: [task.Configuration].
type Configuration = task.Configuration

// Args are the arguments of an execution, by name.
type Args = map[string]any

// Metadata is what signals and guards add to a result.
type Metadata = result.Metadata

// Result tells what one execution became; it never changes. Its methods:
// [result.Result].
type Result = result.Result

// Fault is a failed result as an error; errors.Is and errors.As reach its
// cause. Its methods: [result.Fault].
type Fault = result.Fault

// Chain holds the results of a root execution and those nested in it. Its
// methods: [result.Chain].
type Chain = result.Chain

// Errors collects what is wrong with a run, by key. Its methods:
// [result.Errors].
type Errors = result.Errors

// Context is the data bag that a run works on and shares with nested runs.
// Its methods: [cmdxctx.Context].
type Context = cmdxctx.Context

// PanicError is the raised error that a panic in user code becomes, with
// value and stack. Its fields: [result.PanicError].
type PanicError = result.PanicError

// LeaseLostError says that a claim ended while the run still worked under it.
// Its fields: [result.LeaseLostError].
type LeaseLostError = result.LeaseLostError

// ForeignSignalError says that Work returned a signal that another run made.
// Its fields: [result.ForeignSignalError].
type ForeignSignalError = result.ForeignSignalError

// GoexitError is the cause of a run that user code ended with runtime.Goexit;
// only subscribers and the chain see it.
type GoexitError = result.GoexitError

// UnexecutedError says that a task was passed as arguments that has no context
// to share yet. Its fields: [task.UnexecutedError].
type UnexecutedError = task.UnexecutedError

// MiddlewareError says that a middleware neither went on nor halted, or used
// its next wrongly. Its fields: [result.MiddlewareError].
type MiddlewareError = result.MiddlewareError

// CallbackError says that an around callback did not call its continuation
// exactly once. Its fields: [result.CallbackError].
type CallbackError = result.CallbackError

// DeprecationError is the cause of a run that was refused because its task is
// deprecated. Its fields: [result.DeprecationError].
type DeprecationError = result.DeprecationError

// TimeoutError is the cause of a ctx that a task's own timeout ended, and of
// the failure that followed. Its fields: [result.TimeoutError].
type TimeoutError = result.TimeoutError

// RollbackError says that a task's Rollback failed. Its fields:
// [result.RollbackError].
type RollbackError = result.RollbackError

// Outcome is what a run came to, as [OutcomeOf] tells callbacks. Its fields:
// [result.Outcome].
type Outcome = result.Outcome

// MismatchError says that a function was called on a task that it was not
// written for: Want is the function's type, Task the task's.
type MismatchError = run.MismatchError

// SensitiveKeyError says that a guard's key would have shown the value of a
// sensitive input; [Hashed] keys do not. Its fields: [run.SensitiveKeyError].
type SensitiveKeyError = run.SensitiveKeyError

// ArgsError says that arguments are of a type that gives no values. Its
// fields: [cmdxctx.ArgsError].
type ArgsError = cmdxctx.ArgsError

// DecodeError says that a context's values do not fit what Decode was given.
// Its fields: [cmdxctx.DecodeError].
type DecodeError = cmdxctx.DecodeError

// UnknownKeyError says that a strict context has no value of that name. Its
// fields: [cmdxctx.UnknownKeyError].
type UnknownKeyError = cmdxctx.UnknownKeyError

// MessageError says why a message cannot be registered: Locale and Key name
// it, Problem says what is wrong.
type MessageError = messages.Error

// State tells whether an execution ran to its end; the constants are typed
// [StateComplete] and [StateInterrupted].
type State = result.State

// The states of a result.
const (
	StateComplete    = result.StateComplete
	StateInterrupted = result.StateInterrupted
)

// Status tells how an execution ended.
type Status = result.Status

// The statuses of a result.
const (
	StatusSuccess = result.StatusSuccess
	StatusSkipped = result.StatusSkipped
	StatusFailed  = result.StatusFailed
)

// Word is what Result.On asks for.
type Word = result.Word

// The words of Result.On: the statuses, the states, and the groups ok
// (success or skipped) and ko (skipped or failed).
const (
	WordSuccess     = result.WordSuccess
	WordSkipped     = result.WordSkipped
	WordFailed      = result.WordFailed
	WordComplete    = result.WordComplete
	WordInterrupted = result.WordInterrupted
	WordOK          = result.WordOK
	WordKO          = result.WordKO
)

// Idempotency tunes what IdempotentBy declares; zero fields inherit. Its
// fields with their defaults: [idempotency.Options].
type Idempotency = idempotency.Options

// Callback is called at one moment of an execution: before the work, where it
// may halt the run by returning a signal or an error, or behind the outcome,
// which it cannot change. [Call] makes one of a method.
type Callback = run.Callback

// AroundCallback stands around the pipeline and must call its continuation
// exactly once. [Around] makes one of a method.
type AroundCallback = run.AroundCallback

// CallbackOptions are the gates of one declared callback.
type CallbackOptions = callbacks.Options

// CallbackKind names a moment of an execution, for Config.RemoveCallback and
// Config.CallbacksOf.
type CallbackKind = callbacks.Kind

// The kinds of callbacks, in the order in which an execution comes to them.
const (
	BeforeExecution  = callbacks.BeforeExecution
	BeforeValidation = callbacks.BeforeValidation
	AroundExecution  = callbacks.AroundExecution
	AfterExecution   = callbacks.AfterExecution
	OnComplete       = callbacks.OnComplete
	OnInterrupted    = callbacks.OnInterrupted
	OnSuccess        = callbacks.OnSuccess
	OnSkipped        = callbacks.OnSkipped
	OnFailed         = callbacks.OnFailed
	OnOK             = callbacks.OnOK
	OnKO             = callbacks.OnKO
)

// Next goes on with the inside of a middleware or an around callback and
// returns what came of it: nil, a signal, or the raised error. Call it once,
// before returning, on the same goroutine.
type Next = run.Next

// Middleware stands around whole executions. It calls next, or halts by
// returning a signal or an error; what it returns decides. [MiddlewareFunc]
// makes one of a function.
type Middleware = run.Middleware

// MiddlewareOptions are the position and the gates of one declared middleware.
// Their fields: [middleware.Options].
type MiddlewareOptions = middleware.Options

// Position says where a middleware stands among those declared before it.
type Position = middleware.Position

// The positions.
const (
	// Innermost stands inside of those declared before: the default.
	Innermost Position = middleware.Innermost
	// Outermost stands outside of them, of a runtime's too.
	Outermost Position = middleware.Outermost
)

// Settle says when a claim or lock is given up.
type Settle = run.Settle

// When a guard settles.
const (
	// AfterPipeline settles as soon as the pipeline has ended.
	AfterPipeline Settle = run.AfterPipeline
	// AfterMiddlewares settles when the outermost middleware has returned,
	// such as one that commits a transaction.
	AfterMiddlewares Settle = run.AfterMiddlewares
)

// NoTimeout takes an inherited timeout away.
const NoTimeout = timeout.None

// TimeoutOption is a further bound beside that of all attempts.
type TimeoutOption = timeout.Option

// Deprecation tunes what Deprecate declares; zero fields inherit. Its fields:
// [deprecation.Options].
type Deprecation = deprecation.Options

// What is done about the run of a deprecated task, beside callbacks.
const (
	// DeprecateLog writes a line of the level info.
	DeprecateLog = deprecation.Log
	// DeprecateWarn writes a line of the level warn.
	DeprecateWarn = deprecation.Warn
	// DeprecateError fails the run with a [*DeprecationError].
	DeprecateError = deprecation.Error
)

// Settings are what Config.Settings says about logging, tags, strict contexts
// and correlation; zero fields inherit. Its fields: [task.Settings].
type Settings = task.Settings

// Setting names one of the [Settings], for Config.RemoveSettings.
type Setting = task.Setting

// The settings.
const (
	SettingLogger        = task.SettingLogger
	SettingLevel         = task.SettingLevel
	SettingLogExclude    = task.SettingLogExclude
	SettingTags          = task.SettingTags
	SettingStrictContext = task.SettingStrictContext
	SettingCorrelationID = task.SettingCorrelationID
)

// Retry tunes what RetryOn declares; zero fields inherit. Its fields with
// their defaults: [retry.Options].
type Retry = retry.Options

// Jitter works out the pause before a further attempt from the attempt's
// number (from 0), the delay and the previous pause.
type Jitter = retry.Jitter

// Ways back to the defaults for a [Retry] that inherits something else.
const (
	// NoRetries is a Limit of no further attempt.
	NoRetries = retry.NoRetries
	// NoDelay is a Delay of no pause.
	NoDelay = retry.NoDelay
	// NoMaxDelay leaves pauses without a ceiling.
	NoMaxDelay = retry.NoMaxDelay
)

// Lock tunes what LockWith declares; zero fields inherit. Its fields with
// their defaults: [lock.Options].
type Lock = lock.Options

// NoWait is a [Lock].Wait of one try: the way back.
const NoWait = lock.NoWait

// Rate is one limit of what RateLimit declares. Its fields with their
// defaults: [ratelimit.Options].
type Rate = ratelimit.Options

// Pace says how the runs that a [Rate] lets through may lie.
type Pace = stores.Pace

// The paces.
const (
	// PaceWindow lets runs come as they like, up to the limit.
	PaceWindow Pace = stores.PaceWindow
	// PaceSmooth keeps Per/Limit between two runs.
	PaceSmooth Pace = stores.PaceSmooth
)

// Breaker tunes what CircuitBreaker declares; zero fields inherit. Its fields
// with their defaults: [breaker.Options].
type Breaker = breaker.Options

// AnyRaised lets every raised error count as a failure of the circuit: the
// way back for [Breaker].CountIf.
const AnyRaised = breaker.AnyRaised

// BreakerReport is what [BreakerState] tells of a circuit. Its fields:
// [stores.BreakerReport].
type BreakerReport = stores.BreakerReport

// NoBreakerError says that a task has no circuit to look at. Its fields:
// [task.NoBreakerError].
type NoBreakerError = task.NoBreakerError

// The states of a circuit, in a [BreakerReport] and, as plain strings, in
// metadata["state"].
const (
	BreakerClosed   = stores.BreakerClosed
	BreakerOpen     = stores.BreakerOpen
	BreakerHalfOpen = stores.BreakerHalfOpen
)

// Concurrency tunes what LimitConcurrency declares; zero fields inherit. Its
// fields with their defaults: [concurrency.Options].
type Concurrency = concurrency.Options

// Policy says how a guard ends a run that it refuses.
type Policy = run.Policy

// The policies.
const (
	// PolicySkip ends the run as skipped.
	PolicySkip Policy = run.PolicySkip
	// PolicyFail ends the run as failed.
	PolicyFail Policy = run.PolicyFail
	// PolicyStepAside, for OnBlank, runs Work without the guard.
	PolicyStepAside Policy = run.PolicyStepAside
)

// Switch turns something on or off that a parent may have declared.
type Switch = run.Switch

// The positions of a [Switch].
const (
	On  Switch = run.On
	Off Switch = run.Off
)

// StorePolicy says what a guard does when the store cannot answer.
type StorePolicy = run.StorePolicy

// The store policies.
const (
	// FailClosed fails the run without Work.
	FailClosed StorePolicy = run.FailClosed
	// FailOpen runs Work without the guard, logged and emitted each time.
	FailOpen StorePolicy = run.FailOpen
)

// Codes in metadata["code"], plain strings.
const (
	// CodeDuplicate: the idempotency key was already held.
	CodeDuplicate = run.CodeDuplicate
	// CodeLocked: another run held the lock, also after the wait for it.
	CodeLocked = run.CodeLocked
	// CodeRateLimited: a limit was reached.
	CodeRateLimited = run.CodeRateLimited
	// CodeCircuitOpen: the circuit was open, or half open with its probes
	// under way.
	CodeCircuitOpen = run.CodeCircuitOpen
	// CodeConcurrencyLimited: all places were taken.
	CodeConcurrencyLimited = run.CodeConcurrencyLimited
	// CodeStoreUnavailable: the store could not answer, and the guard fails
	// closed.
	CodeStoreUnavailable = run.CodeStoreUnavailable
	// CodeKeyBlank: the key was blank, and OnBlank is PolicyFail.
	CodeKeyBlank = run.CodeKeyBlank
)

// KeyResolver gives a guard the last part of its store key. A blank key (nil
// or "") lets the guard step aside for that run.
type KeyResolver = run.KeyResolver

// Gate decides per run whether something declared applies.
type Gate = run.Gate

// ErrorMatcher picks the errors that are tried again.
type ErrorMatcher = run.ErrorMatcher

// PerTask is the key of what counts for the whole task type: the segment
// "all".
const PerTask = run.PerTask

// Disabled turns a feature off for a type and its descendants; it stands in
// the place of the feature's resolver or matcher.
const Disabled = run.Disabled

// Gates that ask nothing: the ways back for If and Unless.
const (
	Always = run.Always
	Never  = run.Never
)

// AnyError matches every raised error but panics, lost leases, and the
// faults of nested runs that were decided rather than raised.
const AnyError = retry.AnyError

// Telemetry is the bus that carries events to subscribers. Its methods:
// [telemetry.Bus].
type Telemetry = telemetry.Bus

// Event is something that happened to one execution. Its fields:
// [telemetry.Event].
type Event = telemetry.Event

// EventName names a kind of event; what each payload holds stands at the
// constants of package telemetry.
type EventName = telemetry.EventName

// The events.
const (
	EventTaskStarted                 = telemetry.EventTaskStarted
	EventTaskDeprecated              = telemetry.EventTaskDeprecated
	EventTaskRolledBack              = telemetry.EventTaskRolledBack
	EventCallbackFailed              = telemetry.EventCallbackFailed
	EventTaskRetried                 = telemetry.EventTaskRetried
	EventTaskExecuted                = telemetry.EventTaskExecuted
	EventIdempotencyClaimed          = telemetry.EventIdempotencyClaimed
	EventIdempotencyCompleted        = telemetry.EventIdempotencyCompleted
	EventIdempotencyDuplicate        = telemetry.EventIdempotencyDuplicate
	EventIdempotencyBlank            = telemetry.EventIdempotencyBlank
	EventIdempotencyLost             = telemetry.EventIdempotencyLost
	EventIdempotencyCompletionFailed = telemetry.EventIdempotencyCompletionFailed
	EventIdempotencyTakenBack        = telemetry.EventIdempotencyTakenBack
	EventIdempotencyReleaseFailed    = telemetry.EventIdempotencyReleaseFailed
	EventIdempotencyStoreFailed      = telemetry.EventIdempotencyStoreFailed
	EventRateLimited                 = telemetry.EventRateLimited
	EventRateLimitStoreFailed        = telemetry.EventRateLimitStoreFailed
	EventCircuitOpened               = telemetry.EventCircuitOpened
	EventCircuitHalfOpened           = telemetry.EventCircuitHalfOpened
	EventCircuitClosed               = telemetry.EventCircuitClosed
	EventCircuitRejected             = telemetry.EventCircuitRejected
	EventCircuitReportFailed         = telemetry.EventCircuitReportFailed
	EventCircuitStoreFailed          = telemetry.EventCircuitStoreFailed
	EventConcurrencyAcquired         = telemetry.EventConcurrencyAcquired
	EventConcurrencyLimited          = telemetry.EventConcurrencyLimited
	EventConcurrencyReleased         = telemetry.EventConcurrencyReleased
	EventConcurrencyLost             = telemetry.EventConcurrencyLost
	EventConcurrencyReleaseFailed    = telemetry.EventConcurrencyReleaseFailed
	EventConcurrencyStoreFailed      = telemetry.EventConcurrencyStoreFailed
	EventLockAcquired                = telemetry.EventLockAcquired
	EventLockConflict                = telemetry.EventLockConflict
	EventLockReleased                = telemetry.EventLockReleased
	EventLockLost                    = telemetry.EventLockLost
	EventLockReleaseFailed           = telemetry.EventLockReleaseFailed
	EventLockStoreFailed             = telemetry.EventLockStoreFailed
)

// Execute runs a copy of task with args and returns what became of it; never
// nil. It uses the runtime that ctx's execution runs on, else the default
// one. What args may be: [task.Runtime.Execute].
func Execute(ctx context.Context, t Task, args any) *Result { return task.Execute(ctx, t, args) }

// ExecuteBang is [Execute] with an error, a [*Fault], when the result failed
// (or has another status that Configuration.FaultOn lists).
func ExecuteBang(ctx context.Context, t Task, args any) (*Result, error) {
	return task.ExecuteBang(ctx, t, args)
}

// New makes a runtime of its own: store, bus, logger and settings.
func New(c Configuration) *Runtime { return task.New(c) }

// Default is the runtime that the package functions use.
func Default() *Runtime { return task.Default() }

// Configure changes the default runtime, usually once when a program starts.
func Configure(change func(*Configuration)) { task.Configure(change) }

// Reset restores the default runtime, for tests.
func Reset() { task.Reset() }

// Validate returns every definition error of the tasks' types, joined; nil
// when all are sound. Call it in a test over all tasks of an application.
func Validate(tasks ...Task) error { return task.Validate(tasks...) }

// RegisterMessages replaces messages for a locale, such as "es" or "es-MX", or
// "en" for the built-in ones: every text that the library says to a user, by
// its key. [Messages] has the keys with their English texts; placeholders such
// as {min} stand where they stand there, or are left out, and {{ is a brace. A
// text that is not registered for "es-MX" is looked for in "es", then in
// English. Registering adds to what was registered before. The error joins a
// [*MessageError] for every key that does not exist and every text that is
// broken; then nothing is registered. It may be called at any time, and runs
// under way use what is there when they need it.
func RegisterMessages(locale string, texts map[string]string) error {
	return messages.Register(locale, texts)
}

// ForgetMessages drops what was registered for a locale, for tests.
func ForgetMessages(locale string) { messages.Forget(locale) }

// Messages are the English texts that [RegisterMessages] can replace, by key,
// in a map of the caller's own.
func Messages() map[string]string { return messages.All() }

// WithLocale returns a ctx whose runs say their messages in the words of the
// locale, whatever their Configuration.Locale is.
func WithLocale(ctx context.Context, locale string) context.Context {
	return messages.WithLocale(ctx, locale)
}

// DefinitionOf returns what a task's type declares, with what it inherits.
func DefinitionOf(t Task) (*Definition, error) { return task.DefinitionOf(t) }

// BreakerState tells the state of a task's circuit, for a page that shows it;
// it changes nothing. Args are what the circuit's key is made of; a circuit
// of the whole type needs none. Its errors: [task.Runtime.BreakerState].
func BreakerState(ctx context.Context, t Task, args ...any) (BreakerReport, error) {
	return task.BreakerState(ctx, t, args...)
}

// ResetBreaker closes a task's circuit by hand and forgets its failures;
// closed is false when it was closed already. Its errors:
// [task.Runtime.BreakerState].
func ResetBreaker(ctx context.Context, t Task, args ...any) (closed bool, err error) {
	return task.ResetBreaker(ctx, t, args...)
}

// Detach returns a ctx below which executions start a chain of their own, for
// consumers that outlive the run that started them.
func Detach(ctx context.Context) context.Context { return task.Detach(ctx) }

// Failed tells whether what the inside of a run returned lets it fail: a Fail
// or a raised error; not nil, a Skip or a Success.
func Failed(err error) bool { return result.Failed(err) }

// In returns a declared input, or else the context's value, as a T. Numbers
// are converted exactly; what cannot be a T stops the run with a typed error.
func In[T any](t Task, name string) T { return task.In[T](t, name) }

// Get returns the context's value under key when there is one and it is a T.
func Get[T any](c *Context, key string) (T, bool) { return cmdxctx.Get[T](c, key) }

// FromContext is the key resolver by name: the resolved input of that name,
// else the context's value.
func FromContext(name string) KeyResolver { return run.FromContext(name) }

// Literal is the key resolver that always gives segment.
func Literal(segment string) KeyResolver { return run.Literal(segment) }

// KeyFunc is the key resolver made of a method expression of the task or of a
// struct that it embeds, such as KeyFunc((*ChargeCustomer).Key).
func KeyFunc[T any](key func(*T) string) KeyResolver { return run.KeyMethod[T]{Func: key} }

// Hashed gives the SHA-256 of another resolver's key in hexadecimal digits,
// for keys that a store should not show.
func Hashed(key KeyResolver) KeyResolver { return run.Hashed{Resolver: key} }

// Call is a callback made of a method expression of the task or of a struct
// that it embeds, such as Call((*ChargeCustomer).SendReceipt).
func Call[T any](f func(*T, context.Context) error) Callback { return run.CallMethod[T]{Func: f} }

// Around is an around callback made of a method expression of the task or of a
// struct that it embeds, such as Around((*ChargeCustomer).Timed).
func Around[T any](f func(*T, context.Context, Next) error) AroundCallback {
	return run.AroundMethod[T]{Func: f}
}

// MiddlewareFunc is a middleware made of a function.
func MiddlewareFunc(f func(ctx context.Context, task Task, next Next) error) Middleware {
	return run.MiddlewareFunc{Func: f}
}

// PerAttempt bounds each attempt of Work alone, as an option of Timeout;
// NoTimeout takes an inherited bound away.
func PerAttempt(d time.Duration) TimeoutOption { return timeout.PerAttempt(d) }

// OutcomeOf tells callbacks behind an outcome, by their ctx, what the run came
// to; false while that is open.
func OutcomeOf(ctx context.Context) (outcome Outcome, decided bool) { return task.OutcomeOf(ctx) }

// When is a gate made of a method expression of the task or of a struct that
// it embeds, such as When((*ChargeCustomer).Live).
func When[T any](allow func(*T) bool) Gate { return run.WhenGate[T]{Func: allow} }

// WhenError is a gate for Retry.If and Retry.Unless only: it is given the
// error and the number of the attempt that raised it, from 0.
func WhenError[T any](allow func(t *T, err error, attempt int) bool) Gate {
	return retry.WhenError(allow)
}

// ErrorIs matches errors for which errors.Is holds with one of errs.
func ErrorIs(errs ...error) ErrorMatcher { return retry.ErrorIs(errs...) }

// ErrorType matches errors in which errors.As finds an E.
func ErrorType[E error]() ErrorMatcher { return retry.ErrorType[E]() }

// ErrorFunc matches errors for which match is true.
func ErrorFunc(match func(error) bool) ErrorMatcher { return retry.ErrorFunc(match) }
