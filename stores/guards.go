package stores

import (
	"context"
	"time"
)

// Guards is what guards need of a store beyond the four verbs of [Store]: all
// entries of one run are entered by one call and left by one call, and every
// change of an entry is one atomic step that asks for the run's token.
//
// All methods may be called from any number of goroutines and end with ctx.
// Enter, Extend and Leave may be sent again with the same token after a lost
// answer: the token tells the store what it has already done.
type Guards interface {
	Store

	// Enter takes entries[from:] in order until the first refusal. On a
	// refusal everything that token holds of all entries and that is still
	// under way is given back, in reverse order: what lies before from, and
	// what an earlier sending of the same call took. An entry whose key is
	// already held by token counts as entered and keeps its end, so a caller
	// never becomes the duplicate of itself; one that token has completed
	// refuses with [ValueCompleted]. A refusal changes nothing that token
	// does not hold. Without entries from from on, nothing is to be taken
	// and the verdict is VerdictEntered.
	//
	// An entry that no store could take is found before anything is taken,
	// and gives VerdictError whatever its StepOver says: a Kind that the
	// store does not know ([ErrUnknownKind]), a TTL that is not positive
	// ([*TTLError]). A value that is no claim's gives [ErrForeignValue] as
	// the entry's own error.
	//
	// An error means that there was no answer: nothing can be said about
	// what was taken. The caller then calls TakeBack. The error wraps
	// [ErrAnswerLost] when sending the same call again may find out more.
	// The zero Token gives [ErrNoToken] here and below, a negative from
	// [ErrFrom].
	Enter(ctx context.Context, token Token, entries []Entry, from int) (Entered, error)

	// Extend lets each entry that token still holds live for its TTL from
	// now on, also a shorter one. It never re-creates an entry that has
	// ended. A completed claim keeps its end and gives OutcomeLost, since a
	// renewal may arrive late. The answers stand in the order of entries.
	Extend(ctx context.Context, token Token, entries []Entry) ([]Answer, error)

	// Leave hands every entry its Part, in reverse order. It touches nothing
	// that token does not hold and writes nothing where a key has ended. It
	// may be called more than once for one run, with other parts. An entry
	// that gives OutcomeError keeps none of the others from their parts. The
	// answers stand in the order of entries.
	Leave(ctx context.Context, token Token, entries []Entry) ([]Answer, error)

	// TakeBack gives back by token whatever an Enter without an answer may
	// have taken, also when that Enter reaches the store only later. It
	// returns at once: a store that has to wait for a server does that
	// behind the caller. A completed claim stays. The zero Token holds
	// nothing, and nothing is done for it.
	TakeBack(token Token, entries []Entry)
}

// Kind says what an [Entry] asks the store to hold.
type Kind uint8

// The kinds of entries.
const (
	// KindClaim is a key that one run at a time holds with the value
	// [ValueProcessing], and that reads [ValueCompleted] once it succeeded.
	KindClaim Kind = iota + 1
)

// The values of a claim, the same for every program that shares the store.
const (
	// ValueProcessing stands under a claim's key while work is under way.
	ValueProcessing = "processing"
	// ValueCompleted stands there after the work has succeeded.
	ValueCompleted = "completed"
)

// Entry is one guard of one run, told as data: the store acts on it and knows
// nothing of tasks.
type Entry struct {
	// Kind selects the rules.
	Kind Kind
	// Key is the full store key, see [Compose].
	Key string
	// TTL is how long what was taken lives when nobody leaves, counted from
	// the call that took it; positive, rounded up to whole milliseconds.
	TTL time.Duration
	// Keep is how long a completed claim lives, counted from its completion;
	// positive where Part is PartComplete, not looked at otherwise.
	Keep time.Duration
	// StepOver tells Enter to go on behind this entry when the entry's own
	// key gives an error (its guard fails open). Otherwise the error ends
	// the Enter with VerdictError.
	StepOver bool
	// Part is what Leave does with the entry.
	Part Part
}

// Part is what a [Guards.Leave] does with one entry.
type Part uint8

// The parts.
const (
	// PartNone leaves the entry as it is and asks nothing: OutcomeDone.
	PartNone Part = iota
	// PartComplete writes [ValueCompleted] with a new lifetime of Keep, when
	// token holds the claim. Completing twice is done twice.
	PartComplete
	// PartRelease deletes what token holds and what still reads
	// [ValueProcessing]; anything else stays and gives OutcomeLost. Sent
	// again it finds nothing and gives OutcomeLost too, which after a lost
	// answer may well mean that the first sending did it.
	PartRelease
	// PartTakeBack deletes what token holds, a completed claim too. Sent
	// again it answers as PartRelease does.
	PartTakeBack
)

// Verdict is the store's answer to an [Guards.Enter] as a whole.
type Verdict uint8

// The verdicts.
const (
	// VerdictEntered says that every entry was taken or stepped over.
	VerdictEntered Verdict = iota + 1
	// VerdictRefused says that the entry At refused.
	VerdictRefused
	// VerdictWaiting says that the entry At is held by somebody else and may
	// be asked again with from = At; what lies before it stays taken.
	VerdictWaiting
	// VerdictError says that the entry At had an error of its own, Err, and
	// was not to be stepped over. Everything taken was given back.
	VerdictError
)

// Entered is the answer to an [Guards.Enter].
type Entered struct {
	Verdict Verdict
	// At is the index of the entry that refused, waits or failed.
	At int
	// State is the value found under a claim's key that refused:
	// [ValueProcessing] or [ValueCompleted].
	State string
	// RetryAfter is how long the refusing entry will stand in the way at the
	// longest, in whole milliseconds rounded up, where the store knows it;
	// otherwise 0.
	RetryAfter time.Duration
	// Err is the error of the entry At under VerdictError.
	Err error
	// SteppedOver holds the entries that this call stepped over, in order,
	// under any verdict; nil for none.
	SteppedOver []SteppedOver
}

// SteppedOver is an entry that gave an error and was not taken.
type SteppedOver struct {
	At  int
	Err error
}

// Answer is what became of one entry in a [Guards.Leave] or [Guards.Extend].
type Answer struct {
	Outcome Outcome
	// Err is the entry's own error under OutcomeError.
	Err error
}

// Outcome of one entry.
type Outcome uint8

// The outcomes.
const (
	// OutcomeDone says that the part was done.
	OutcomeDone Outcome = iota + 1
	// OutcomeLost says that token does not hold the entry any more: it has
	// ended, or somebody else holds it. Nothing was changed.
	OutcomeLost
	// OutcomeError says that the entry could not be changed because of Err.
	OutcomeError
)
