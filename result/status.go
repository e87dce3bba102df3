// Package result tells what an execution became: its [Result], the signals
// that halt it, the [Fault] that carries a failure onward, and the [Chain] of
// results that belong together.
package result

// Metadata is what a signal or a guard adds to a result.
type Metadata = map[string]any

// State tells whether an execution ran to its end.
type State string

// The states.
const (
	// StateComplete: the execution ended with a success.
	StateComplete State = "complete"
	// StateInterrupted: it was halted by a skip or a failure.
	StateInterrupted State = "interrupted"
)

// Status tells how an execution ended.
type Status string

// The statuses.
const (
	StatusSuccess Status = "success"
	StatusSkipped Status = "skipped"
	StatusFailed  Status = "failed"
)

// Word is what [Result.On] asks for: a status, a state, or a group of
// statuses.
type Word string

// The words.
const (
	WordSuccess     Word = "success"
	WordSkipped     Word = "skipped"
	WordFailed      Word = "failed"
	WordComplete    Word = "complete"
	WordInterrupted Word = "interrupted"
	// WordOK is success or skipped.
	WordOK Word = "ok"
	// WordKO is skipped or failed.
	WordKO Word = "ko"
)
