package storetest

import "github.com/cmdx-go/cmdx/stores"

func lockCases() []Case {
	return kinds([]stores.Kind{stores.KindLock}, []Case{
		{
			Name:        "lock/entered",
			Explanation: "A free key is taken: the run's token lies there for the TTL, and nothing after that.",
			Check: func(e *Env) {
				token, lock := stores.NewToken(), e.lock(e.Key("a"), 2)
				e.wantEntered(token, lock)
				e.wantValue(lock.Key, token.String())
				e.wantTaken(lock.Key)
				e.Advance(3)
				e.wantAbsent(lock.Key)
				e.wantEntered(stores.NewToken(), lock)
			},
		},
		{
			Name:        "lock/held",
			Explanation: "A lock that another run holds refuses, without a state and with the longest time that it will stand in the way; the refusal changes nothing.",
			Check: func(e *Env) {
				token, lock := stores.NewToken(), e.lock(e.Key("a"), 4)
				e.wantEntered(token, lock)
				e.Advance(1)
				stranger := stores.NewToken()
				e.wantRefusedFor(stranger, 0, "", 3, e.lock(lock.Key, 100))
				e.takeBack(stranger, lock)
				e.wantLeave(stranger, do(stores.PartRelease, lock), stores.OutcomeLost)
				e.wantValue(lock.Key, token.String())
				e.Advance(4)
				e.wantAbsent(lock.Key)
			},
		},
		{
			Name:        "lock/waiting",
			Explanation: "A lock with Wait that somebody else holds gives VerdictWaiting: what lies before stays taken, the next Enter goes on there, and the TTL counts from the call that took it.",
			Check: func(e *Env) {
				other, token := stores.NewToken(), stores.NewToken()
				before, lock, behind := e.lock(e.Key("before"), 20), e.lock(e.Key("a"), 4), e.lock(e.Key("behind"), 20)
				lock.Wait = true
				e.wantEntered(other, lock)
				for range 2 {
					e.wantWaiting(token, 0, 1, 4, before, lock, behind)
				}
				e.wantValue(before.Key, token.String())
				e.wantAbsent(behind.Key)
				e.Advance(2)
				e.wantWaiting(token, 1, 1, 2, before, lock, behind)
				e.wantLeave(other, do(stores.PartRelease, lock), stores.OutcomeDone)
				if got, ok := e.enter(token, 1, []stores.Entry{before, lock, behind}); ok && got.Verdict != stores.VerdictEntered {
					e.Failf("got %s, want entered", describe(got))
				}
				for _, held := range []stores.Entry{before, lock, behind} {
					e.wantValue(held.Key, token.String())
				}
				e.Advance(3)
				e.wantValue(lock.Key, token.String())
				e.Advance(2)
				e.wantAbsent(lock.Key)
			},
		},
		{
			Name:        "lock/refused while waiting",
			Explanation: "An entry that does not wait refuses also behind one that waited, and what was taken before is given back.",
			Check: func(e *Env) {
				token := stores.NewToken()
				waited, held := e.lock(e.Key("waited"), 20), e.lock(e.Key("held"), 20)
				waited.Wait = true
				other := stores.NewToken()
				e.wantEntered(other, waited, held)
				before := e.lock(e.Key("before"), 20)
				e.wantWaiting(token, 0, 1, 20, before, waited, held)
				e.wantLeave(other, do(stores.PartRelease, waited), stores.OutcomeDone)
				e.wantRefusedFrom(token, 1, 2, "", before, waited, held)
				e.wantAbsent(before.Key)
				e.wantAbsent(waited.Key)
				e.wantValue(held.Key, other.String())
			},
		},
		{
			Name:        "lock/any value",
			Explanation: "Any value under a lock's key is one held by somebody, never an error, never deleted.",
			Check: func(e *Env) {
				for _, value := range []string{"", "1", stores.ValueProcessing, stores.NewToken().String()} {
					token, lock := stores.NewToken(), e.lock(e.Key("a"), 10)
					e.set(lock.Key, value, 10)
					lock.StepOver = true
					e.wantRefusedFor(token, 0, "", 10, lock)
					lock.Wait = true
					e.wantWaiting(token, 0, 0, 10, lock)
					e.wantExtend(token, []stores.Entry{lock}, stores.OutcomeLost)
					for _, part := range []stores.Part{stores.PartRelease, stores.PartTakeBack} {
						e.wantLeave(token, do(part, lock), stores.OutcomeLost)
					}
					e.takeBack(token, lock)
					e.wantValue(lock.Key, value)
				}
			},
		},
		{
			Name:        "lock/not a claim",
			Explanation: "A claim takes a lock's value for a foreign one, and a lock a claim's for one held by somebody, also under one token.",
			Check: func(e *Env) {
				token := stores.NewToken()
				locked, claimed := e.Key("locked"), e.Key("claimed")
				e.wantEntered(token, e.lock(locked, 10))
				e.wantEntryError(token, 0, stores.ErrForeignValue, e.claim(locked, 10))
				e.wantLeave(token, do(stores.PartComplete, e.claim(locked, 10)), stores.OutcomeLost)
				e.wantLeave(token, do(stores.PartTakeBack, e.claim(locked, 10)), stores.OutcomeLost)
				e.wantValue(locked, token.String())
				e.wantEntered(token, e.claim(claimed, 10))
				e.wantRefused(stores.NewToken(), 0, "", e.lock(claimed, 10))
				e.wantLeave(token, do(stores.PartRelease, e.lock(claimed, 10)), stores.OutcomeLost)
				e.wantValue(claimed, stores.ValueProcessing)
			},
		},
		{
			Name:        "lock/sent again",
			Explanation: "A lock that the token holds counts as entered and keeps its end.",
			Check: func(e *Env) {
				token, lock := stores.NewToken(), e.lock(e.Key("a"), 4)
				e.wantEntered(token, lock)
				e.Advance(2)
				lock.Wait = true
				for range 3 {
					e.wantEntered(token, lock)
				}
				e.Advance(3)
				e.wantAbsent(lock.Key)
			},
		},
		{
			Name:        "lock/release",
			Explanation: "Release and taking back give up what the token holds; the next run enters at once, and a second release hits nobody.",
			Check: func(e *Env) {
				for _, part := range []stores.Part{stores.PartRelease, stores.PartTakeBack} {
					token, lock := stores.NewToken(), e.lock(e.Key(part.String()), 10)
					e.wantEntered(token, lock)
					e.wantLeave(token, do(stores.PartNone, lock), stores.OutcomeDone)
					e.wantLeave(stores.NewToken(), do(part, lock), stores.OutcomeLost)
					e.wantLeave(token, do(part, lock), stores.OutcomeDone)
					e.wantAbsent(lock.Key)
					e.wantLeave(token, do(part, lock), stores.OutcomeLost)
					next := stores.NewToken()
					e.wantEntered(next, lock)
					e.wantLeave(token, do(part, lock), stores.OutcomeLost)
					e.wantValue(lock.Key, next.String())
				}
			},
		},
		{
			Name:        "lock/take back",
			Explanation: "TakeBack gives a lock back by token, and touches nobody else's.",
			Check: func(e *Env) {
				token, other := stores.NewToken(), stores.NewToken()
				mine, theirs := e.lock(e.Key("mine"), 10), e.lock(e.Key("theirs"), 10)
				e.wantEntered(token, mine)
				e.wantEntered(other, theirs)
				e.takeBack(token, mine, theirs)
				e.wantAbsent(mine.Key)
				e.wantValue(theirs.Key, other.String())
			},
		},
		{
			Name:        "lock/extend",
			Explanation: "Extend lets a lock that the token still holds live for its TTL from now on, also a shorter one.",
			Check: func(e *Env) {
				token, lock := stores.NewToken(), e.lock(e.Key("a"), 4)
				e.wantEntered(token, lock)
				e.wantExtend(stores.NewToken(), []stores.Entry{e.lock(lock.Key, 100)}, stores.OutcomeLost)
				for range 2 {
					e.Advance(3)
					e.wantExtend(token, []stores.Entry{lock}, stores.OutcomeDone)
				}
				e.wantRefusedFor(stores.NewToken(), 0, "", 4, lock)
				e.wantExtend(token, []stores.Entry{e.lock(lock.Key, 2)}, stores.OutcomeDone)
				e.Advance(3)
				e.wantAbsent(lock.Key)
				e.wantExtend(token, []stores.Entry{lock}, stores.OutcomeLost)
				e.wantAbsent(lock.Key)
			},
		},
	})
}

// kinds marks cases that need a store which knows these kinds beside claims.
func kinds(needed []stores.Kind, cases []Case) []Case {
	for i := range cases {
		cases[i].NeedsGuards, cases[i].Kinds = true, needed
	}
	return cases
}
