package storetest

import "github.com/cmdx-go/cmdx/stores"

func severalEntriesCases() []Case {
	return guards([]Case{
		{
			Name:        "several/all taken",
			Explanation: "One Enter takes all entries, one Leave leaves them, each with its part.",
			Check: func(e *Env) {
				token := stores.NewToken()
				a, b, c := e.claim(e.Key("a"), 10), e.claim(e.Key("b"), 10), e.claim(e.Key("c"), 10)
				e.wantEntered(token, a, b, c)
				a.Part, b.Part, c.Part = stores.PartComplete, stores.PartRelease, stores.PartNone
				e.wantLeave(token, []stores.Entry{a, b, c}, stores.OutcomeDone, stores.OutcomeDone, stores.OutcomeDone)
				e.wantValue(a.Key, stores.ValueCompleted)
				e.wantAbsent(b.Key)
				e.wantValue(c.Key, stores.ValueProcessing)
			},
		},
		{
			Name:        "several/refused in the middle",
			Explanation: "Enter goes on in order until the first refusal; what was taken is given back, what comes later is not asked.",
			Check: func(e *Env) {
				other, token := stores.NewToken(), stores.NewToken()
				a, b, c, d := e.claim(e.Key("a"), 10), e.claim(e.Key("b"), 10), e.claim(e.Key("c"), 10), e.claim(e.Key("d"), 10)
				e.wantEntered(other, b, d)
				e.wantLeave(other, do(stores.PartComplete, d), stores.OutcomeDone)
				e.wantRefused(token, 1, stores.ValueProcessing, a, b, c, d)
				e.wantAbsent(a.Key)
				e.wantAbsent(c.Key)
				e.wantValue(d.Key, stores.ValueCompleted)
				e.wantHolder(other, b)
				e.wantRefused(token, 2, stores.ValueCompleted, a, c, d)
				e.wantAbsent(a.Key)
				e.wantAbsent(c.Key)
			},
		},
		{
			Name:        "several/from",
			Explanation: "Enter takes entries[from:]; a refusal gives back what lies before from too, as far as the token holds it.",
			Check: func(e *Env) {
				other, token := stores.NewToken(), stores.NewToken()
				mine, theirs, next, held := e.claim(e.Key("mine"), 10), e.claim(e.Key("theirs"), 10), e.claim(e.Key("next"), 10), e.claim(e.Key("held"), 10)
				e.wantEntered(token, mine)
				e.wantEntered(other, theirs, held)
				e.wantRefusedFrom(token, 2, 3, stores.ValueProcessing, mine, theirs, next, held)
				e.wantAbsent(mine.Key)
				e.wantAbsent(next.Key)
				e.wantHolder(other, theirs)
				e.wantHolder(other, held)
			},
		},
		{
			Name:        "several/from leaves out what lies before",
			Explanation: "What lies before from is neither taken nor asked.",
			Check: func(e *Env) {
				token := stores.NewToken()
				a, b := e.claim(e.Key("a"), 10), e.claim(e.Key("b"), 10)
				for from, entries := range [][]stores.Entry{{}, {a}, {a, a}, {a, a}} {
					if got, ok := e.enter(token, from, entries); ok && got.Verdict != stores.VerdictEntered {
						e.Failf("from %d: got %s, want entered", from, describe(got))
					}
				}
				e.wantAbsent(a.Key)
				e.wantEntered(stores.NewToken(), a)
				if got, ok := e.enter(token, 1, []stores.Entry{a, b}); ok && got.Verdict != stores.VerdictEntered {
					e.Failf("from 1: got %s, want entered", describe(got))
				}
				e.wantHolder(token, b)
			},
		},
		{
			Name:        "several/completed is not given back",
			Explanation: "A refusal gives back only what still reads processing.",
			Check: func(e *Env) {
				token := stores.NewToken()
				done, taken, held := e.claim(e.Key("done"), 10), e.claim(e.Key("taken"), 10), e.claim(e.Key("held"), 10)
				e.wantEntered(token, done, taken)
				e.wantLeave(token, do(stores.PartComplete, done), stores.OutcomeDone)
				e.wantEntered(stores.NewToken(), held)
				e.wantRefusedFrom(token, 2, 2, stores.ValueProcessing, done, taken, held)
				e.wantValue(done.Key, stores.ValueCompleted)
				e.wantAbsent(taken.Key)
			},
		},
		{
			Name:        "several/sent again and refused",
			Explanation: "A refusal gives back everything that the token holds of all entries, also what an earlier sending took behind the one that refuses now.",
			Check: func(e *Env) {
				token, other := stores.NewToken(), stores.NewToken()
				a, b, c := e.claim(e.Key("a"), 10), e.claim(e.Key("b"), 10), e.claim(e.Key("c"), 10)
				e.wantEntered(token, a, b, c)
				e.wantDelete(b.Key, true)
				e.wantEntered(other, b)
				e.wantRefused(token, 1, stores.ValueProcessing, a, b, c)
				e.wantAbsent(a.Key)
				e.wantAbsent(c.Key)
				e.wantHolder(other, b)
			},
		},
		{
			Name:        "several/one key twice",
			Explanation: "An entry whose key is already held by the token counts as entered, within one call too.",
			Check: func(e *Env) {
				token, a := stores.NewToken(), e.claim(e.Key("a"), 10)
				e.wantEntered(token, a, a)
				e.wantEntered(stores.NewToken(), e.claim(e.Key("b"), 10))
				e.wantRefused(token, 2, stores.ValueProcessing, a, a, e.claim(e.Key("b"), 10))
				e.wantAbsent(a.Key)
			},
		},
		{
			Name:        "several/stepped over",
			Explanation: "An entry whose key gives an error ends the Enter and everything is given back; with StepOver, Enter goes on behind it and says so under any verdict.",
			Check: func(e *Env) {
				token := stores.NewToken()
				a, bad, b, held := e.claim(e.Key("a"), 10), e.claim(e.Key("bad"), 10), e.claim(e.Key("b"), 10), e.claim(e.Key("held"), 10)
				e.set(bad.Key, "foreign", 10)
				e.wantEntered(stores.NewToken(), held)
				e.wantEntryError(token, 1, stores.ErrForeignValue, a, bad, b)
				e.wantAbsent(a.Key)
				e.wantAbsent(b.Key)
				bad.StepOver = true
				for _, entries := range [][]stores.Entry{{a, bad, b, held}, {a, bad, b}} {
					got, ok := e.enter(token, 0, entries)
					if ok && (len(got.SteppedOver) != 1 || got.SteppedOver[0].At != 1 || got.SteppedOver[0].Err == nil) {
						e.Failf("got %s, want entry 1 stepped over", describe(got))
					}
				}
				e.wantHolder(token, a)
				e.wantHolder(token, b)
				e.wantValue(bad.Key, "foreign")
			},
		},
		{
			Name:        "several/none",
			Explanation: "Without entries there is nothing to do: entered, and no answers.",
			Check: func(e *Env) {
				e.wantEntered(stores.NewToken())
				e.wantExtend(stores.NewToken(), nil)
				e.wantLeave(stores.NewToken(), nil)
				e.takeBack(stores.NewToken())
			},
		},
	})
}
