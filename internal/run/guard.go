package run

import (
	"context"
	"log/slog"

	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Scope is what a guard may ask of the execution that it guards.
type Scope interface {
	// Subject is the executed task.
	Subject() Task
	// TaskName is the task's name in keys.
	TaskName() string
	// Wants tells whether anybody would read the event.
	Wants(telemetry.EventName) bool
	// Emit sends the event; call it only when somebody wants it.
	Emit(telemetry.EventName, map[string]any)
	// Log is the runtime's logger; nil when none is set.
	Log() *slog.Logger
}

// Guard stands before Work. It is made once per task type and holds no state
// of a run: it tells the store by an entry what to hold, and what the store's
// answer means.
type Guard interface {
	// Traits never change.
	Traits() Traits
	// Prepare evaluates the gates and the key. It runs before anything is
	// entered.
	Prepare(context.Context, Scope) (Preparation, error)
	// Entered tells that the store took the entry.
	Entered(Scope, stores.Entry)
	// Refused tells what the store's refusal means.
	Refused(Scope, stores.Entry, stores.Entered) Refusal
	// Part is what Leave does with the entry.
	Part(Ending) stores.Part
	// Left tells what became of the entry.
	Left(Scope, stores.Entry, stores.Answer)
}

// Traits are a guard's fixed words and choices.
type Traits struct {
	// Step is the guard's name in the pipeline.
	Step string
	// Holds is what the guard holds, in messages: "claim".
	Holds string
	// KeyName is the metadata's name for the full store key.
	KeyName string
	// StoreFailed is the event for a store that failed before Work.
	StoreFailed telemetry.EventName
	// OnStoreError is FailClosed or FailOpen.
	OnStoreError StorePolicy
	// Renew lets a heartbeat extend the entry while Work runs.
	Renew bool
}

// Preparation is what a guard makes of its gates and its key: an entry, a
// refusal, or neither when it steps aside.
type Preparation struct {
	Entry   stores.Entry
	Active  bool
	Refusal *Refusal
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
}

// Codes in a result's metadata.
const (
	CodeDuplicate        = "duplicate"
	CodeStoreUnavailable = "store_unavailable"
	CodeKeyBlank         = "key_blank"
)

// Problem is something wrong in what a type declares.
type Problem struct {
	// Text says what is wrong, Fix what to write instead.
	Text, Fix string
	// Input is the input that it is about, if it is about one.
	Input string
}
