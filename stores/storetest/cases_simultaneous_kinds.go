package storetest

import (
	"fmt"
	"sync/atomic"

	"github.com/cmdx-go/cmdx/stores"
)

// enterAtOnce lets a crowd of runs enter the same entries.
func (e *Env) enterAtOnce(counts map[string]int, entries ...stores.Entry) {
	var t tally
	atOnce(func(int) {
		t.add(entered(e.guards.Enter(e.ctx, stores.NewToken(), append([]stores.Entry{}, entries...), 0)))
	})
	t.want(e, counts)
}

func simultaneousKindsCases() []Case {
	var cases []Case
	add := func(kind stores.Kind, c Case) { cases = append(cases, kinds([]stores.Kind{kind}, []Case{c})...) }
	add(stores.KindLock, Case{
		Name:        "at once/lock",
		Explanation: "Of many runs that ask for one lock at once exactly one holds it; those that wait take it one after another.",
		Check: func(e *Env) {
			lock := e.lock(e.Key("a"), 100)
			e.enterAtOnce(map[string]int{"entered": 1, "refused ": crowd - 1}, lock)
			waited := e.lock(e.Key("b"), 100)
			waited.Wait = true
			e.enterAtOnce(map[string]int{"entered": 1, "waiting": crowd - 1}, waited)
		},
	})
	add(stores.KindPlace, Case{
		Name:        "at once/place",
		Explanation: "Of many runs that ask for a place at once exactly as many hold one as there are.",
		Check: func(e *Env) {
			e.enterAtOnce(map[string]int{"entered": 7, "refused ": crowd - 7}, e.place(e.Key("a"), 100, 7))
			var inside, most atomic.Int64
			place := e.place(e.Key("b"), 100, 3)
			atOnce(func(int) {
				token := stores.NewToken()
				got, err := e.guards.Enter(e.ctx, token, []stores.Entry{place}, 0)
				if err != nil || got.Verdict != stores.VerdictEntered {
					return
				}
				now := inside.Add(1)
				for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); {
					seen = most.Load()
				}
				inside.Add(-1)
				e.wantLeave(token, do(stores.PartRelease, place), stores.OutcomeDone)
			})
			if most.Load() > 3 {
				e.Failf("%d runs held one of 3 places at once", most.Load())
			}
			e.wantFree(place.Key)
		},
	})
	add(stores.KindRate, Case{
		Name:        "at once/rate",
		Explanation: "Of many calls at once exactly as many pass as the limit says, by a smooth pace one.",
		Check: func(e *Env) {
			e.enterAtOnce(map[string]int{"entered": 20, "refused ": crowd - 20}, e.rate(e.Key("a"), 20, 100))
			e.enterAtOnce(map[string]int{"entered": 1, "refused ": crowd - 1}, e.smooth(e.Key("b"), 1, 100))
		},
	})
	add(stores.KindRate, Case{
		Name:        "at once/groups of rates",
		Explanation: "Groups of rates over the same keys in different orders neither block each other for ever nor count more than any limit.",
		Check: func(e *Env) {
			rates := []stores.Entry{e.rate(e.Key("a"), 20, 100), e.rate(e.Key("b"), 30, 100), e.rate(e.Key("c"), 25, 100)}
			var passed atomic.Int64
			atOnce(func(i int) {
				entries := []stores.Entry{rates[i%3], rates[(i+1)%3], rates[(i+2)%3]}
				if i%2 == 1 {
					entries[0], entries[2] = entries[2], entries[0]
				}
				got, err := e.guards.Enter(e.ctx, stores.NewToken(), entries, 0)
				if err == nil && got.Verdict == stores.VerdictEntered {
					passed.Add(1)
				}
			})
			n := passed.Load()
			if n > 20 {
				e.Failf("%d calls passed, the limit is 20", n)
			}
			// Only what passed has counted.
			e.wantPassed(int(25-n), rates[2])
			e.wantRefused(stores.NewToken(), 0, "", rates[2])
		},
	})
	add(stores.KindBreaker, Case{
		Name:        "at once/breaker",
		Explanation: "Of many failures at once exactly one opens the circuit, and of many calls after the cool-off exactly as many pass as there are probes.",
		Check: func(e *Env) {
			circuit := e.circuit(e.Key("a"), 10)
			circuit.Breaker.Probes = 3
			circuit.TTL = e.Units(200)
			circuit.Breaker.CoolOff = e.Units(1)
			tokens, admitted := make([]stores.Token, crowd), make([]stores.Entry, crowd)
			for i := range tokens {
				tokens[i] = stores.NewToken()
				admitted[i] = e.passed(tokens[i], circuit)
			}
			var t tally
			atOnce(func(i int) {
				answers, err := e.guards.Leave(e.ctx, tokens[i], do(stores.PartFailure, admitted[i]))
				if err != nil || len(answers) != 1 {
					t.add(fmt.Sprint(answers, err))
					return
				}
				t.add(fmt.Sprint(answers[0].Outcome, answers[0].Breaker))
			})
			t.want(e, map[string]int{"done": 9, "doneopen": 1, "lost": crowd - 10})
			e.Advance(2)
			circuit.Breaker.CoolOff = e.Units(100)
			e.enterAtOnce(map[string]int{"entered": 3, "refused half_open": crowd - 3}, circuit)
		},
	})
	return cases
}
