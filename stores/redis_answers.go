package stores

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// readEntered reads an Enter's answer and writes the admissions of this call
// into entries.
func readEntered(reply any, entries []Entry, from int) (Entered, error) {
	list, ok := reply.([]any)
	if !ok || len(list) < 5 {
		return Entered{}, errUnreadable(reply)
	}
	word, _ := list[0].(string)
	at, _ := list[1].(int64)
	var entered Entered
	switch word {
	case "entered":
		entered.Verdict = VerdictEntered
	case "refused":
		entered.Verdict = VerdictRefused
	case "waiting":
		entered.Verdict = VerdictWaiting
	case "error":
		entered.Verdict = VerdictError
		text, _ := list[4].(string)
		entered.Err = entryError(text)
	default:
		return Entered{}, errUnreadable(reply)
	}
	if entered.Verdict != VerdictEntered {
		entered.At = int(at) - 1
		entered.State, _ = list[2].(string)
		left, _ := list[3].(int64)
		entered.RetryAfter = fromMilliseconds(left)
	}
	if len(list) > 5 {
		entered.SteppedOver = readSteppedOver(list[5])
	}
	for i := from; i < len(entries); i++ {
		entries[i].Admission = Admission{}
	}
	if len(list) > 6 {
		readAdmissions(list[6], entries)
	}
	return entered, nil
}

func readSteppedOver(v any) []SteppedOver {
	list, _ := v.([]any)
	var over []SteppedOver
	for i := 0; i+1 < len(list); i += 2 {
		index, _ := list[i].(int64)
		text, _ := list[i+1].(string)
		over = append(over, SteppedOver{At: int(index) - 1, Err: entryError(text)})
	}
	return over
}

func readAdmissions(v any, entries []Entry) {
	list, _ := v.([]any)
	for i := 0; i+3 < len(list); i += 4 {
		index, _ := list[i].(int64)
		period, _ := list[i+1].(int64)
		state, _ := list[i+2].(string)
		changed, _ := list[i+3].(int64)
		if index >= 1 && int(index) <= len(entries) {
			entries[index-1].Admission = Admission{Period: period, State: BreakerState(state), Changed: changed == 1}
		}
	}
}

// fromMilliseconds is a time that a server told; none for a negative one.
func fromMilliseconds(left int64) time.Duration {
	const longest = int64(1<<63-1) / int64(time.Millisecond)
	return time.Duration(min(max(left, 0), longest)) * time.Millisecond
}

// readOutcome reads the outcome of one entry. Where a value of another kind
// lies now, the run has lost what it held; a rate holds nothing.
func readOutcome(v any, kind Kind) Answer {
	text, _ := v.(string)
	switch text {
	case "done":
		return Answer{Outcome: OutcomeDone}
	case "lost":
		return Answer{Outcome: OutcomeLost}
	case "done open":
		return Answer{Outcome: OutcomeDone, Breaker: BreakerOpen}
	case "done closed":
		return Answer{Outcome: OutcomeDone, Breaker: BreakerClosed}
	}
	err := entryError(strings.TrimPrefix(text, "error "))
	switch {
	case !errors.Is(err, ErrForeignValue):
		return Answer{Outcome: OutcomeError, Err: err}
	case kind == KindRate:
		return Answer{Outcome: OutcomeDone}
	}
	return Answer{Outcome: OutcomeLost}
}

// entryError is the error of one entry, by the text that a script gave.
func entryError(text string) error {
	switch {
	case strings.Contains(text, "CMDX-VOID"):
		return ErrTakenBack
	case strings.Contains(text, "CMDX-FOREIGN"):
		return ErrForeignValue
	case strings.Contains(text, "WRONGTYPE"):
		return fmt.Errorf("%w (redis: %s)", ErrForeignValue, text)
	}
	return errors.New("stores: redis: " + text)
}

func errUnreadable(reply any) error {
	return fmt.Errorf("stores: redis gave an answer of type %T that no script of this version gives", reply)
}
