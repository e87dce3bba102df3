package storetest

import (
	"math"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

func rateCases() []Case {
	return kinds([]stores.Kind{stores.KindRate}, []Case{
		{
			Name:        "rate/limit",
			Explanation: "As many calls pass as the limit says, also at one instant; the next is refused, without a state, for exactly as long as the window needs.",
			Check: func(e *Env) {
				rate := e.rate(e.Key("a"), 3, 4)
				e.wantPassed(3, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 4, rate)
				e.wantPassed(3, e.rate(e.Key("b"), 3, 4))
				e.Advance(3)
				e.wantRefusedFor(stores.NewToken(), 0, "", 1, rate)
				e.Advance(2)
				e.wantPassed(3, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 4, rate)
			},
		},
		{
			Name:        "rate/every window",
			Explanation: "The limit holds in every window, wherever it begins: each call makes room for one when it leaves.",
			Check: func(e *Env) {
				rate := e.rate(e.Key("a"), 3, 4)
				e.wantPassed(1, rate)
				e.Advance(2)
				e.wantPassed(2, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, rate)
				e.Advance(2.5)
				e.wantPassed(1, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 1.5, rate)
				e.Advance(2)
				e.wantPassed(2, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, rate)
			},
		},
		{
			Name:        "rate/refusals count nothing",
			Explanation: "A refusal writes nothing and prolongs nobody's wait.",
			Check: func(e *Env) {
				rate, smooth := e.rate(e.Key("a"), 1, 4), e.smooth(e.Key("b"), 1, 4)
				e.wantPassed(1, rate)
				e.wantPassed(1, smooth)
				for left := 4.0; left > 0; left -= 1.5 {
					for range 5 {
						e.wantRefusedFor(stores.NewToken(), 0, "", left, rate)
						e.wantRefusedFor(stores.NewToken(), 0, "", left, smooth)
					}
					e.Advance(1.5)
				}
				e.wantPassed(1, rate)
				e.wantPassed(1, smooth)
			},
		},
		{
			Name:        "rate/sent again",
			Explanation: "A call that is sent again counts once and passes, also when the limit is reached.",
			Check: func(e *Env) {
				token, rate := stores.NewToken(), e.rate(e.Key("a"), 2, 4)
				for range 4 {
					e.wantEntered(token, rate)
				}
				e.Advance(2)
				e.wantEntered(token, rate)
				e.wantPassed(1, rate)
				e.wantEntered(token, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, rate)
			},
		},
		{
			Name:        "rate/nothing is held",
			Explanation: "Extend and Leave have nothing to do for a rate: they answer done, and the call stays counted.",
			Check: func(e *Env) {
				for _, rate := range []stores.Entry{e.rate(e.Key("a"), 1, 10), e.smooth(e.Key("b"), 1, 10)} {
					token := stores.NewToken()
					e.wantEntered(token, rate)
					e.wantExtend(token, []stores.Entry{rate}, stores.OutcomeDone)
					e.wantExtend(stores.NewToken(), []stores.Entry{rate}, stores.OutcomeDone)
					for _, part := range []stores.Part{stores.PartNone, stores.PartRelease, stores.PartTakeBack} {
						e.wantLeave(token, do(part, rate), stores.OutcomeDone)
						e.wantLeave(stores.NewToken(), do(part, rate), stores.OutcomeDone)
					}
					e.wantRefusedFor(stores.NewToken(), 0, "", 10, rate)
				}
			},
		},
		{
			Name:        "rate/take back",
			Explanation: "TakeBack takes the token's call out of the log and no other; a smooth pace forgets nothing.",
			Check: func(e *Env) {
				token, rate, smooth := stores.NewToken(), e.rate(e.Key("a"), 2, 10), e.smooth(e.Key("b"), 1, 10)
				e.wantPassed(1, rate)
				e.wantEntered(token, rate, smooth)
				e.takeBack(stores.NewToken(), rate)
				e.wantRefused(stores.NewToken(), 0, "", rate)
				e.takeBack(token, rate, smooth)
				e.wantPassed(1, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 10, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 10, smooth)
			},
		},
		{
			Name:        "rate/windows of one key",
			Explanation: "All windowed rates of one key count by one log, a call once in each; the one with the longest RetryAfter refuses.",
			Check: func(e *Env) {
				rates := e.remembered(10, e.rate(e.Key("a"), 2, 3), e.rate(e.Key("a"), 3, 10))
				e.wantEntered(stores.NewToken(), rates...)
				e.wantEntered(stores.NewToken(), rates...)
				e.wantRefusedFor(stores.NewToken(), 0, "", 3, rates...)
				e.Advance(4)
				e.wantEntered(stores.NewToken(), rates...)
				e.wantRefusedFor(stores.NewToken(), 1, "", 6, rates...)
				e.Advance(1)
				// Both refuse once more: the first for two units, the second for five.
				e.wantRefusedFor(stores.NewToken(), 1, "", 5, e.remembered(10, e.rate(e.Key("a"), 1, 3), rates[1])...)
				e.wantRefusedFor(stores.NewToken(), 0, "", 5, e.remembered(10, rates[1], e.rate(e.Key("a"), 1, 3))...)
			},
		},
		{
			Name:        "rate/all or none",
			Explanation: "Neighbouring rates count together or not at all: when one refuses, none of them has counted, those behind it included.",
			Check: func(e *Env) {
				one, full, two := e.rate(e.Key("one"), 1, 10), e.rate(e.Key("full"), 1, 6), e.smooth(e.Key("two"), 1, 10)
				e.wantPassed(1, full)
				for range 3 {
					e.wantRefusedFor(stores.NewToken(), 1, "", 6, one, full, two)
				}
				token := stores.NewToken()
				e.wantEntered(token, one, two)
				e.wantEntered(token, one, two)
				e.wantRefusedFor(stores.NewToken(), 0, "", 10, one, full, e.rate(e.Key("free"), 1, 10))
				e.wantPassed(1, e.rate(e.Key("free"), 1, 10))
			},
		},
		{
			Name:        "rate/not neighbours",
			Explanation: "Rates with another kind between them are two questions: what the first counted stays counted.",
			Check: func(e *Env) {
				one, claim, full := e.rate(e.Key("one"), 1, 10), e.claim(e.Key("claim"), 10), e.rate(e.Key("full"), 1, 6)
				e.wantPassed(1, full)
				e.wantRefusedFor(stores.NewToken(), 2, "", 6, one, claim, full)
				e.wantAbsent(claim.Key)
				e.wantRefused(stores.NewToken(), 0, "", one)
			},
		},
		{
			Name:        "rate/refused further in",
			Explanation: "What a rate counted stays counted when an entry behind it refuses, and the same call sent again counts no second time.",
			Check: func(e *Env) {
				token, rate, claim := stores.NewToken(), e.rate(e.Key("a"), 2, 10), e.claim(e.Key("held"), 10)
				e.wantEntered(stores.NewToken(), claim)
				e.wantRefused(token, 1, stores.ValueProcessing, rate, claim)
				e.wantRefused(token, 1, stores.ValueProcessing, rate, claim)
				e.wantPassed(1, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 10, rate)
			},
		},
		{
			Name:        "rate/smooth",
			Explanation: "A smooth pace keeps Per/Limit between two calls, also after idle times, and tells when the next may pass.",
			Check: func(e *Env) {
				rate := e.smooth(e.Key("a"), 5, 10)
				e.wantPassed(1, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, rate)
				e.Advance(1)
				e.wantRefusedFor(stores.NewToken(), 0, "", 1, rate)
				e.Advance(1.5)
				e.wantPassed(1, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, rate)
				e.Advance(8)
				e.wantPassed(1, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, rate)
			},
		},
		{
			Name:        "rate/smooth sent again",
			Explanation: "The call that passed last passes when it is sent again, and moves nothing.",
			Check: func(e *Env) {
				token, rate := stores.NewToken(), e.smooth(e.Key("a"), 1, 4)
				e.wantEntered(token, rate)
				e.wantEntered(token, rate)
				e.Advance(2)
				e.wantEntered(token, rate)
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, rate)
				e.Advance(3)
				e.wantPassed(1, rate)
			},
		},
		{
			Name:        "rate/every key ends",
			Explanation: "What a rate keeps ends when nothing of it counts any more.",
			Check: func(e *Env) {
				rates := []stores.Entry{e.rate(e.Key("a"), 5, 2), e.smooth(e.Key("b"), 5, 2)}
				for _, rate := range rates {
					e.wantPassed(1, rate)
					e.wantTaken(rate.Key)
				}
				e.Advance(3)
				for _, rate := range rates {
					e.wantFree(rate.Key)
				}
			},
		},
		{
			Name:        "rate/remembered for longer",
			Explanation: "Calls are remembered for the TTL: a longer window asked later finds them.",
			Check: func(e *Env) {
				short, long := e.rate(e.Key("a"), 1, 2), e.rate(e.Key("a"), 2, 20)
				rates := e.remembered(20, short, long)
				e.wantEntered(stores.NewToken(), rates[0])
				e.Advance(3)
				e.wantEntered(stores.NewToken(), rates[0])
				e.wantRefusedFor(stores.NewToken(), 0, "", 2, rates[0]) // the older call is in no window of its own
				e.wantRefusedFor(stores.NewToken(), 0, "", 17, rates[1])
			},
		},
		{
			Name:        "rate/foreign value",
			Explanation: "A value that is none of the rate's kind gives ErrForeignValue, or is stepped over; it is left as it is. What keeps no log is foreign to a window.",
			Check: func(e *Env) {
				for _, rate := range []stores.Entry{e.rate(e.Key("a"), 3, 10), e.smooth(e.Key("b"), 3, 10)} {
					token := stores.NewToken()
					e.set(rate.Key, stores.ValueProcessing, 10)
					e.wantForeign(token, rate)
					e.wantExtend(token, []stores.Entry{rate}, stores.OutcomeDone)
					e.wantLeave(token, do(stores.PartRelease, rate), stores.OutcomeDone)
					e.takeBack(token, rate)
					e.wantValue(rate.Key, stores.ValueProcessing)
				}
				e.wantPassed(1, e.rate(e.Key("log"), 3, 10))
				e.wantForeign(stores.NewToken(), e.smooth(e.Key("log"), 3, 10))
				e.wantPassed(1, e.smooth(e.Key("pace"), 3, 10))
				e.wantForeign(stores.NewToken(), e.rate(e.Key("pace"), 3, 10))
			},
		},
		{
			Name:        "rate/foreign value in a group",
			Explanation: "An error of one rate that is not stepped over comes before any refusal of its group, and nothing of the group counts; one that is stepped over leaves the others to count.",
			Check: func(e *Env) {
				one, bad, full := e.rate(e.Key("one"), 1, 10), e.rate(e.Key("bad"), 1, 10), e.rate(e.Key("full"), 1, 10)
				e.set(bad.Key, "theirs", 20)
				e.wantEntryError(stores.NewToken(), 1, stores.ErrForeignValue, one, bad)
				e.wantPassed(1, full)
				e.wantEntryError(stores.NewToken(), 1, stores.ErrForeignValue, full, bad, one)
				bad.StepOver = true
				for _, entries := range [][]stores.Entry{{one, bad, full}, {one, bad}} {
					got, ok := e.enter(stores.NewToken(), 0, entries)
					if ok && (len(got.SteppedOver) != 1 || got.SteppedOver[0].At != 1) {
						e.Failf("got %s, want entry 1 stepped over", describe(got))
					}
				}
				e.wantRefused(stores.NewToken(), 0, "", one) // it has counted once, without the full one
				e.wantValue(bad.Key, "theirs")
			},
		},
		{
			Name:        "rate/huge",
			Explanation: "Huge limits and periods work and are never unlimited.",
			Check: func(e *Env) {
				for i, pace := range []stores.Pace{stores.PaceWindow, stores.PaceSmooth} {
					once := e.rate(e.Key("once"+string(rune('a'+i))), 1, 1)
					once.Rate.Per, once.Rate.Pace, once.TTL = century, pace, century
					e.wantPassed(1, once)
					e.wantRefused(stores.NewToken(), 0, "", once)
					often := e.rate(e.Key("often"+string(rune('a'+i))), math.MaxInt64, 1)
					often.Rate.Pace = pace
					e.wantPassed(1, often)
				}
				short := e.rate(e.Key("short"), 1, 1)
				short.Rate.Per, short.TTL = time.Millisecond, time.Millisecond
				e.wantPassed(1, short)
				e.Advance(1)
				e.wantPassed(1, short)
			},
		},
		{
			Name:        "rate/many",
			Explanation: "A limit of hundreds holds as exactly as a small one, and every call is found again.",
			Check: func(e *Env) {
				const many = 300
				rate, tokens := e.rate(e.Key("a"), many, 100), make([]stores.Token, many)
				for i := range tokens {
					tokens[i] = stores.NewToken()
					e.wantEntered(tokens[i], rate)
				}
				for i := 0; i < many; i += 7 {
					e.wantEntered(tokens[i], rate)
				}
				e.wantRefused(stores.NewToken(), 0, "", rate)
				for i := 0; i < many; i += 30 {
					e.guards.TakeBack(tokens[i], []stores.Entry{rate})
				}
				e.settle()
				e.wantPassed(many/30, rate)
				e.wantRefused(stores.NewToken(), 0, "", rate)
			},
		},
	})
}
