package storetest

import "github.com/cmdx-go/cmdx/stores"

func leaveCases() []Case {
	return guards([]Case{
		{
			Name:        "leave/complete",
			Explanation: "Complete writes completed with a new lifetime of Keep, counted from the completion; until then every other run is refused.",
			Check: func(e *Env) {
				token := stores.NewToken()
				claim := stores.Entry{Kind: stores.KindClaim, Key: e.Key("a"), TTL: e.Units(4), Keep: e.Units(6), Part: stores.PartComplete}
				e.wantEntered(token, claim)
				e.Advance(2)
				e.wantLeave(token, []stores.Entry{claim}, stores.OutcomeDone)
				e.Advance(4)
				e.wantRefused(stores.NewToken(), 0, stores.ValueCompleted, claim)
				e.Advance(3)
				e.wantAbsent(claim.Key)
				e.wantEntered(stores.NewToken(), claim)
			},
		},
		{
			Name:        "leave/complete for a shorter time",
			Explanation: "Keep counts also when it ends before the TTL would have.",
			Check: func(e *Env) {
				token := stores.NewToken()
				claim := stores.Entry{Kind: stores.KindClaim, Key: e.Key("a"), TTL: e.Units(100), Keep: e.Units(2), Part: stores.PartComplete}
				e.wantEntered(token, claim)
				e.wantLeave(token, []stores.Entry{claim}, stores.OutcomeDone)
				e.Advance(3)
				e.wantAbsent(claim.Key)
			},
		},
		{
			Name:        "leave/complete sent again",
			Explanation: "Completing twice is done twice: the second gives a new lifetime of Keep.",
			Check: func(e *Env) {
				token := stores.NewToken()
				claim := stores.Entry{Kind: stores.KindClaim, Key: e.Key("a"), TTL: e.Units(4), Keep: e.Units(4), Part: stores.PartComplete}
				e.wantEntered(token, claim)
				e.wantLeave(token, []stores.Entry{claim}, stores.OutcomeDone)
				e.Advance(2)
				e.wantLeave(token, []stores.Entry{claim}, stores.OutcomeDone)
				e.Advance(3)
				e.wantValue(claim.Key, stores.ValueCompleted)
				e.Advance(2)
				e.wantLeave(token, []stores.Entry{claim}, stores.OutcomeLost)
				e.wantAbsent(claim.Key)
			},
		},
		{
			Name:        "leave/release",
			Explanation: "Release deletes what the token holds; the next run enters at once. A second release hits nobody.",
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 10)
				e.wantEntered(token, claim)
				e.wantLeave(token, do(stores.PartRelease, claim), stores.OutcomeDone)
				e.wantAbsent(claim.Key)
				e.wantLeave(token, do(stores.PartRelease, claim), stores.OutcomeLost)
				next := stores.NewToken()
				e.wantEntered(next, claim)
				e.wantLeave(token, do(stores.PartRelease, claim), stores.OutcomeLost)
				e.wantHolder(next, claim)
			},
		},
		{
			Name:        "leave/release of a completed claim",
			Explanation: "Release deletes only what still reads processing: a completed claim stays.",
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 10)
				e.wantEntered(token, claim)
				e.wantLeave(token, do(stores.PartComplete, claim), stores.OutcomeDone)
				e.wantLeave(token, do(stores.PartRelease, claim), stores.OutcomeLost)
				e.takeBack(token, claim)
				e.wantValue(claim.Key, stores.ValueCompleted)
			},
		},
		{
			Name:        "leave/take back",
			Explanation: "Take back deletes what the token holds, a completed claim too, and nobody else's.",
			Check: func(e *Env) {
				for _, completed := range []bool{false, true} {
					token, claim := stores.NewToken(), e.claim(e.Key("a"), 10)
					e.wantEntered(token, claim)
					if completed {
						e.wantLeave(token, do(stores.PartComplete, claim), stores.OutcomeDone)
					}
					e.wantLeave(stores.NewToken(), do(stores.PartTakeBack, claim), stores.OutcomeLost)
					e.wantLeave(token, do(stores.PartTakeBack, claim), stores.OutcomeDone)
					e.wantAbsent(claim.Key)
					e.wantLeave(token, do(stores.PartTakeBack, claim), stores.OutcomeLost)
				}
			},
		},
		{
			Name:        "leave/no part",
			Explanation: "An entry without a part is left as it is, whoever holds it, and answers done.",
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 4)
				e.wantEntered(token, claim)
				e.Advance(2)
				e.wantLeave(token, do(stores.PartNone, claim), stores.OutcomeDone)
				e.wantLeave(stores.NewToken(), do(stores.PartNone, claim), stores.OutcomeDone)
				e.wantRefused(stores.NewToken(), 0, stores.ValueProcessing, claim)
				e.Advance(3)
				e.wantAbsent(claim.Key)
			},
		},
		{
			Name:        "leave/twice with other parts",
			Explanation: "Leave may be called more than once for one run, with other parts.",
			Check: func(e *Env) {
				token := stores.NewToken()
				claim, lock := e.claim(e.Key("claim"), 10), e.claim(e.Key("lock"), 10)
				e.wantEntered(token, lock, claim)
				e.wantLeave(token, append(do(stores.PartNone, lock), do(stores.PartComplete, claim)...), stores.OutcomeDone, stores.OutcomeDone)
				e.wantValue(lock.Key, stores.ValueProcessing)
				e.wantValue(claim.Key, stores.ValueCompleted)
				e.wantLeave(token, append(do(stores.PartRelease, lock), do(stores.PartTakeBack, claim)...), stores.OutcomeDone, stores.OutcomeDone)
				e.wantAbsent(lock.Key)
				e.wantAbsent(claim.Key)
			},
		},
		{
			Name:        "leave/in reverse order",
			Explanation: "Leave hands the entries their parts in reverse order and answers in the order of entries.",
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 10)
				e.wantEntered(token, claim)
				// The release, last in the list, comes first and leaves nothing to complete.
				e.wantLeave(token, append(do(stores.PartComplete, claim), do(stores.PartRelease, claim)...), stores.OutcomeLost, stores.OutcomeDone)
				e.wantAbsent(claim.Key)
				e.wantEntered(token, claim)
				e.wantLeave(token, append(do(stores.PartTakeBack, claim), do(stores.PartComplete, claim)...), stores.OutcomeDone, stores.OutcomeDone)
				e.wantAbsent(claim.Key)
			},
		},
		{
			Name:        "take back/gives back what is under way",
			Explanation: "TakeBack gives back by token whatever an Enter may have taken, and nothing of anybody else.",
			Check: func(e *Env) {
				token, other := stores.NewToken(), stores.NewToken()
				first, theirs, never := e.claim(e.Key("first"), 10), e.claim(e.Key("theirs"), 10), e.claim(e.Key("never"), 10)
				e.wantEntered(token, first)
				e.wantEntered(other, theirs)
				e.takeBack(token, first, theirs, never)
				e.wantAbsent(first.Key)
				e.wantAbsent(never.Key)
				e.wantHolder(other, theirs)
				e.takeBack(token, first, theirs, never)
				e.takeBack(stores.Token{}, theirs)
				e.wantValue(theirs.Key, stores.ValueCompleted)
				e.wantEntered(other, first)
			},
		},
	})
}
