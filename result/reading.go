package result

import "github.com/cmdx-go/cmdx/internal/run"

// maxDepth bounds the walk through an error's tree, which a faulty Unwrap can
// make endless.
const maxDepth = 100

// Reading is what an error that user code returned means to its run: exactly
// one of its fields is set, none for nil.
type Reading struct {
	Signal *Signal
	// Echo is the result of a returned Fault.
	Echo *Result
	// EchoText is the text of whatever wrapped the Fault, or else the
	// result's reason; it becomes the reason.
	EchoText string
	// Raised is an error that is neither.
	Raised error
}

// Read tells what err means to the run owner. A signal or a Fault counts
// alone or inside wrappers of a single error; beside a sibling the whole is a
// raised error, so that nothing real is hidden.
func Read(err error, owner *run.Run) Reading {
	if err == nil {
		return Reading{}
	}
	signal, fault := find(err, owner, 0)
	switch {
	case signal != nil && signal.owner == owner && owner != nil:
		return Reading{Signal: signal}
	case signal != nil:
		return Reading{Raised: &ForeignSignalError{Status: signal.status}}
	case fault != nil && fault.outcome.Status == "":
		return Reading{Raised: err} // made by hand: it tells of no run
	case fault != nil:
		reading := Reading{Echo: fault.Result(), EchoText: fault.Result().Reason()}
		if err != error(fault) {
			reading.EchoText = Text(err)
		}
		return reading
	}
	return Reading{Raised: err}
}

// find walks to the one signal or Fault that err stands for.
func find(err error, owner *run.Run, depth int) (signal *Signal, fault *Fault) {
	switch e := err.(type) {
	case *Signal:
		return e, nil
	case *Fault:
		return nil, e
	case *PanicError: // whatever somebody panicked with was not returned
		return nil, nil
	}
	if depth == maxDepth {
		return nil, nil
	}
	inner := unwrap(err)
	if len(inner) == 1 {
		return find(inner[0], owner, depth+1)
	}
	for _, sibling := range inner {
		s, _ := find(sibling, owner, depth+1)
		if s == nil || s.owner != owner {
			return nil, nil
		}
		if s.Outranks(signal) {
			signal = s
		}
	}
	return signal, nil
}

// unwrap returns what err wraps, without nils; an Unwrap that panics wraps
// nothing.
func unwrap(err error) (inner []error) {
	defer func() {
		if recover() != nil {
			inner = nil
		}
	}()
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if next := e.Unwrap(); next != nil {
			inner = append(inner, next)
		}
	case interface{ Unwrap() []error }:
		for _, next := range e.Unwrap() {
			if next != nil {
				inner = append(inner, next)
			}
		}
	}
	return inner
}

// Outcome is what the reading makes of the run; a zero Reading is a success.
func (r Reading) Outcome() Outcome {
	switch {
	case r.Signal != nil:
		return r.Signal.Outcome()
	case r.Echo != nil:
		return Outcome{
			Status: r.Echo.outcome.Status, Reason: r.EchoText, Metadata: r.Echo.Metadata(),
			Cause: r.Echo.outcome.Cause, Origin: r.Echo, Raised: r.Echo.outcome.Raised,
		}
	case r.Raised != nil:
		return Raise(r.Raised)
	}
	return Outcome{Status: StatusSuccess}
}

// Failed tells whether err, as the inside of a run returned it, lets the run
// fail: a failing signal or a raised error. It is false for nil, a skip and a
// success.
func Failed(err error) bool {
	if err == nil {
		return false
	}
	signal, fault := find(err, ownerOf(err), 0)
	switch {
	case signal != nil:
		return signal.status == StatusFailed
	case fault != nil && fault.outcome.Status != "":
		return fault.Result().IsFailed()
	}
	return true
}

// ownerOf returns the run of the first signal in err, so that a tree of one
// run's signals is recognised without knowing the run.
func ownerOf(err error) *run.Run {
	for depth := 0; err != nil && depth < maxDepth; depth++ {
		if s, ok := err.(*Signal); ok {
			return s.owner
		}
		inner := unwrap(err)
		if len(inner) == 0 {
			return nil
		}
		err = inner[0]
	}
	return nil
}
