package storetest

import "github.com/cmdx-go/cmdx/stores"

func placeCases() []Case {
	return kinds([]stores.Kind{stores.KindPlace}, []Case{
		{
			Name:        "place/limit",
			Explanation: "As many runs as there are places hold one each; the next is refused, without a state and with the time until the first of them ends.",
			Check: func(e *Env) {
				e.wantEntered(stores.NewToken(), e.place(e.Key("a"), 6, 3))
				e.wantEntered(stores.NewToken(), e.place(e.Key("a"), 4, 3))
				e.wantEntered(stores.NewToken(), e.place(e.Key("a"), 8, 3))
				e.wantRefusedFor(stores.NewToken(), 0, "", 4, e.place(e.Key("a"), 100, 3))
				e.wantEntered(stores.NewToken(), e.place(e.Key("b"), 4, 1))
				e.wantRefusedFor(stores.NewToken(), 0, "", 4, e.place(e.Key("b"), 4, 1))
			},
		},
		{
			Name:        "place/an end of its own",
			Explanation: "Each place ends by itself, so that a dead run keeps none; when all have ended the key is free.",
			Check: func(e *Env) {
				short, long := e.place(e.Key("a"), 2, 2), e.place(e.Key("a"), 5, 2)
				e.wantEntered(stores.NewToken(), long)
				e.wantEntered(stores.NewToken(), short)
				e.Advance(3)
				e.wantEntered(stores.NewToken(), short)
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, long)
				e.Advance(3)
				e.wantFree(short.Key)
				e.wantPassed(2, short)
			},
		},
		{
			Name:        "place/refusal changes nothing",
			Explanation: "A refusal takes no place, and leaves the ends of all as they are.",
			Check: func(e *Env) {
				token, place := stores.NewToken(), e.place(e.Key("a"), 3, 1)
				e.wantEntered(token, place)
				stranger := stores.NewToken()
				for range 5 {
					e.wantRefusedFor(stranger, 0, "", 3, place)
				}
				e.takeBack(stranger, place)
				e.wantLeave(stranger, do(stores.PartRelease, place), stores.OutcomeLost)
				e.wantRefusedFor(stranger, 0, "", 3, place)
				e.Advance(4)
				e.wantEntered(stores.NewToken(), place)
				e.wantLeave(token, do(stores.PartRelease, place), stores.OutcomeLost)
				e.wantRefusedFor(stranger, 0, "", 3, place)
			},
		},
		{
			Name:        "place/sent again",
			Explanation: "A run that holds a place counts as entered, also when all are taken, takes no second one and keeps its end.",
			Check: func(e *Env) {
				token, place := stores.NewToken(), e.place(e.Key("a"), 4, 2)
				e.wantEntered(token, place)
				for range 3 {
					e.wantEntered(token, place)
				}
				e.wantEntered(stores.NewToken(), e.place(place.Key, 10, 2))
				e.Advance(2)
				e.wantEntered(token, place)
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, place)
				e.Advance(3)
				e.wantLeave(token, do(stores.PartRelease, place), stores.OutcomeLost)
				e.wantEntered(stores.NewToken(), place)
			},
		},
		{
			Name:        "place/release",
			Explanation: "Release, taking back and TakeBack give up the token's place and no other; a second release hits nobody.",
			Check: func(e *Env) {
				release := func(part stores.Part) func(stores.Token, stores.Entry) {
					return func(token stores.Token, place stores.Entry) {
						e.wantLeave(token, do(part, place), stores.OutcomeDone)
						e.wantLeave(token, do(part, place), stores.OutcomeLost)
					}
				}
				for name, giveUp := range map[string]func(stores.Token, stores.Entry){
					"release": release(stores.PartRelease), "part": release(stores.PartTakeBack),
					"take back": func(token stores.Token, place stores.Entry) { e.takeBack(token, place) },
				} {
					place := e.place(e.Key(name), 10, 2)
					first, second := stores.NewToken(), stores.NewToken()
					e.wantEntered(first, place)
					e.wantEntered(second, place)
					e.wantLeave(first, do(stores.PartNone, place), stores.OutcomeDone)
					e.wantLeave(stores.NewToken(), do(stores.PartRelease, place), stores.OutcomeLost)
					giveUp(first, place)
					e.wantEntered(stores.NewToken(), place)
					e.wantLeave(first, do(stores.PartRelease, place), stores.OutcomeLost)
					e.wantRefused(stores.NewToken(), 0, "", place)
					e.wantExtend(second, []stores.Entry{place}, stores.OutcomeDone)
				}
			},
		},
		{
			Name:        "place/last one released",
			Explanation: "When the last place is given up, nothing is left under the key.",
			Check: func(e *Env) {
				first, second, place := stores.NewToken(), stores.NewToken(), e.place(e.Key("a"), 10, 2)
				e.wantEntered(first, place)
				e.wantEntered(second, place)
				e.wantLeave(first, do(stores.PartRelease, place), stores.OutcomeDone)
				e.wantTaken(place.Key)
				e.wantLeave(second, do(stores.PartRelease, place), stores.OutcomeDone)
				e.wantFree(place.Key)
			},
		},
		{
			Name:        "place/every key ends",
			Explanation: "The key ends with its last place, also when it was held for longer before.",
			Check: func(e *Env) {
				token, long, short := stores.NewToken(), e.place(e.Key("a"), 20, 2), e.place(e.Key("a"), 2, 2)
				e.wantEntered(token, long)
				e.wantEntered(stores.NewToken(), short)
				e.wantLeave(token, do(stores.PartRelease, long), stores.OutcomeDone)
				e.Advance(3)
				e.wantEntered(stores.NewToken(), short)
				e.Advance(3)
				e.wantFree(short.Key)
			},
		},
		{
			Name:        "place/extend",
			Explanation: "Extend lets the token's place live for its TTL from now on, also a shorter one; a place that has ended is not taken again, and the others keep theirs.",
			Check: func(e *Env) {
				token, place := stores.NewToken(), e.place(e.Key("a"), 4, 2)
				other := stores.NewToken()
				e.wantEntered(token, place)
				e.wantEntered(other, place)
				e.wantExtend(stores.NewToken(), []stores.Entry{place}, stores.OutcomeLost)
				e.Advance(3)
				e.wantExtend(token, []stores.Entry{place}, stores.OutcomeDone)
				e.wantRefusedFor(stores.NewToken(), 0, "", 1, place)
				e.Advance(2)
				e.wantExtend(other, []stores.Entry{place}, stores.OutcomeLost)
				e.wantEntered(stores.NewToken(), e.place(place.Key, 10, 2))
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, place)
				e.wantExtend(token, []stores.Entry{e.place(place.Key, 1, 2)}, stores.OutcomeDone)
				e.wantRefusedFor(stores.NewToken(), 0, "", 1, place)
				e.Advance(2)
				e.wantExtend(token, []stores.Entry{place}, stores.OutcomeLost)
				e.wantEntered(stores.NewToken(), place)
			},
		},
		{
			Name:        "place/fewer than before",
			Explanation: "When more are held than there are places now, RetryAfter tells when so many have ended that one is free.",
			Check: func(e *Env) {
				for _, units := range []float64{8, 2, 4, 6} {
					e.wantEntered(stores.NewToken(), e.place(e.Key("a"), units, 4))
				}
				for limit, left := range map[int64]float64{1: 8, 2: 6, 3: 4, 4: 2} {
					e.wantRefusedFor(stores.NewToken(), 0, "", left, e.place(e.Key("a"), 10, limit))
				}
				e.Advance(5)
				e.wantRefusedFor(stores.NewToken(), 0, "", 1, e.place(e.Key("a"), 10, 2))
				e.wantEntered(stores.NewToken(), e.place(e.Key("a"), 10, 3))
			},
		},
		{
			Name:        "place/foreign value",
			Explanation: "A value that is none of places gives ErrForeignValue, or is stepped over; it is never taken, extended or deleted.",
			Check: func(e *Env) {
				for _, value := range []string{"", "3", stores.ValueProcessing} {
					token, place := stores.NewToken(), e.place(e.Key("a"), 10, 3)
					e.set(place.Key, value, 10)
					e.wantForeign(token, place)
					e.wantExtend(token, []stores.Entry{place}, stores.OutcomeLost)
					e.wantLeave(token, do(stores.PartRelease, place), stores.OutcomeLost)
					e.takeBack(token, place)
					e.wantValue(place.Key, value)
				}
			},
		},
		{
			Name:        "place/many",
			Explanation: "A limit of hundreds holds as exactly as a small one, and every place is found again.",
			Check: func(e *Env) {
				const many = 300
				place := e.place(e.Key("a"), 100, many)
				tokens := make([]stores.Token, many)
				for i := range tokens {
					tokens[i] = stores.NewToken()
					e.wantEntered(tokens[i], place)
				}
				e.wantRefused(stores.NewToken(), 0, "", place)
				for i := 0; i < many; i += 3 {
					e.wantLeave(tokens[i], do(stores.PartRelease, place), stores.OutcomeDone)
				}
				for i, token := range tokens {
					want := stores.OutcomeDone
					if i%3 == 0 {
						want = stores.OutcomeLost
					}
					e.wantExtend(token, []stores.Entry{place}, want)
				}
				e.wantPassed(many/3, place)
				e.wantRefused(stores.NewToken(), 0, "", place)
			},
		},
	})
}

// wantForeign enters an entry whose key holds something else, as it is and
// stepped over.
func (e *Env) wantForeign(token stores.Token, entry stores.Entry) {
	e.wantEntryError(token, 0, stores.ErrForeignValue, entry)
	entry.StepOver = true
	got, ok := e.enter(token, 0, []stores.Entry{entry})
	if !ok {
		return
	}
	if got.Verdict != stores.VerdictEntered || len(got.SteppedOver) != 1 || got.SteppedOver[0].At != 0 {
		e.Failf("got %s, want entered with entry 0 stepped over", describe(got))
		return
	}
	e.wantError("SteppedOver", got.SteppedOver[0].Err, stores.ErrForeignValue)
}
