package result

import (
	"maps"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Signal is the error value by which a task halts its own run. Work returns
// it; the executor recognises it, alone or wrapped.
type Signal struct {
	status   Status
	reason   string
	metadata Metadata
	owner    *run.Run
	thrown   *Result
	stands   *Outcome // the whole outcome that the signal stands for
}

// NewSignal makes a signal of the run owner; a nil owner stands for a task
// that is not running. Later metadata win over earlier ones.
func NewSignal(owner *run.Run, status Status, reason string, metadata ...Metadata) *Signal {
	return &Signal{status: status, reason: reason, metadata: mergeMetadata(nil, metadata...), owner: owner}
}

// NewThrow makes the signal that lets a run fail as an echo of failed.
func NewThrow(owner *run.Run, failed *Result, metadata ...Metadata) *Signal {
	return &Signal{
		status: StatusFailed, reason: failed.Reason(), owner: owner, thrown: failed,
		metadata: mergeMetadata(failed.Metadata(), metadata...),
	}
}

// Spoken is what a run that has come to o tells those around it: nil for a
// plain success, the raised error, or else a signal that stands for o.
func Spoken(owner *run.Run, o Outcome) error {
	switch {
	case o.Status == StatusSuccess && !o.Signalled:
		return nil
	case o.Raised && o.Origin == nil && Failed(o.Cause):
		return o.Cause
	}
	return &Signal{status: o.Status, reason: o.Reason, metadata: o.Metadata, owner: owner, stands: &o}
}

func mergeMetadata(base Metadata, metadata ...Metadata) Metadata {
	for _, m := range metadata {
		if len(m) == 0 {
			continue
		}
		if base == nil {
			base = make(Metadata, len(m))
		}
		maps.Copy(base, m)
	}
	return base
}

// Error names the status and the reason.
func (s *Signal) Error() string {
	if s == nil {
		return "cmdx: a nil signal"
	}
	if s.reason == "" {
		return "cmdx: " + string(s.status)
	}
	return "cmdx: " + string(s.status) + ": " + s.reason
}

// Unwrap gives the cause of the result that was thrown, or what lies behind
// the outcome that the signal stands for; otherwise nil.
func (s *Signal) Unwrap() error {
	switch {
	case s == nil:
		return nil
	case s.thrown != nil:
		return s.thrown.Cause()
	case s.stands != nil && s.stands.Origin != nil:
		return (*Fault)(s.stands.Origin)
	case s.stands != nil:
		return s.stands.Cause
	}
	return nil
}

// Unretryable is true: a signal is a decision, not an accident.
func (s *Signal) Unretryable() bool { return true }

// Status is the status that the signal gives to its run.
func (s *Signal) Status() Status { return s.status }

// Reason is the reason that the signal gives to its run.
func (s *Signal) Reason() string { return s.reason }

// Outranks tells whether s decides when s was made after other: a failure
// over a skip over a success, the later one among equals.
func (s *Signal) Outranks(other *Signal) bool {
	return other == nil || s.rank() >= other.rank()
}

func (s *Signal) rank() int {
	switch s.status {
	case StatusFailed:
		return 2
	case StatusSkipped:
		return 1
	}
	return 0
}

// Outcome is what the signal makes of its run.
func (s *Signal) Outcome() Outcome {
	if s.stands != nil {
		return *s.stands
	}
	o := Outcome{Status: s.status, Reason: s.reason, Metadata: s.metadata, Signalled: true}
	if s.thrown != nil {
		o.Origin, o.Cause, o.Raised = s.thrown, s.thrown.Cause(), s.thrown.outcome.Raised
	}
	return o
}
