package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// Comparison says how much [Compare] compares. The zero value will do.
type Comparison struct {
	// Scripts is how many scripts are run. Zero means 40.
	Scripts int
	// Steps is how many steps a script has. Zero means 60.
	Steps int
	// Seed draws the scripts. Zero draws one, which a failure shows.
	Seed uint64
}

// scriptsAtOnce is how many scripts are run before their answers are looked at.
const scriptsAtOnce = 40

// The bounds of what a comparison repeats: how often a store that was too
// slow gets twice the time, and how many shorter scripts are tried for a
// failure, and for how long.
const (
	slowTries   = 5
	shrinkTries = 300
	shrinkBound = 30 * time.Second
)

// Compare runs random scripts of verbs and guards, of all kinds that both
// suites know, good and malformed ones,
// with waits between them, on stores of both suites, and fails t when their
// answers differ: the error's kind, every verdict, state and outcome, and the
// time left, told in units. The shortest script found that shows the
// difference is printed.
//
// Lifetimes end half a unit away from every step. A store that is too slow
// for that on a real clock runs the script again with a longer unit. Scripts
// of a suite without Wrap and Advance run at the same time, which saves their
// waiting: Settle is called from several goroutines then.
func Compare(t *testing.T, a, b Suite, c Comparison) {
	t.Helper()
	c = c.withDefaults()
	if problem := c.judge(t, a, b); problem != "" {
		t.Errorf("seed %d: %s", c.Seed, problem)
	}
}

func (c Comparison) withDefaults() Comparison {
	if c.Scripts <= 0 {
		c.Scripts = 40
	}
	if c.Steps <= 0 {
		c.Steps = 60
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64() | 1
	}
	return c
}

// judge runs all scripts on both and tells the first difference; "" for none.
func (c Comparison) judge(t *testing.T, a, b Suite) string {
	t.Helper()
	kinds := slices.DeleteFunc(slices.Clone(everyKind), func(k stores.Kind) bool {
		return slices.Contains(a.Without, k) || slices.Contains(b.Without, k)
	})
	for from := 0; from < c.Scripts; from += scriptsAtOnce {
		scripts := make([]script, min(scriptsAtOnce, c.Scripts-from))
		for i := range scripts {
			scripts[i] = newScript(rand.New(rand.NewPCG(c.Seed, uint64(from+i))), c.Steps, kinds)
		}
		first, problemA := a.traces(t, scripts)
		second, problemB := b.traces(t, scripts)
		if problem := problemA + problemB; problem != "" {
			return problem
		}
		for i, s := range scripts {
			if at := firstDifference(first[i], second[i]); at >= 0 {
				return fmt.Sprintf("the answers to script %d differ:\n%s", from+i, c.shrunk(t, a, b, s[:at+1], first[i], second[i]))
			}
		}
	}
	return ""
}

func firstDifference(a, b []string) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// shrunk leaves out steps of a script that shows a difference at its end, by
// halves, quarters and so on, as long as a difference stays, and shows what
// is left. A store that was too slow meanwhile ends it.
func (c Comparison) shrunk(t *testing.T, a, b Suite, s script, first, second []string) string {
	t.Helper()
	tries, giveUp := 0, time.Now().Add(shrinkBound)
	more := func() bool { return tries < shrinkTries && time.Now().Before(giveUp) }
	for size := len(s) / 2; size > 0 && more(); {
		smaller := false
		for from := 0; from+size <= len(s) && more(); {
			tries++
			candidate := slices.Delete(slices.Clone(s), from, from+size)
			one, problemA := a.traces(t, []script{candidate})
			other, problemB := b.traces(t, []script{candidate})
			if problemA+problemB != "" {
				return showDifference(s, first, second)
			}
			at := firstDifference(one[0], other[0])
			if at < 0 {
				from += size
				continue
			}
			s, first, second, smaller = candidate[:at+1], one[0], other[0], true
		}
		if !smaller || size > len(s)/2 {
			size /= 2
		}
	}
	return showDifference(s, first, second)
}

// showDifference shows a script and its answers, those that differ both.
func showDifference(s script, first, second []string) string {
	var text strings.Builder
	now := 0
	for i, step := range s {
		now += step.wait
		fmt.Fprintf(&text, "\tat %d: %s: %s", now, step, first[i])
		if first[i] != second[i] {
			fmt.Fprintf(&text, ", but: %s", second[i])
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// traces runs scripts, each on a store of its own, and returns their answers.
// The problem is not "" when a store stayed too slow.
func (s Suite) traces(t *testing.T, scripts []script) (answers [][]string, problem string) {
	t.Helper()
	answers = make([][]string, len(scripts))
	unit := s.Unit
	if unit <= 0 {
		unit = defaultUnit
	}
	missing := make([]int, len(scripts))
	for i := range missing {
		missing[i] = i
	}
	for range slowTries {
		s.Unit = unit
		s.runAll(t, scripts, missing, answers)
		missing = slices.DeleteFunc(missing, func(i int) bool { return answers[i] != nil })
		if len(missing) == 0 {
			return answers, ""
		}
		unit *= 2
	}
	return nil, fmt.Sprintf("a store was too slow for a unit of %s", unit/2)
}

// runAll runs the scripts which; one whose store was too slow gets no answers.
func (s Suite) runAll(t *testing.T, scripts []script, which []int, answers [][]string) {
	t.Helper()
	if s.Wrap == nil && s.Advance == nil {
		done := make(chan struct{})
		for _, i := range which {
			store := s.New(t)
			go func() {
				answers[i] = scripts[i].run(s.env(store), false)
				done <- struct{}{}
			}()
		}
		for range which {
			<-done
		}
		return
	}
	wrap := s.Wrap
	if wrap == nil {
		wrap = func(t *testing.T, body func(*testing.T)) { body(t) }
	}
	for _, i := range which {
		wrap(t, func(t *testing.T) { answers[i] = scripts[i].run(s.env(s.New(t)), s.Advance != nil) })
	}
}

// clock lets a script's units pass, each step at its own instant, whatever
// the steps before it have cost.
type clock struct {
	env   *Env
	born  time.Time
	units int
	// counted is true for a store's own clock, of which nothing is late.
	counted bool
}

func (c *clock) wait(units int) {
	c.units += units
	if c.counted {
		c.env.Advance(float64(units))
		return
	}
	time.Sleep(time.Until(c.born.Add(c.env.Units(float64(c.units)))))
}

// late tells whether the last step has come too near to what ends half a unit
// away: two steps that are late by less than a quarter keep their distance.
func (c *clock) late() bool {
	return !c.counted && time.Since(c.born) > c.env.Units(float64(c.units)+0.2)
}
