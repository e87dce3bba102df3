package storetest

import "github.com/cmdx-go/cmdx/stores"

func extendCases() []Case {
	return guards([]Case{
		{
			Name:        "extend/lives longer",
			Explanation: "Extend lets each entry that the token still holds live for its TTL from now on.",
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 4)
				e.wantEntered(token, claim)
				for range 3 {
					e.Advance(3)
					e.wantExtend(token, []stores.Entry{claim}, stores.OutcomeDone)
				}
				e.Advance(3)
				e.wantRefused(stores.NewToken(), 0, stores.ValueProcessing, claim)
				e.Advance(2)
				e.wantAbsent(claim.Key)
			},
		},
		{
			Name:        "extend/lives shorter",
			Explanation: "The TTL of the entry counts, also when it ends before what was asked for earlier.",
			Check: func(e *Env) {
				token := stores.NewToken()
				e.wantEntered(token, e.claim(e.Key("a"), 100))
				e.wantExtend(token, []stores.Entry{e.claim(e.Key("a"), 2)}, stores.OutcomeDone)
				e.Advance(3)
				e.wantAbsent(e.Key("a"))
			},
		},
		{
			Name:        "extend/never re-creates",
			Explanation: "Extend never re-creates an entry that has ended, and never touches one that is somebody else's.",
			Check: func(e *Env) {
				token, other := stores.NewToken(), stores.NewToken()
				never, over, theirs := e.claim(e.Key("never"), 10), e.claim(e.Key("over"), 2), e.claim(e.Key("theirs"), 4)
				e.wantEntered(token, over)
				e.wantEntered(other, theirs)
				e.Advance(3)
				theirs.TTL = e.Units(100)
				e.wantExtend(token, []stores.Entry{never, over, theirs}, stores.OutcomeLost, stores.OutcomeLost, stores.OutcomeLost)
				e.wantAbsent(never.Key)
				e.wantAbsent(over.Key)
				e.wantValue(theirs.Key, stores.ValueProcessing)
				e.Advance(2)
				e.wantAbsent(theirs.Key)
			},
		},
		{
			Name:        "extend/a completed claim",
			Explanation: "A completed claim keeps its end and gives OutcomeLost, since a renewal may arrive late.",
			Check: func(e *Env) {
				token := stores.NewToken()
				claim := stores.Entry{Kind: stores.KindClaim, Key: e.Key("a"), TTL: e.Units(2), Keep: e.Units(6)}
				e.wantEntered(token, claim)
				e.wantLeave(token, do(stores.PartComplete, claim), stores.OutcomeDone)
				e.wantExtend(token, []stores.Entry{claim}, stores.OutcomeLost)
				e.Advance(4)
				e.wantValue(claim.Key, stores.ValueCompleted)
				claim.TTL = e.Units(100)
				e.wantExtend(token, []stores.Entry{claim}, stores.OutcomeLost)
				e.Advance(3)
				e.wantAbsent(claim.Key)
			},
		},
		{
			Name:        "extend/answers in order",
			Explanation: "The answers stand in the order of the entries, and an entry that is lost keeps none of the others from being extended.",
			Check: func(e *Env) {
				token := stores.NewToken()
				a, b, c := e.claim(e.Key("a"), 4), e.claim(e.Key("b"), 4), e.claim(e.Key("c"), 4)
				e.wantEntered(token, a, b, c)
				e.wantDelete(b.Key, true)
				e.Advance(2)
				e.wantExtend(token, []stores.Entry{a, b, c}, stores.OutcomeDone, stores.OutcomeLost, stores.OutcomeDone)
				e.Advance(3)
				e.wantValue(a.Key, stores.ValueProcessing)
				e.wantAbsent(b.Key)
				e.wantValue(c.Key, stores.ValueProcessing)
			},
		},
	})
}
