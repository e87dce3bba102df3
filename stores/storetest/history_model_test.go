package storetest

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/cmdx-go/cmdx/stores"
)

const second = int64(time.Second)

// told is a call of a history that a test writes down: it began and ended at
// these seconds, or has no end.
type told struct {
	from, to float64
	call     historyCall
	answer   string
	left     float64
}

var forEver = math.Inf(1)

// written makes a history; of two calls at one second the one written first
// comes first.
func written(calls ...told) *history {
	h := newHistory([]string{"a"})
	for i, c := range calls {
		c.call.began = int64(c.from * float64(second))
		o := porcupine.Operation{ClientId: i, Input: c.call, Call: c.call.began*10 + int64(i)}
		if math.IsInf(c.to, 1) {
			o.Return, o.Output = never, historyAnswer{lost: true, ended: never}
		} else {
			ended := int64(c.to * float64(second))
			o.Return = ended*10 + int64(i)
			o.Output = historyAnswer{text: c.answer, ended: ended, left: int64(c.left * float64(second))}
		}
		h.calls["a"] = append(h.calls["a"], o)
	}
	return h
}

func enters(run int, seconds int64) historyCall {
	return historyCall{op: OpEnter, run: run, lifetime: seconds * second}
}

func extends(run int, seconds int64) historyCall {
	return historyCall{op: OpExtend, run: run, lifetime: seconds * second}
}

func leaves(run int, part stores.Part, seconds int64) historyCall {
	return historyCall{op: OpLeave, run: run, part: part, lifetime: seconds * second}
}

var (
	gets    = historyCall{op: OpGet, run: nobody}
	deletes = historyCall{op: OpDelete, run: nobody}
	returns = func(run int) historyCall { return historyCall{op: OpTakeBack, run: run} }
	sets    = historyCall{op: OpSet, run: nobody, value: stores.ValueProcessing, lifetime: 10 * second, nx: true}
	dies    = historyCall{op: opRestart, run: nobody}
)

func TestTheModelOfAKey(t *testing.T) {
	for _, c := range []struct {
		name  string
		right bool
		calls []told
	}{
		{"a claim, refusal, completion and its end", true, []told{
			{0, 0, enters(1, 10), "entered", 0}, {1, 1, enters(2, 10), "refused processing", 9},
			{2, 2, leaves(1, stores.PartComplete, 5), "done", 0}, {6, 6, enters(2, 10), "refused completed", 1},
			{8, 8, gets, "absent", 0}, {8, 8, enters(2, 10), "entered", 0},
		}},
		{"two enter one after another", false, []told{{0, 0, enters(1, 10), "entered", 0}, {1, 1, enters(2, 10), "entered", 0}}},
		{"two enter at once", false, []told{{0, 3, enters(1, 10), "entered", 0}, {1, 2, enters(2, 10), "entered", 0}}},
		{"the later one of two at once enters", true, []told{
			{0, 3, enters(1, 10), "refused processing", 0}, {1, 2, enters(2, 10), "entered", 0},
		}},
		{"one sends it again", true, []told{{0, 0, enters(1, 10), "entered", 0}, {9, 9, enters(1, 10), "entered", 0}, {11, 11, gets, "absent", 0}}},
		{"sending again gives a new end", false, []told{{0, 0, enters(1, 10), "entered", 0}, {9, 9, enters(1, 10), "entered", 0}, {11, 11, gets, "reads processing", 0}}},
		{"it lives too long", false, []told{{0, 1, enters(1, 10), "entered", 0}, {12, 12, gets, "reads processing", 0}}},
		{"it ends too early", false, []told{{0, 1, enters(1, 10), "entered", 0}, {9, 9, gets, "absent", 0}}},
		{"the end may lie on either side", true, []told{{0, 2, enters(1, 10), "entered", 0}, {11, 11, gets, "absent", 0}}},
		{"the end may lie on the other side", true, []told{{0, 2, enters(1, 10), "entered", 0}, {11, 11, gets, "reads processing", 0}}},
		{"it comes back to life", false, []told{{0, 4, enters(1, 10), "entered", 0}, {11, 11, gets, "absent", 0}, {12, 12, gets, "reads processing", 0}}},
		{"the time left shows the end", false, []told{
			{0, 4, enters(1, 10), "entered", 0}, {5, 5, enters(2, 10), "refused processing", 5}, {12, 12, gets, "reads processing", 0},
		}},
		{"too much time is left", false, []told{{0, 0, enters(1, 10), "entered", 0}, {5, 5, enters(2, 10), "refused processing", 6}}},
		{"an extension", true, []told{{0, 0, enters(1, 10), "entered", 0}, {8, 8, extends(1, 10), "done", 0}, {17, 17, gets, "reads processing", 0}}},
		{"an extension of what is over", false, []told{{0, 0, enters(1, 10), "entered", 0}, {12, 12, extends(1, 10), "done", 0}}},
		{"an extension of another's claim", false, []told{{0, 0, enters(1, 10), "entered", 0}, {1, 1, extends(2, 10), "done", 0}}},
		{"an extension of a completed claim", false, []told{
			{0, 0, enters(1, 10), "entered", 0}, {1, 1, leaves(1, stores.PartComplete, 10), "done", 0}, {2, 2, extends(1, 10), "done", 0},
		}},
		{"a late release", true, []told{
			{0, 0, enters(1, 10), "entered", 0}, {11, 11, enters(2, 10), "entered", 0}, {12, 12, leaves(1, stores.PartRelease, 1), "lost", 0},
			{13, 13, gets, "reads processing", 0},
		}},
		{"a late release that hits another", false, []told{
			{0, 0, enters(1, 10), "entered", 0}, {11, 11, enters(2, 10), "entered", 0}, {12, 12, leaves(1, stores.PartRelease, 1), "done", 0},
		}},
		{"a release of a completed claim", false, []told{
			{0, 0, enters(1, 10), "entered", 0}, {1, 1, leaves(1, stores.PartComplete, 10), "done", 0}, {2, 2, leaves(1, stores.PartRelease, 1), "done", 0},
		}},
		{"a completion taken back", true, []told{
			{0, 0, enters(1, 10), "entered", 0}, {1, 1, leaves(1, stores.PartComplete, 10), "done", 0},
			{2, 2, leaves(1, stores.PartTakeBack, 1), "done", 0}, {3, 3, gets, "absent", 0},
		}},
		{"a late completion", false, []told{{0, 0, enters(1, 10), "entered", 0}, {12, 12, leaves(1, stores.PartComplete, 10), "done", 0}}},
		{"no part", true, []told{{0, 0, leaves(1, stores.PartNone, 1), "done", 0}, {1, 1, gets, "absent", 0}}},
		{"an enter without an answer that took", true, []told{{0, forEver, enters(1, 10), "", 0}, {5, 5, gets, "reads processing", 0}, {6, 6, enters(1, 10), "entered", 0}}},
		{"an enter without an answer that did not take", true, []told{{0, forEver, enters(1, 10), "", 0}, {5, 5, enters(2, 10), "entered", 0}}},
		{"an enter without an answer that takes late", true, []told{{0, forEver, enters(1, 10), "", 0}, {5, 5, gets, "absent", 0}, {6, 6, gets, "reads processing", 0}}},
		{"an enter without an answer that lives too long", false, []told{
			{0, forEver, enters(1, 10), "", 0}, {5, 5, gets, "reads processing", 0}, {16, 16, gets, "reads processing", 0},
		}},
		{"an enter that comes behind its taking back", true, []told{
			{0, forEver, enters(1, 10), "", 0}, {1, 1, returns(1), "done", 0}, {2, 2, gets, "absent", 0}, {3, 3, enters(2, 10), "entered", 0},
		}},
		{"an enter that takes behind its taking back", false, []told{
			{0, forEver, enters(1, 10), "", 0}, {1, 1, returns(1), "done", 0}, {2, 2, gets, "reads processing", 0},
		}},
		{"a taking back that does nothing", false, []told{{0, 0, enters(1, 10), "entered", 0}, {1, 1, returns(1), "done", 0}, {2, 2, gets, "reads processing", 0}}},
		{"a taking back of another's", false, []told{{0, 0, enters(1, 10), "entered", 0}, {1, 1, returns(2), "done", 0}, {2, 2, gets, "absent", 0}}},
		{"a completed claim stays", true, []told{
			{0, 0, enters(1, 10), "entered", 0}, {1, 1, leaves(1, stores.PartComplete, 10), "done", 0}, {2, 2, returns(1), "done", 0}, {3, 3, gets, "reads completed", 0},
		}},
		{"a key that another program holds", true, []told{
			{0, 0, sets, "true", 0}, {1, 1, sets, "false", 0}, {2, 2, enters(1, 10), "refused processing", 8},
			{3, 3, leaves(1, stores.PartRelease, 1), "lost", 0}, {4, 4, deletes, "true", 0}, {5, 5, deletes, "false", 0},
		}},
		{"a key without a token is taken", false, []told{{0, 0, sets, "true", 0}, {1, 1, enters(1, 10), "entered", 0}}},
		{"a restart", true, []told{{0, 0, enters(1, 10), "entered", 0}, {1, 2, dies, "done", 0}, {3, 3, gets, "absent", 0}}},
		{"a restart that forgets nothing", false, []told{{0, 0, enters(1, 10), "entered", 0}, {1, 2, dies, "done", 0}, {3, 3, gets, "reads processing", 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			problem := written(c.calls...).explain(keyRules{tolerance: second / 10})
			if (problem == "") != c.right {
				t.Errorf("right is %t, got %q", c.right, problem)
			}
			if problem != "" && !strings.Contains(problem, "what it leaves out:\n\t") {
				t.Errorf("the problem does not tell what stays unexplained: %s", problem)
			}
		})
	}
}

func TestToleranceCountsOnBothSides(t *testing.T) {
	for _, c := range []struct {
		at        float64
		answer    string
		tolerance int64
		right     bool
	}{
		{10.5, "reads processing", second, true},
		{12, "reads processing", second, false},
		{10.5, "reads processing", second / 4, false},
		{9.5, "absent", second, true},
		{8, "absent", second, false},
		{9.5, "absent", second / 4, false},
	} {
		h := written(told{0, 0, enters(1, 10), "entered", 0}, told{c.at, c.at, gets, c.answer, 0})
		if got := h.explain(keyRules{tolerance: c.tolerance}) == ""; got != c.right {
			t.Errorf("%s at %v with a tolerance of %s: right is %t, want %t", c.answer, c.at, time.Duration(c.tolerance), got, c.right)
		}
	}
}
