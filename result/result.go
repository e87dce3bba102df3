package result

import (
	"maps"
	"slices"
	"sync/atomic"
	"time"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/id"
	"github.com/cmdx-go/cmdx/internal/run"
)

// Result tells what one execution became. It never changes once the execution
// has returned it, may be read from many goroutines, and hands out copies.
type Result struct {
	run            *run.Run
	chain          *Chain
	errors         *Errors
	outcome        Outcome
	callbackErrors *[]error
	tid            atomic.Pointer[string]
	start          time.Time
	duration       time.Duration
	index          int32
	retries        int32
	sealed         bool
	strict         bool
	deprecated     bool
	rolledBack     bool
	placed         bool // a root that has finished
	told           bool // in its chain, and to subscribers
}

// Begin prepares r, which lies inside an execution that starts now.
func Begin(r *Result, of *run.Run, chain *Chain, start time.Time, strict bool) {
	r.run, r.chain, r.start, r.strict = of, chain, start, strict
}

// Draft is the outcome of r while its execution is under way; nil afterwards.
func Draft(r *Result) *Outcome {
	if r.sealed {
		return nil
	}
	return &r.outcome
}

// Record is what an execution knows at its end beside the outcome.
type Record struct {
	Errors     *Errors
	Retries    int
	Deprecated bool
	RolledBack bool
}

// Seal ends the drafting of r. Sealing again changes nothing.
func Seal(r *Result, rec Record) {
	if r.sealed {
		return
	}
	r.sealed = true
	r.scrub(rec.Errors)
	r.errors, r.retries = rec.Errors, int32(rec.Retries)
	r.deprecated, r.rolledBack = rec.Deprecated, rec.RolledBack
}

// Finish takes the duration of a sealed r since began, or since its start when
// began is zero, and keeps the errors of its callbacks. Nothing changes any
// more once r was told.
func Finish(r *Result, began time.Time, callbackErrors []error) {
	if r.told {
		return
	}
	if began.IsZero() {
		began = r.start
	}
	r.duration = time.Since(began)
	if len(callbackErrors) > 0 {
		r.callbackErrors = &callbackErrors
	}
}

// Tell marks r as told, and tells whether it had not been before.
func Tell(r *Result) (first bool) {
	first, r.told = !r.told, true
	return first
}

// IsSealed tells whether the outcome of r stands.
func IsSealed(r *Result) bool { return r.sealed }

// OutcomeOf is a copy of r's outcome as it stands.
func OutcomeOf(r *Result) Outcome {
	o := r.outcome
	o.Metadata = maps.Clone(o.Metadata)
	return o
}

// scrub takes the values of sensitive inputs out of what was said.
func (r *Result) scrub(errs *Errors) {
	data := r.Context()
	r.outcome.Reason = data.Scrub(r.outcome.Reason)
	errs.replace(data.Scrub)
}

func lazyID(p *atomic.Pointer[string], at time.Time) string {
	if s := p.Load(); s != nil {
		return *s
	}
	s := id.At(at)
	if p.CompareAndSwap(nil, &s) {
		return s
	}
	return *p.Load()
}

// State is complete for a success, otherwise interrupted.
func (r *Result) State() State {
	if r.outcome.Status == StatusSuccess {
		return StateComplete
	}
	return StateInterrupted
}

// Status is success, skipped or failed.
func (r *Result) Status() Status { return r.outcome.Status }

// IsSuccess tells whether the execution succeeded.
func (r *Result) IsSuccess() bool { return r.outcome.Status == StatusSuccess }

// IsSkipped tells whether it was skipped.
func (r *Result) IsSkipped() bool { return r.outcome.Status == StatusSkipped }

// IsFailed tells whether it failed.
func (r *Result) IsFailed() bool { return r.outcome.Status == StatusFailed }

// IsComplete tells whether it ran to its end.
func (r *Result) IsComplete() bool { return r.outcome.Status == StatusSuccess }

// IsInterrupted tells whether it was skipped or failed.
func (r *Result) IsInterrupted() bool { return r.outcome.Status != StatusSuccess }

// IsOK tells whether it succeeded or was skipped.
func (r *Result) IsOK() bool { return r.outcome.Status != StatusFailed }

// IsKO tells whether it was skipped or failed.
func (r *Result) IsKO() bool { return r.outcome.Status != StatusSuccess }

// Reason is the signal's reason; for a raised error "[TypeName] message".
func (r *Result) Reason() string { return r.outcome.Reason }

// Metadata returns a copy of what signals, guards and Base.Metadata added;
// never nil.
func (r *Result) Metadata() Metadata {
	if r.outcome.Metadata == nil {
		return Metadata{}
	}
	return maps.Clone(r.outcome.Metadata)
}

// Cause is the error behind a failure: what Work returned, or what kept it
// from running. It is nil for a failure that was only signalled.
func (r *Result) Cause() error { return r.outcome.Cause }

// Err is a [*Fault] for a failed result, otherwise nil.
func (r *Result) Err() error {
	if r.outcome.Status != StatusFailed {
		return nil
	}
	return (*Fault)(r)
}

// Context is the data that the execution worked on.
func (r *Result) Context() *cmdxctx.Context {
	if r.run == nil {
		return nil
	}
	return r.run.Context
}

// Errors returns a copy of the errors of inputs and outputs and of those that
// the task added; reading an empty one is fine.
func (r *Result) Errors() *Errors {
	if r.errors == nil {
		return nil
	}
	list := &Errors{}
	list.Merge(r.errors)
	return list
}

// CallbackErrors are the errors of callbacks that ran after the outcome was
// sealed.
func (r *Result) CallbackErrors() []error {
	if r.callbackErrors == nil {
		return nil
	}
	return slices.Clone(*r.callbackErrors)
}

// Chain holds this result and those of the executions it belongs with.
func (r *Result) Chain() *Chain { return r.chain }

// Origin is the nested result that this one echoes; nil otherwise.
func (r *Result) Origin() *Result { return r.outcome.Origin }

// CausedFailure is the result at which a failure began: the last one along
// the origins; nil unless failed.
func (r *Result) CausedFailure() *Result {
	if r.outcome.Status != StatusFailed {
		return nil
	}
	cause := r
	for cause.outcome.Origin != nil {
		cause = cause.outcome.Origin
	}
	return cause
}

// ThrewFailure is the nearest result from which a failure came: the origin,
// or the result itself when it echoes nothing; nil unless failed.
func (r *Result) ThrewFailure() *Result {
	switch {
	case r.outcome.Status != StatusFailed:
		return nil
	case r.outcome.Origin != nil:
		return r.outcome.Origin
	}
	return r
}

// TID identifies the execution: a UUIDv7 of its start.
func (r *Result) TID() string {
	if r.run == nil {
		return ""
	}
	return lazyID(&r.tid, r.start)
}

// CID identifies the chain.
func (r *Result) CID() string { return r.chain.ID() }

// XID is the correlation id of the chain; "" without one.
func (r *Result) XID() string { return r.chain.XID() }

// Index is the place in the chain: 0 for the root.
func (r *Result) Index() int { return int(r.index) }

// IsRoot tells whether the execution started its chain.
func (r *Result) IsRoot() bool { return r.chain != nil && r.chain.root == r }

// Task is the executed copy of the task.
func (r *Result) Task() run.Task {
	if r.run == nil {
		return nil
	}
	return r.run.Task
}

// TaskName is the task's name.
func (r *Result) TaskName() string {
	if r.run == nil {
		return ""
	}
	return r.run.Type.Name
}

// Type is "Task" or "Workflow".
func (r *Result) Type() string {
	if r.run == nil {
		return ""
	}
	return r.run.Type.Kind
}

// Tags are the tags that the task's type declares.
func (r *Result) Tags() []string {
	if r.run == nil {
		return nil
	}
	return slices.Clone(r.run.Type.Tags)
}

// Duration is how long the execution took, by the monotonic clock.
func (r *Result) Duration() time.Duration { return r.duration }

// Retries is the number of attempts after the first.
func (r *Result) Retries() int { return int(r.retries) }

// Strict tells whether ExecuteBang started the execution.
func (r *Result) Strict() bool { return r.strict }

// Deprecated tells whether the task was deprecated in this execution.
func (r *Result) Deprecated() bool { return r.deprecated }

// RolledBack tells whether Rollback ran.
func (r *Result) RolledBack() bool { return r.rolledBack }

// On calls f when the word fits and returns r, so that calls can be chained.
// An unknown word never fits and is logged.
func (r *Result) On(word Word, f func(*Result)) *Result {
	var fits bool
	switch word {
	case WordSuccess, WordSkipped, WordFailed:
		fits = Word(r.outcome.Status) == word
	case WordComplete, WordInterrupted:
		fits = Word(r.State()) == word
	case WordOK:
		fits = r.IsOK()
	case WordKO:
		fits = r.IsKO()
	default:
		r.warnUnknown(word)
	}
	if fits && f != nil {
		f(r)
	}
	return r
}

func (r *Result) warnUnknown(word Word) {
	if r.chain == nil {
		return
	}
	if logger := r.chain.life.Logger(); logger != nil {
		logger.Warn("cmdx: Result.On was given an unknown word", "word", string(word), "task", r.TaskName())
	}
}
