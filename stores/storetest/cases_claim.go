package storetest

import (
	"math"

	"github.com/cmdx-go/cmdx/stores"
)

func claimCases() []Case {
	cases := []Case{
		{
			Name:        "claim/entered",
			Explanation: "A free key is taken: it reads processing for its TTL, and is absent after that.",
			Check: func(e *Env) {
				claim := e.claim(e.Key("a"), 2)
				e.wantEntered(stores.NewToken(), claim)
				e.wantValue(claim.Key, stores.ValueProcessing)
				e.wantSet(claim.Key, "x", stores.SetOptions{TTL: e.Units(1), NX: true}, false)
				e.Advance(3)
				e.wantAbsent(claim.Key)
				e.wantEntered(stores.NewToken(), claim)
			},
		},
		{
			Name:        "claim/duplicate",
			Explanation: "A key that another run holds refuses, with the value found and with the longest time that it will stand in the way.",
			Check: func(e *Env) {
				claim := e.claim(e.Key("a"), 4)
				e.wantEntered(stores.NewToken(), claim)
				e.Advance(1)
				got, ok := e.enter(stores.NewToken(), 0, []stores.Entry{claim})
				if ok && (got.Verdict != stores.VerdictRefused || got.State != stores.ValueProcessing) {
					e.Failf("got %s, want refused with state processing", describe(got))
				}
				if got.RetryAfter != 0 && (got.RetryAfter < e.Units(2) || got.RetryAfter > e.Units(3)) {
					e.Failf("got RetryAfter %s, want about %s, or 0 from a store that does not know", got.RetryAfter, e.Units(3))
				}
			},
		},
		{
			Name:        "claim/refusal changes nothing",
			Explanation: "A refusal changes nothing that the token does not hold: neither value, nor end, nor owner.",
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 4)
				e.wantEntered(token, claim)
				e.Advance(2)
				stranger := stores.NewToken()
				e.wantRefused(stranger, 0, stores.ValueProcessing, e.claim(claim.Key, 100))
				e.takeBack(stranger, claim)
				e.wantLeave(stranger, do(stores.PartRelease, claim), stores.OutcomeLost)
				e.wantExtend(token, []stores.Entry{e.claim(claim.Key, 2)}, stores.OutcomeDone)
				e.wantRefused(stranger, 0, stores.ValueProcessing, e.claim(claim.Key, 100))
				e.Advance(3)
				e.wantAbsent(claim.Key)
			},
		},
		{
			Name:        "claim/sent again",
			Explanation: "An entry whose key is already held by the token counts as entered and keeps its end: a caller never becomes the duplicate of itself.",
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 4)
				e.wantEntered(token, claim)
				e.Advance(2)
				for range 3 {
					e.wantEntered(token, claim)
				}
				e.wantRefused(stores.NewToken(), 0, stores.ValueProcessing, claim)
				e.Advance(3)
				e.wantAbsent(claim.Key)
			},
		},
		{
			Name:        "claim/own completed one",
			Explanation: "An entry that the token itself has completed refuses with completed, and stays.",
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 10)
				e.wantEntered(token, claim)
				e.wantLeave(token, do(stores.PartComplete, claim), stores.OutcomeDone)
				e.wantRefused(token, 0, stores.ValueCompleted, claim)
				e.wantValue(claim.Key, stores.ValueCompleted)
			},
		},
		{
			Name:        "claim/without a token",
			Explanation: "A key without a token is held by somebody: processing and completed, written by another program, refuse.",
			Check: func(e *Env) {
				for _, state := range []string{stores.ValueProcessing, stores.ValueCompleted} {
					token, claim := stores.NewToken(), e.claim(e.Key(state), 10)
					e.set(claim.Key, state, 2)
					e.wantRefused(token, 0, state, claim)
					for _, part := range []stores.Part{stores.PartComplete, stores.PartRelease, stores.PartTakeBack} {
						e.wantLeave(token, do(part, claim), stores.OutcomeLost)
					}
					e.wantExtend(token, []stores.Entry{claim}, stores.OutcomeLost)
					e.takeBack(token, claim)
					e.wantValue(claim.Key, state)
				}
				e.Advance(3)
				e.wantEntered(stores.NewToken(), e.claim(e.Key(stores.ValueProcessing), 10))
				e.wantEntered(stores.NewToken(), e.claim(e.Key(stores.ValueCompleted), 10))
			},
		},
		{
			Name:        "claim/foreign value",
			Explanation: "A value that is no claim's gives VerdictError, or is stepped over; it is never deleted and never taken.",
			Check: func(e *Env) {
				for _, value := range []string{"", "Processing", "processing ", "1"} {
					token, claim := stores.NewToken(), e.claim(e.Key("a"), 10)
					e.set(claim.Key, value, 10)
					e.wantEntryError(token, 0, stores.ErrForeignValue, claim)
					claim.StepOver = true
					got, ok := e.enter(token, 0, []stores.Entry{claim})
					if ok && (got.Verdict != stores.VerdictEntered || len(got.SteppedOver) != 1 || got.SteppedOver[0].At != 0) {
						e.Failf("got %s, want entered with entry 0 stepped over", describe(got))
					} else if ok {
						e.wantError("SteppedOver", got.SteppedOver[0].Err, stores.ErrForeignValue)
					}
					e.wantLeave(token, do(stores.PartComplete, claim), stores.OutcomeLost)
					e.wantValue(claim.Key, value)
				}
			},
		},
		{
			Name:        "claim/any ttl",
			Explanation: "A claim's TTL is rounded up to whole milliseconds; a huge one works.",
			Check: func(e *Env) {
				token := stores.NewToken()
				for i, entry := range []stores.Entry{{TTL: 1, Keep: 1}, {TTL: century, Keep: century}, {TTL: math.MaxInt64, Keep: math.MaxInt64}} {
					entry.Kind, entry.Key = stores.KindClaim, e.Key(string(rune('a'+i)))
					e.wantEntered(token, entry)
					if i > 0 {
						e.wantExtend(token, []stores.Entry{entry}, stores.OutcomeDone)
						e.wantRefused(stores.NewToken(), 0, stores.ValueProcessing, entry)
						e.wantLeave(token, do(stores.PartComplete, entry), stores.OutcomeDone)
					}
				}
				e.Advance(1)
				e.wantAbsent(e.Key("a"))
				e.wantValue(e.Key("b"), stores.ValueCompleted)
				e.wantValue(e.Key("c"), stores.ValueCompleted)
			},
		},
	}
	return guards(cases)
}

// guards marks cases as those of the guards.
func guards(cases []Case) []Case {
	for i := range cases {
		cases[i].NeedsGuards = true
	}
	return cases
}
