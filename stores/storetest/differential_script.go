package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// script is a list of calls, made by one caller in the names of a few runs.
type script []scriptStep

// scriptKeys is how many keys a script has for the verbs, for claims and now
// and then for a lock, and scriptRuns how many runs are under way at once.
const (
	scriptKeys = 4
	scriptRuns = 3
)

// Each of the other kinds has a key behind those, since what lies there is the
// store's own affair.
const (
	lockKey = scriptKeys + iota
	placeKey
	windowKey
	smoothKey
	rowKey
	shareKey
	allKeys
)

// scriptKinds are the kinds of entries of those keys.
var scriptKinds = [allKeys]stores.Kind{
	lockKey: stores.KindLock, placeKey: stores.KindPlace, windowKey: stores.KindRate,
	smoothKey: stores.KindRate, rowKey: stores.KindBreaker, shareKey: stores.KindBreaker,
}

// scriptStep is one call. Times are in units; whatever ends does so half a
// unit after a step.
type scriptStep struct {
	wait    int
	op      Op
	key     int
	value   string
	ttl     float64 // not positive for a malformed one
	nx, xx  bool
	run     int // the zero token's for noRun
	entries []scriptEntry
	from    int
	ended   bool // the context
}

const noRun = -1

type scriptEntry struct {
	key       int
	kind      stores.Kind
	ttl, keep float64
	stepOver  bool
	part      stores.Part
	wait      bool  // of a lock
	limit     int64 // of places and windows
}

// scriptValues are what Set writes: what claims read, numbers and no numbers.
var scriptValues = []string{
	stores.ValueProcessing, stores.ValueProcessing, stores.ValueCompleted,
	"7", "-1", "9223372036854775807", "9223372036854775808", "007", "+1", " 1", "1.0", "", "theirs", "Processing", "\x00\xff",
}

// newScript draws so many steps, and looks at every key in the end.
func newScript(random *rand.Rand, steps int, kinds []stores.Kind) script {
	var s script
	var latest [scriptRuns][]scriptEntry
	for range steps {
		step := newStep(random, kinds)
		if step.op >= OpEnter && step.run != noRun {
			// A run mostly goes on with what it entered.
			if kept := latest[step.run]; len(kept) > 0 && random.IntN(3) > 0 {
				step.entries = goOn(random, kept, kinds)
			}
			if step.op == OpEnter {
				latest[step.run] = step.entries
			}
		}
		s = append(s, step)
	}
	for key := range scriptKeys {
		s = append(s, scriptStep{op: OpGet, key: key})
	}
	return s
}

// goOn draws new parts and lifetimes for the same keys.
func goOn(random *rand.Rand, entries []scriptEntry, kinds []stores.Kind) []scriptEntry {
	same := make([]scriptEntry, len(entries))
	for i, e := range entries {
		same[i] = newEntry(random)
		if e.key >= scriptKeys {
			same[i] = newEntryOf(random, e.key)
		}
		same[i].key = e.key
	}
	return same
}

func newStep(random *rand.Rand, kinds []stores.Kind) scriptStep {
	oneOf := func(n int) bool { return random.IntN(n) == 0 }
	step := scriptStep{
		key:   random.IntN(scriptKeys),
		value: scriptValues[random.IntN(len(scriptValues))],
		ttl:   drawLifetime(random),
		nx:    oneOf(3), xx: oneOf(4),
		run:   random.IntN(scriptRuns),
		ended: oneOf(60),
	}
	if oneOf(4) {
		step.wait = 1 + random.IntN(2)
	}
	if oneOf(80) {
		step.run = noRun
	}
	switch n := random.IntN(100); {
	case n < 34:
		step.op = OpEnter
	case n < 58:
		step.op = OpLeave
	case n < 66:
		step.op = OpExtend
	case n < 71:
		step.op = OpTakeBack
	case n < 79:
		step.op = OpSet
	case n < 85:
		step.op = OpDelete
	case n < 92:
		step.op = OpIncr
	default:
		step.op = OpGet
	}
	if step.op < OpEnter {
		return step
	}
	for range 1 + random.IntN(scriptKeys) - random.IntN(2) {
		step.entries = append(step.entries, newEntry(random))
		if key := scriptKeys + random.IntN(allKeys-scriptKeys); oneOf(2) && slices.Contains(kinds, scriptKinds[key]) {
			step.entries[len(step.entries)-1] = newEntryOf(random, key)
		}
	}
	step.entries = apartRates(step.entries)
	if oneOf(5) {
		step.from = random.IntN(len(step.entries)+2) - random.IntN(2)
	}
	return step
}

func newEntry(random *rand.Rand) scriptEntry {
	e := scriptEntry{
		key: random.IntN(scriptKeys), kind: stores.KindClaim,
		ttl: drawLifetime(random), keep: drawLifetime(random),
		stepOver: random.IntN(3) == 0,
		part:     stores.Part(random.IntN(4)),
	}
	switch random.IntN(80) {
	case 0:
		e.kind = 0
	case 1:
		e.kind = 255
	case 2:
		e.part = 255
	}
	return e
}

// newEntryOf draws an entry of a key that has a kind of its own. What is
// remembered of rates and circuits is so for one time, as tasks declare it.
func newEntryOf(random *rand.Rand, key int) scriptEntry {
	e := newEntry(random)
	e.key, e.wait, e.limit = key, random.IntN(2) == 0, int64(1+random.IntN(3))
	if e.kind == stores.KindClaim {
		e.kind = scriptKinds[key]
	}
	if key >= windowKey && e.ttl > 0 {
		e.ttl = 6.5
	}
	if e.kind == stores.KindBreaker && e.part < 4 {
		e.part = []stores.Part{stores.PartSuccess, stores.PartFailure, stores.PartFailure, stores.PartRelease}[e.part]
	}
	return e
}

// apartRates leaves out a rate behind one of another key: on a cluster their
// group is undone by taking out what an earlier sending counted, too.
func apartRates(entries []scriptEntry) []scriptEntry {
	var kept []scriptEntry
	for _, e := range entries {
		if n := len(kept); n > 0 && scriptKinds[e.key] == stores.KindRate && scriptKinds[kept[n-1].key] == stores.KindRate && kept[n-1].key != e.key {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// drawLifetime draws half a unit to four and a half, now and then a malformed
// or a huge one.
func drawLifetime(random *rand.Rand) float64 {
	switch random.IntN(60) {
	case 0:
		return 0
	case 1:
		return -1.5
	case 2:
		return hugeLifetime
	}
	return float64(random.IntN(5)) + 0.5
}

// hugeLifetime stands for a hundred years.
const hugeLifetime = 1e9

func scriptLifetime(units float64, unit time.Duration) time.Duration {
	if units == hugeLifetime {
		return century
	}
	return time.Duration(units * float64(unit))
}

// String tells a step as a reader would write it down.
func (s scriptStep) String() string {
	var text strings.Builder
	text.WriteString(s.op.String())
	if s.op < OpEnter {
		fmt.Fprintf(&text, " k%d", s.key)
		switch s.op {
		case OpSet:
			fmt.Fprintf(&text, " %q for %v, NX %t, XX %t", s.value, s.ttl, s.nx, s.xx)
		case OpIncr:
			fmt.Fprintf(&text, " for %v", s.ttl)
		}
	} else {
		fmt.Fprintf(&text, " as r%d", s.run)
	}
	if s.op == OpEnter && s.from != 0 {
		fmt.Fprintf(&text, " from %d", s.from)
	}
	for _, e := range s.entries {
		text.WriteString(" " + e.describe(s.op))
	}
	if s.ended && s.op != OpTakeBack {
		text.WriteString(", its context has ended")
	}
	return text.String()
}

func (e scriptEntry) describe(op Op) string {
	text := fmt.Sprintf("k%d(", e.key)
	if e.kind != stores.KindClaim {
		text += fmt.Sprintf("kind %d, limit %d, ", e.kind, e.limit)
	}
	if e.wait {
		text += "wait, "
	}
	switch {
	case op == OpLeave && e.part == stores.PartComplete:
		text += fmt.Sprintf("complete for %v", e.keep)
	case op == OpLeave:
		text += e.part.String()
	default:
		text += fmt.Sprintf("for %v", e.ttl)
	}
	if op == OpEnter && e.stepOver {
		text += ", step over"
	}
	return text + ")"
}
