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
	// what an earlier sending of the same call took. Only what a rate counted
	// stays counted, and the state to which a breaker changed. Neighbouring
	// entries of KindRate are one question: all are asked before any of them
	// counts, so that they count together or not at all, and the one with the
	// longest RetryAfter refuses for them, the first one of equals; an error of
	// one of them that is not to be stepped over comes before any refusal. A
	// call that a rate remembers by its token passes and counts no more. A lock with Wait that somebody else
	// holds gives VerdictWaiting instead of a refusal. For a breaker Enter
	// writes the entry's Admission. An entry whose key is
	// already held by token counts as entered and keeps its end, so a caller
	// never becomes the duplicate of itself; one that token has completed
	// refuses with [ValueCompleted]. A refusal changes nothing that token
	// does not hold. Without entries from from on, nothing is to be taken
	// and the verdict is VerdictEntered.
	//
	// An entry that no store could take is found before anything is taken,
	// and gives VerdictError whatever its StepOver says: a Kind that the
	// store does not know ([ErrUnknownKind]), a TTL that is not positive
	// ([*TTLError]), a rule that is missing or out of bounds ([*RuleError]).
	// A value that is not of the entry's kind gives [ErrForeignValue] as the
	// entry's own error; a lock takes any value for one held by somebody, and
	// Extend and Leave find nothing there that token holds. Places and windows
	// may look alike to a store.
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
	// renewal may arrive late. Rates and breakers hold nothing that could be
	// extended: OutcomeDone. The answers stand in the order of entries.
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
	// behind the caller. A completed claim stays. A call that a rate counted
	// is taken out of its log; PaceSmooth forgets nothing. The zero Token
	// holds nothing, and nothing is done for it.
	TakeBack(token Token, entries []Entry)
}

// Kind says what an [Entry] asks the store to hold.
type Kind uint8

// The kinds of entries.
const (
	// KindClaim is a key that one run at a time holds with the value
	// [ValueProcessing], and that reads [ValueCompleted] once it succeeded.
	KindClaim Kind = iota + 1
	// KindLock is a key that one run at a time holds. What lies under it is
	// the token of the run that holds it; any other value is somebody's too.
	KindLock
	// KindPlace is one of Entry.Limit places that runs of a key hold at once,
	// each with an owner and an end of its own.
	KindPlace
	// KindRate counts the calls of a key by Entry.Rate. Nothing is held.
	KindRate
	// KindBreaker asks a circuit by Entry.Breaker whether a call may pass,
	// and is told how the call went. While the circuit is half open, the
	// calls that pass hold a probe each.
	KindBreaker
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
	// the call that took it; positive, rounded up to whole milliseconds. For
	// KindRate it is how long a call is remembered, at least the longest Per
	// of all rates of the key. For KindBreaker it is how long a circuit is
	// remembered that nobody uses; an open one at least until its cool-off
	// has ended and that long again.
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
	// Wait lets a lock that is held answer VerdictWaiting.
	Wait bool
	// Limit is the number of places of a KindPlace; positive.
	Limit int64
	// Rate is the rule of a KindRate, Breaker that of a KindBreaker. A store
	// reads them only.
	Rate    *RateRule
	Breaker *BreakerRule
	// Admission is what Enter wrote for a KindBreaker; Leave reads it.
	Admission Admission
}

// RateRule says how many calls of a key pass.
type RateRule struct {
	// Limit calls pass in every window of length Per, wherever it begins: a
	// call counts until just before Per has gone by. Both are positive.
	Limit int64
	Per   time.Duration
	// Pace is PaceWindow or PaceSmooth.
	Pace Pace
}

// Pace says how the calls that a rate lets through may lie.
type Pace uint8

// The paces.
const (
	// PaceWindow lets calls come as they like, up to the limit. Every call is
	// kept by its token until it is forgotten, in one log for all rates of the
	// key, so that a call which is sent twice counts once.
	PaceWindow Pace = iota + 1
	// PaceSmooth keeps Per/Limit between two calls (GCRA without a burst), to
	// the unit of the store's clock, and keeps one instant per key. The same call sent twice may wait once more
	// than it had to.
	PaceSmooth
)

// BreakerRule says when a circuit opens and closes.
type BreakerRule struct {
	// Threshold failures in a row open the circuit; 0 when FailureRate rules.
	Threshold int64
	// FailureRate (above 0, at most 1) opens it as soon as, with at least
	// MinCalls calls within the last Window, that share of them failed; a
	// success may complete the MinCalls and open it.
	FailureRate float64
	Window      time.Duration
	MinCalls    int64
	// CoolOff is how long an open circuit refuses every call, and how long a
	// probe may take until it is forgotten.
	CoolOff time.Duration
	// Probes is how many calls pass at once while the circuit is half open.
	Probes int64
}

// Admission tells by which state of a circuit a call passed.
type Admission struct {
	// Period counts the changes of the circuit's state. A call's outcome
	// counts only in the period in which the call passed.
	Period int64
	// State is BreakerClosed, or BreakerHalfOpen for a probe.
	State BreakerState
	// Changed tells that this very call found the cool-off over and made the
	// circuit half open; also when an entry behind it refused. The same call
	// sent again tells it again while it holds its probe.
	Changed bool
}

// BreakerState is the state of a circuit.
type BreakerState string

// The states.
const (
	BreakerClosed   BreakerState = "closed"
	BreakerOpen     BreakerState = "open"
	BreakerHalfOpen BreakerState = "half_open"
)

// Breakers is what a store can tell of circuits beside guarding them; [Memory]
// and [Redis] do.
type Breakers interface {
	Guards

	// InspectBreaker reads a circuit. It changes nothing: an open circuit
	// whose cool-off is over reads open until a call passes.
	InspectBreaker(ctx context.Context, e Entry) (BreakerReport, error)

	// ResetBreaker closes a circuit and forgets all failures; what is under
	// way counts no more, also where the circuit was closed or unknown. closed
	// is false when it was closed already.
	ResetBreaker(ctx context.Context, e Entry) (closed bool, err error)
}

// BreakerReport is what [Breakers.InspectBreaker] found.
type BreakerReport struct {
	// State is the circuit's state; closed for one that nobody has used.
	State BreakerState
	// Failures is how many failures count towards opening: those in a row, or
	// those within the window, of Calls in all.
	Failures, Calls int64
	// Probes is how many probes are under way.
	Probes int64
	// RetryAfter is what is left of the cool-off, rounded up to whole
	// milliseconds; 0 when the circuit is not open.
	RetryAfter time.Duration
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
	//
	// For a lock or a place it gives up what token holds. For a breaker it
	// frees the probe that token holds and counts nothing: a neutral outcome.
	// For a rate there is nothing to do. The last two give OutcomeDone.
	PartRelease
	// PartTakeBack deletes what token holds, a completed claim too. Sent
	// again it answers as PartRelease does.
	PartTakeBack
	// PartSuccess and PartFailure tell a breaker how the call went. They count
	// once per token and only in the period of the entry's Admission; a probe
	// counts only while it is held. What does not count gives OutcomeLost. An
	// outcome is known again by its token as long as it counts and for a while
	// after it: then it is done and changes nothing.
	PartSuccess
	PartFailure
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
	// [ValueProcessing] or [ValueCompleted]; of a breaker that refused its
	// state: "open" or "half_open".
	State string
	// RetryAfter is how long the refusing or awaited entry will stand in the
	// way at the longest, in whole milliseconds rounded up, where the store
	// knows it; otherwise 0. A rate's is exact and never 0: so much later one
	// more call passes, a millisecond earlier it does not. A half-open
	// breaker's is when the first probe under way will be forgotten.
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
	// Breaker is the state to which this run's outcome changed a circuit; ""
	// when it did not. The same call sent again tells it again.
	Breaker BreakerState
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
