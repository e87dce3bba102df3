package stores

import (
	"strconv"
	"time"
)

// toldFor is how long the outcome of a run is recognised at least when it is
// told again to a circuit that counts within a window.
const toldFor = 10 * time.Second

// argsPerEntry is how many arguments the largest kind has.
const argsPerEntry = 13

// encode lays entries out as the scripts take them, an Enter's with the index
// at which it begins, which is not 0.
func encode(entries []Entry, token string, from int, part func(*Entry) string) (keys []string, args []any) {
	keysLength, argsLength := 0, 2
	for i := range entries {
		if entries[i].Kind == KindBreaker {
			keysLength, argsLength = keysLength+5, argsLength+argsPerEntry
			continue
		}
		keysLength, argsLength = keysLength+3, argsLength+6
	}
	keys, args = make([]string, 0, keysLength), make([]any, 0, argsLength)
	args = append(args, token)
	if from > 0 {
		args = append(args, strconv.Itoa(from))
	}
	for i := range entries {
		keys = appendKeys(keys, &entries[i], token)
		args = appendArgs(args, &entries[i], part(&entries[i]))
	}
	return keys, args
}

// appendArgs appends the arguments of an entry: those of all kinds, then those
// of its kind's rules.
func appendArgs(args []any, e *Entry, part string) []any {
	lifetime := e.TTL
	switch {
	case part == "complete":
		lifetime = e.Keep
	case part == "void":
		lifetime = voidLifetime
	case e.Kind == KindRate:
		lifetime = max(lifetime, e.Rate.Per)
	}
	args = append(args, ruleNames[rulesOf(e)], wholeMilliseconds(lifetime), part, flag(e.StepOver))
	switch e.Kind {
	case KindLock:
		return append(args, flag(e.Wait))
	case KindPlace:
		return append(args, e.Limit)
	case KindRate:
		if e.Rate.Pace == PaceSmooth {
			return append(args, wholeMicroseconds(e.Rate.distance()))
		}
		return append(args, e.Rate.Limit, wholeMicroseconds(e.Rate.Per))
	case KindBreaker:
		b := e.Breaker
		return append(args, wholeMicroseconds(b.CoolOff), b.Probes, b.Threshold,
			strconv.FormatFloat(b.FailureRate, 'g', -1, 64), wholeMicroseconds(b.Window), b.MinCalls,
			wholeMicroseconds(max(b.Window, toldFor)), e.Admission.Period, string(e.Admission.State))
	}
	return args
}

// distance is what lies between two calls of a smooth pace at least, rounded
// up so that no more than Limit fit into Per.
func (r *RateRule) distance() time.Duration {
	whole := int64(r.Per) / r.Limit
	if int64(r.Per)%r.Limit > 0 {
		whole++
	}
	return time.Duration(whole)
}

// wholeMicroseconds rounds up to the unit in which the scripts count.
func wholeMicroseconds(d time.Duration) int64 {
	whole := int64(d / time.Microsecond)
	if d%time.Microsecond > 0 {
		whole++
	}
	return whole
}

func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(wholeMilliseconds(d), 10) }
