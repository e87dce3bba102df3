package run

import (
	"context"
	"log/slog"
	"time"

	"github.com/cmdx-go/cmdx/internal/messages"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Scope is what a guard may ask of the execution that it guards.
type Scope interface {
	// Subject is the executed task.
	Subject() Task
	// TaskName is the task's name in keys.
	TaskName() string
	// LockedAbove tells whether a run that encloses this one holds the lock
	// of that key, and that run's task.
	LockedAbove(key string) (task string, held bool)
	// Wants tells whether anybody would read the event.
	Wants(telemetry.EventName) bool
	// Emit sends the event; call it only when somebody wants it.
	Emit(telemetry.EventName, map[string]any)
	// Log is the runtime's logger; nil when none is set.
	Log() *slog.Logger
}

// Guard stands before Work. It is made once per task type and holds no state
// of a run: it tells the store by entries what to hold, and what the store's
// answers mean.
type Guard interface {
	// Traits never change.
	Traits() *Traits
	// Prepare evaluates the gates and the key, and appends what it wants to
	// hold: nothing when it steps aside. It runs before anything is entered.
	Prepare(context.Context, Scope, []stores.Entry) ([]stores.Entry, *Refusal, error)
	// Entered tells that the store took an entry.
	Entered(Scope, *stores.Entry)
	// Refused tells what the store's refusal of an entry means.
	Refused(Scope, *stores.Entry, stores.Entered) Refusal
	// Part is what Leave does with an entry.
	Part(Scope, *stores.Entry, Ending) stores.Part
	// Left tells what became of an entry.
	Left(Scope, *stores.Entry, stores.Answer)
}

// Witness is a guard that wants to see its entries as soon as the store has
// answered, whatever the answer was.
type Witness interface {
	Answered(Scope, *stores.Entry)
}

// Say puts a text into the words of the run's locale.
func Say(s Scope, t *messages.Text) string {
	if speaker, ok := s.(interface{ Say(*messages.Text) string }); ok {
		return speaker.Say(t)
	}
	return t.English()
}

// Traits are a guard's fixed words and choices.
type Traits struct {
	// Step is the guard's name in the pipeline.
	Step string
	// Holds is what the guard holds, in messages: "claim".
	Holds string
	// Asks is what it asks the store, in messages: "whether the claim is
	// free".
	Asks string
	// KeyName is the metadata's name for the full store key.
	KeyName string
	// StoreFailed is the event for a store that failed before Work.
	StoreFailed telemetry.EventName
	// Renew lets a heartbeat extend the entries while Work runs.
	Renew bool
	// Wait is how long an entry that is held may be waited for.
	Wait time.Duration
	// Most is how many entries it makes at the most.
	Most int
	// Settle is AfterPipeline, or AfterMiddlewares for what is held until
	// the outermost middleware has returned.
	Settle Settle
}

// Refusal is how a guard ends a run.
type Refusal struct {
	Policy   Policy // PolicySkip or PolicyFail
	Reason   string
	Metadata map[string]any
}

// Ending is how a run ends, as far as guards ask.
type Ending struct {
	// Succeeded tells that the run is a success.
	Succeeded bool
	// Call is how the call of Work went, as a circuit sees it.
	Call Call
	// Err is the raised error behind CallFailure.
	Err error
}

// Call is how a call went: well, badly, or neither.
type Call uint8

// The ways in which a call can go.
const (
	// CallNeutral says nothing about what Work called: a signal, a refusal,
	// outputs that are missing, a caller who left.
	CallNeutral Call = iota
	// CallSuccess is Work that ended with nil or Success, with outputs that
	// held.
	CallSuccess
	// CallFailure is a raised error that left the retry loop.
	CallFailure
)

// Codes in a result's metadata.
const (
	CodeDuplicate          = "duplicate"
	CodeLocked             = "locked"
	CodeRateLimited        = "rate_limited"
	CodeCircuitOpen        = "circuit_open"
	CodeConcurrencyLimited = "concurrency_limited"
	CodeStoreUnavailable   = "store_unavailable"
	CodeKeyBlank           = "key_blank"
)

// Problem is something wrong in what a type declares.
type Problem struct {
	// Text says what is wrong, Fix what to write instead.
	Text, Fix string
	// Input is the input that it is about, if it is about one.
	Input string
}
