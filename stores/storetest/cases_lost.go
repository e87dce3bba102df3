package storetest

import "github.com/cmdx-go/cmdx/stores"

// loss is a way in which a run loses its claim without knowing.
type loss struct {
	name, explanation string
	// expires is true when the claim has to end first.
	expires bool
	// happen makes it happen and returns who holds the claim then: the zero
	// token for nobody and for somebody unknown.
	happen func(e *Env, claim stores.Entry) stores.Token
	// reads is what stands under the key afterwards; "" for nothing.
	reads string
}

var losses = []loss{
	{
		name: "deleted", explanation: "somebody has deleted the key",
		happen: func(e *Env, claim stores.Entry) stores.Token {
			e.wantDelete(claim.Key, true)
			return stores.Token{}
		},
	},
	{
		name: "overwritten", explanation: "another program has set the key, which drops whoever owned it",
		happen: func(e *Env, claim stores.Entry) stores.Token {
			e.wantSet(claim.Key, stores.ValueProcessing, stores.SetOptions{TTL: claim.TTL, XX: true}, true)
			return stores.Token{}
		},
		reads: stores.ValueProcessing,
	},
	{
		name: "overwritten by a foreign value", explanation: "another program uses the key for something else",
		happen: func(e *Env, claim stores.Entry) stores.Token {
			e.wantSet(claim.Key, "theirs", stores.SetOptions{TTL: claim.TTL}, true)
			return stores.Token{}
		},
		reads: "theirs",
	},
	{
		name: "deleted and set", explanation: "the key was deleted and another program has claimed it by Set NX",
		happen: func(e *Env, claim stores.Entry) stores.Token {
			e.wantDelete(claim.Key, true)
			e.wantSet(claim.Key, stores.ValueProcessing, stores.SetOptions{TTL: claim.TTL, NX: true}, true)
			return stores.Token{}
		},
		reads: stores.ValueProcessing,
	},
	{
		name: "deleted and taken", explanation: "the key was deleted and another run has entered",
		happen: func(e *Env, claim stores.Entry) stores.Token {
			e.wantDelete(claim.Key, true)
			return enterAnother(e, claim)
		},
		reads: stores.ValueProcessing,
	},
	{
		name: "expired", explanation: "the claim's time is over", expires: true,
		happen: func(*Env, stores.Entry) stores.Token { return stores.Token{} },
	},
	{
		name: "expired and set", explanation: "the claim's time is over and another program has claimed the key by Set NX", expires: true,
		happen: func(e *Env, claim stores.Entry) stores.Token {
			e.wantSet(claim.Key, stores.ValueProcessing, stores.SetOptions{TTL: claim.TTL, NX: true}, true)
			return stores.Token{}
		},
		reads: stores.ValueProcessing,
	},
	{
		name: "expired and taken", explanation: "the claim's time is over and another run has entered", expires: true,
		happen: enterAnother,
		reads:  stores.ValueProcessing,
	},
	{
		name: "expired, taken and completed", explanation: "the claim's time is over and another run has done the work", expires: true,
		happen: func(e *Env, claim stores.Entry) stores.Token {
			other := enterAnother(e, claim)
			e.wantLeave(other, do(stores.PartComplete, claim), stores.OutcomeDone)
			return stores.Token{}
		},
		reads: stores.ValueCompleted,
	},
}

func enterAnother(e *Env, claim stores.Entry) stores.Token {
	other := stores.NewToken()
	e.wantEntered(other, claim)
	return other
}

// deed is what a run tries with a claim that it does not know to be lost.
type deed struct {
	name string
	try  func(e *Env, token stores.Token, claim stores.Entry)
}

var deeds = []deed{
	{"complete", func(e *Env, token stores.Token, claim stores.Entry) {
		e.wantLeave(token, do(stores.PartComplete, claim), stores.OutcomeLost)
	}},
	{"release", func(e *Env, token stores.Token, claim stores.Entry) {
		e.wantLeave(token, do(stores.PartRelease, claim), stores.OutcomeLost)
	}},
	{"take back its completion", func(e *Env, token stores.Token, claim stores.Entry) {
		e.wantLeave(token, do(stores.PartTakeBack, claim), stores.OutcomeLost)
	}},
	{"extend", func(e *Env, token stores.Token, claim stores.Entry) {
		e.wantExtend(token, []stores.Entry{claim}, stores.OutcomeLost)
	}},
	{"take back", func(e *Env, token stores.Token, claim stores.Entry) {
		e.takeBack(token, claim)
	}},
}

func lostClaimCases() []Case {
	var cases []Case
	for _, l := range losses {
		cases = append(cases, Case{
			Name:        "lost/" + l.name,
			Explanation: "When " + l.explanation + ", whatever the run tries by its token answers lost, re-creates nothing and touches nobody else's.",
			Check: func(e *Env) {
				for _, completed := range []bool{false, true} {
					checkLoss(e, l, completed)
				}
			},
		})
	}
	cases = append(cases, Case{
		Name:        "lost/entered again",
		Explanation: "A run whose claim is lost enters like any other: a free key is taken anew, one that somebody holds refuses.",
		Check: func(e *Env) {
			for _, l := range losses {
				token, claim := stores.NewToken(), e.claim(e.Key(l.name), 4)
				e.wantEntered(token, claim)
				if l.expires {
					e.Advance(5)
				}
				l.happen(e, claim)
				switch l.reads {
				case "":
					e.wantEntered(token, claim)
					e.wantHolder(token, claim)
				case stores.ValueProcessing, stores.ValueCompleted:
					e.wantRefused(token, 0, l.reads, claim)
				default:
					e.wantEntryError(token, 0, stores.ErrForeignValue, claim)
				}
			}
		},
	})
	return guards(cases)
}

// checkLoss tries every deed on a key of its own, after a claim under way or
// a completed one was lost.
func checkLoss(e *Env, l loss, completed bool) {
	token := stores.NewToken()
	claims := make([]stores.Entry, len(deeds))
	for i, d := range deeds {
		name := d.name
		claims[i] = e.claim(e.Key(name), 4)
		if completed {
			claims[i] = e.claim(e.Key(name+" when completed"), 4)
			claims[i].Keep = claims[i].TTL
		}
		e.wantEntered(token, claims[i])
		if completed {
			e.wantLeave(token, do(stores.PartComplete, claims[i]), stores.OutcomeDone)
		}
	}
	if l.expires {
		e.Advance(5)
	}
	for i, d := range deeds {
		other := l.happen(e, claims[i])
		d.try(e, token, claims[i])
		if l.reads == "" {
			e.wantAbsent(claims[i].Key)
		} else {
			e.wantValue(claims[i].Key, l.reads)
		}
		if !other.IsZero() {
			e.wantHolder(other, claims[i])
		}
	}
}
