package storetest

import "github.com/cmdx-go/cmdx/stores"

func malformedCases() []Case {
	return guards([]Case{
		{
			Name:        "malformed/kind",
			Explanation: "A Kind that the store does not know gives VerdictError whatever StepOver says, before anything is taken; Extend and Leave answer OutcomeError.",
			Check: func(e *Env) {
				for _, kind := range append([]stores.Kind{0, 255}, e.without...) {
					token := stores.NewToken()
					good, bad := e.claim(e.Key("good"), 10), e.claim(e.Key("bad"), 10)
					bad.Kind = kind
					for _, stepOver := range []bool{false, true} {
						bad.StepOver = stepOver
						e.wantEntryError(token, 1, stores.ErrUnknownKind, good, bad)
						e.wantAbsent(good.Key)
						e.wantAbsent(bad.Key)
					}
					e.wantEntered(token, good)
					e.wantExtend(token, []stores.Entry{bad, good}, stores.OutcomeError, stores.OutcomeDone)
					e.wantLeave(token, do(stores.PartRelease, good, bad), stores.OutcomeDone, stores.OutcomeError)
				}
			},
		},
		{
			Name:        "malformed/ttl",
			Explanation: "A TTL that is not positive gives VerdictError with a *TTLError, before anything is taken; Extend answers OutcomeError and leaves the end where it is.",
			Check: func(e *Env) {
				for _, ttl := range notPositive {
					token := stores.NewToken()
					good, bad := e.claim(e.Key("good"), 10), e.claim(e.Key("bad"), 10)
					bad.TTL, bad.StepOver = ttl, true
					got, ok := e.enter(token, 0, []stores.Entry{good, bad})
					if ok && (got.Verdict != stores.VerdictError || got.At != 1) {
						e.Failf("got %s, want an error at 1", describe(got))
					}
					e.wantTTLError("Enter", got.Err, ttl)
					e.wantAbsent(good.Key)
					e.wantAbsent(bad.Key)

					e.wantEntered(token, good)
					good.TTL = ttl
					e.wantExtend(token, []stores.Entry{good}, stores.OutcomeError)
					e.wantLeave(token, do(stores.PartRelease, good), stores.OutcomeDone)
				}
			},
		},
		{
			Name:        "malformed/keep",
			Explanation: "Completing with a Keep that is not positive answers OutcomeError with a *TTLError and leaves the claim under way; Keep is not looked at otherwise.",
			Check: func(e *Env) {
				for _, keep := range notPositive {
					token, claim := stores.NewToken(), e.claim(e.Key("a"), 10)
					claim.Keep = keep
					e.wantEntered(token, claim)
					e.wantExtend(token, []stores.Entry{claim}, stores.OutcomeDone)
					answers, err := e.guards.Leave(e.ctx, token, do(stores.PartComplete, claim))
					e.wantOutcomes("Leave", answers, err, []stores.Outcome{stores.OutcomeError})
					if len(answers) == 1 {
						e.wantTTLError("Leave", answers[0].Err, keep)
					}
					e.wantValue(claim.Key, stores.ValueProcessing)
					e.wantLeave(token, do(stores.PartRelease, claim), stores.OutcomeDone)
				}
			},
		},
		{
			Name:        "malformed/part",
			Explanation: "A Part that does not exist answers OutcomeError and leaves the entry as it was.",
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 10)
				e.wantEntered(token, claim)
				e.wantLeave(token, do(stores.Part(255), claim), stores.OutcomeError)
				e.wantHolder(token, claim)
			},
		},
		{
			Name:        "malformed/token",
			Explanation: "The zero Token belongs to nobody: Enter, Extend and Leave give ErrNoToken and change nothing.",
			Check: func(e *Env) {
				held, free := e.claim(e.Key("held"), 10), e.claim(e.Key("free"), 10)
				e.set(held.Key, stores.ValueProcessing, 10) // a key without a token, like the zero one
				var nobody stores.Token
				_, err := e.guards.Enter(e.ctx, nobody, []stores.Entry{free}, 0)
				e.wantError("Enter", err, stores.ErrNoToken)
				_, err = e.guards.Extend(e.ctx, nobody, []stores.Entry{held})
				e.wantError("Extend", err, stores.ErrNoToken)
				_, err = e.guards.Leave(e.ctx, nobody, do(stores.PartTakeBack, held))
				e.wantError("Leave", err, stores.ErrNoToken)
				e.takeBack(nobody, held)
				e.wantAbsent(free.Key)
				e.wantValue(held.Key, stores.ValueProcessing)
			},
		},
		{
			Name:        "malformed/from",
			Explanation: "A negative from gives ErrFrom and takes nothing.",
			Check: func(e *Env) {
				claim := e.claim(e.Key("a"), 10)
				_, err := e.guards.Enter(e.ctx, stores.NewToken(), []stores.Entry{claim}, -1)
				e.wantError("Enter", err, stores.ErrFrom)
				e.wantAbsent(claim.Key)
			},
		},
	})
}
