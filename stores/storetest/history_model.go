package storetest

import (
	"hash/maphash"
	"slices"
	"strconv"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/cmdx-go/cmdx/stores"
)

// lockText stands for the token that lies under a lock's key.
const lockText = "a token"

// keyRules are the rules of the key of one claim or lock as a model whose state is the set
// of all states that the key may be in.
type keyRules struct {
	tolerance int64 // nanoseconds
}

// keyState is one state that a key may be in.
type keyState struct {
	held  bool
	value string
	owner int
	// lifetime is what was asked for when the end was last set, and earliest
	// and latest bound that end: a call happens at an unknown instant between
	// its beginning and its answer.
	lifetime, earliest, latest int64
	// clock is the earliest instant at which the last call can have happened.
	clock int64
	// given holds the runs that were taken back, whose Enter takes nothing
	// any more, as a sorted text.
	given string
}

var hashingStates = maphash.MakeSeed()

// model makes the rules fit for the checker.
func (r keyRules) model() porcupine.Model {
	rules := porcupine.NondeterministicModel{
		Init: func() []any { return []any{keyState{owner: nobody}} },
		Step: func(state, input, output any) []any {
			var next []any
			for _, s := range r.step(state.(keyState), input.(historyCall), output.(historyAnswer)) {
				next = append(next, s)
			}
			return next
		},
		Equal: func(a, b any) bool { return a.(keyState) == b.(keyState) },
		Hash:  func(state any) uint64 { return maphash.Comparable(hashingStates, state.(keyState)) },
	}
	return rules.ToModel()
}

// step returns the states after a call that was answered so; none when no
// store that keeps the rules can have answered so.
func (r keyRules) step(s keyState, call historyCall, answer historyAnswer) []keyState {
	var next []keyState
	if answer.lost {
		next = append(next, s) // it may never have happened
	}
	for _, now := range r.at(s, call.began, answer.ended) {
		after, text := now.apply(call, answer.ended)
		if answer.lost {
			next = append(next, after)
			continue
		}
		if text != answer.text {
			continue
		}
		if answer.left > 0 {
			var fits bool
			if after, fits = r.leftFits(after, answer); !fits {
				continue
			}
		}
		next = append(next, after)
	}
	return next
}

// at returns the states of a key at the instant of a call: the key may have
// ended by then, or not, or both may be so. Calls are laid at the earliest
// instant that the calls before them leave; one that comes before another in
// the order began before the other one ended, so there always is an instant.
func (r keyRules) at(s keyState, began, ended int64) []keyState {
	s.clock = max(s.clock, began)
	if !s.held {
		return []keyState{s}
	}
	// The call that set the end came before this one.
	s.latest = min(s.latest, later(ended, s.lifetime))
	var states []keyState
	if s.clock-r.tolerance < s.latest {
		alive := s
		alive.earliest = max(alive.earliest, s.clock-r.tolerance)
		states = append(states, alive)
	}
	if later(ended, r.tolerance) >= s.earliest {
		dead := s.absent()
		dead.clock = max(s.clock, s.earliest-r.tolerance)
		states = append(states, dead)
	}
	return states
}

// leftFits narrows a key's end by the time that a refusal has told, and tells
// whether both fit.
func (r keyRules) leftFits(s keyState, answer historyAnswer) (keyState, bool) {
	s.earliest = max(s.earliest, s.clock+answer.left-int64(time.Millisecond)-r.tolerance)
	s.latest = min(s.latest, later(answer.ended, answer.left)+r.tolerance)
	return s, s.earliest <= s.latest+r.tolerance
}

// apply does a call on a state that is certain and returns its answer.
func (s keyState) apply(call historyCall, ended int64) (after keyState, answer string) {
	mine := s.held && s.owner == call.run
	underWay := mine && s.value != stores.ValueCompleted
	switch call.op {
	case OpGet:
		return s, gotText(s.value, s.held)
	case OpSet:
		if call.nx && s.held {
			return s, doneText(false)
		}
		return s.put(call, call.value, nobody, ended), doneText(true)
	case OpDelete:
		return s.absent(), doneText(s.held)
	case OpEnter:
		written := stores.ValueProcessing
		if call.lock {
			written = lockText
		}
		switch {
		case s.held && !underWay && call.lock:
			return s, refusedText("") // whatever lies there
		case s.held && !underWay:
			return s, refusedText(s.value)
		case s.held || s.hasGivenUp(call.run):
			return s, stores.VerdictEntered.String()
		}
		return s.put(call, written, call.run, ended), stores.VerdictEntered.String()
	case OpExtend:
		if !underWay {
			return s, stores.OutcomeLost.String()
		}
		return s.put(call, s.value, s.owner, ended), stores.OutcomeDone.String()
	case OpLeave:
		return s.leave(call, ended)
	case OpTakeBack:
		if underWay {
			s = s.absent()
		}
		return s.giveUp(call.run), stores.OutcomeDone.String()
	case opRestart:
		return keyState{owner: nobody, clock: s.clock}, stores.OutcomeDone.String()
	}
	return s, ""
}

func (s keyState) leave(call historyCall, ended int64) (after keyState, answer string) {
	mine := s.held && s.owner == call.run
	switch {
	case call.part == stores.PartNone:
		return s, stores.OutcomeDone.String()
	case !mine, call.part == stores.PartRelease && s.value == stores.ValueCompleted:
		return s, stores.OutcomeLost.String()
	case call.part == stores.PartComplete:
		return s.put(call, stores.ValueCompleted, s.owner, ended), stores.OutcomeDone.String()
	}
	return s.absent(), stores.OutcomeDone.String()
}

// put writes a value whose lifetime begins with this call.
func (s keyState) put(call historyCall, value string, owner int, ended int64) keyState {
	s.held, s.value, s.owner = true, value, owner
	s.lifetime, s.earliest, s.latest = call.lifetime, s.clock+call.lifetime, later(ended, call.lifetime)
	return s
}

func (s keyState) absent() keyState {
	return keyState{owner: nobody, clock: s.clock, given: s.given}
}

func (s keyState) hasGivenUp(run int) bool { return slices.Contains([]rune(s.given), rune(run)) }

func (s keyState) giveUp(run int) keyState {
	if !s.hasGivenUp(run) {
		all := append([]rune(s.given), rune(run))
		slices.Sort(all)
		s.given = string(all)
	}
	return s
}

// later adds to an instant that may be never.
func later(instant, d int64) int64 {
	if instant > never-d {
		return never
	}
	return instant + d
}

// The answers in words, for those that are no verdict and no outcome.
func gotText(value string, found bool) string {
	if !found {
		return "absent"
	}
	return "reads " + value
}

func refusedText(state string) string { return stores.VerdictRefused.String() + " " + state }

func doneText(done bool) string { return strconv.FormatBool(done) }
