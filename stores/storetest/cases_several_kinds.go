package storetest

import (
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

var everyKind = []stores.Kind{stores.KindLock, stores.KindPlace, stores.KindRate, stores.KindBreaker}

// all are the guards of one run, in the order in which tasks have them.
func (e *Env) all(name string) []stores.Entry {
	return []stores.Entry{
		e.rate(e.Key(name+"rate"), 3, 50), e.smooth(e.Key(name+"pace"), 1_000_000, 10), e.circuit(e.Key(name+"circuit"), 1),
		e.place(e.Key(name+"place"), 50, 1), e.lock(e.Key(name+"lock"), 50), e.claim(e.Key(name+"claim"), 50),
	}
}

func severalKindsCases() []Case {
	return kinds(everyKind, []Case{
		{
			Name:        "several/kinds",
			Explanation: "One Enter takes entries of all kinds, one Extend renews them, one Leave leaves them, each with its part; what is given up is free again.",
			Check: func(e *Env) {
				token, entries := stores.NewToken(), e.all("")
				done := []stores.Outcome{stores.OutcomeDone, stores.OutcomeDone, stores.OutcomeDone, stores.OutcomeDone, stores.OutcomeDone, stores.OutcomeDone}
				e.wantEntered(token, entries...)
				e.wantExtend(token, entries, done...)
				parts := do(stores.PartRelease, entries...)
				parts[2].Part, parts[5].Part = stores.PartSuccess, stores.PartComplete
				e.wantLeave(token, parts, done...)
				e.wantEntered(stores.NewToken(), entries[2:5]...)
				e.wantRefused(stores.NewToken(), 0, stores.ValueCompleted, entries[5])
			},
		},
		{
			Name:        "several/kinds refused",
			Explanation: "A refusal gives back, of all kinds, what the token holds: claim, lock, place and probe. A rate's count stays.",
			Check: func(e *Env) {
				for at := 2; at <= 6; at++ {
					name := string(rune('a' + at))
					token, entries := stores.NewToken(), e.all(name)
					last := e.claim(e.Key(name+"last"), 50)
					entries = append(entries, last)
					blocker := entries[at]
					want := ""
					switch blocker.Kind {
					case stores.KindBreaker:
						e.opened(blocker)
						want = "open"
					case stores.KindClaim:
						want = stores.ValueProcessing
						fallthrough
					default:
						e.wantEntered(stores.NewToken(), blocker)
					}
					e.wantRefused(token, at, want, entries...)
					for i := 3; i < len(entries); i++ {
						if i != at {
							e.wantFree(entries[i].Key)
						}
					}
					e.wantPassed(2, entries[0])
					e.wantRefused(stores.NewToken(), 0, "", entries[0])
				}
			},
		},
		{
			Name:        "several/kinds sent again",
			Explanation: "An Enter that is sent again takes nothing twice, of whatever kind.",
			Check: func(e *Env) {
				token, entries := stores.NewToken(), e.all("")
				for range 3 {
					e.wantEntered(token, entries...)
				}
				e.wantPassed(2, entries[0])
				e.wantRefused(stores.NewToken(), 0, "", entries[0])
				e.wantLeave(token, do(stores.PartRelease, entries[3:]...), stores.OutcomeDone, stores.OutcomeDone, stores.OutcomeDone)
				e.wantEntered(stores.NewToken(), entries[3:]...)
			},
		},
		{
			Name:        "several/kinds taken back",
			Explanation: "TakeBack gives back what an Enter without an answer took, of all kinds, and takes its call out of the rate.",
			Check: func(e *Env) {
				token, entries := stores.NewToken(), e.all("")
				e.wantEntered(token, entries...)
				e.takeBack(token, entries...)
				for _, entry := range entries[3:] {
					e.wantFree(entry.Key)
				}
				e.wantPassed(3, entries[0])
			},
		},
		{
			Name:        "several/waiting among kinds",
			Explanation: "While a lock is awaited, what lies before it stays taken and is neither asked nor counted again.",
			Check: func(e *Env) {
				token, other, entries := stores.NewToken(), stores.NewToken(), e.all("")
				entries[4].Wait = true
				e.wantEntered(other, entries[4])
				e.wantWaiting(token, 0, 4, 50, entries...)
				for range 4 {
					e.wantWaiting(token, 4, 4, 50, entries...)
				}
				e.wantRefused(stores.NewToken(), 0, "", entries[3])
				e.wantPassed(2, entries[0])
				e.wantAbsent(entries[5].Key)
				entries[4].Wait = false
				e.wantRefusedFrom(token, 4, 4, "", entries...)
				e.wantFree(entries[3].Key)
				e.wantRefused(stores.NewToken(), 0, "", entries[0])
			},
		},
		{
			Name:        "several/kinds at one key",
			Explanation: "A key of one kind is foreign to every other one but a lock's, for which it is held by somebody. Only what a store keeps in one form, tokens by instants, it need not tell apart.",
			Check: func(e *Env) {
				entries := e.all("")
				token := stores.NewToken()
				admitted := append([]stores.Entry{}, entries...)
				e.wantEntered(token, admitted...)
				e.wantTold(token, admitted[2], stores.PartFailure, stores.OutcomeDone, stores.BreakerOpen)
				for i, holder := range entries {
					for j, asked := range entries {
						if i == j || alike(holder) && alike(asked) {
							continue
						}
						asked.Key = holder.Key
						if asked.Kind == stores.KindLock {
							e.wantRefused(stores.NewToken(), 0, "", asked)
							continue
						}
						e.wantEntryError(stores.NewToken(), 0, stores.ErrForeignValue, asked)
					}
				}
			},
		},
	})
}

// alike tells whether an entry is kept as tokens by their instants.
func alike(e stores.Entry) bool {
	return e.Kind == stores.KindPlace || e.Kind == stores.KindRate && e.Rate.Pace == stores.PaceWindow
}

func malformedRuleCases() []Case {
	return kinds(everyKind, []Case{
		{
			Name:        "malformed/rule",
			Explanation: "A rule that is missing or out of bounds gives VerdictError with a *RuleError whatever StepOver says, before anything is taken; Extend and Leave answer OutcomeError.",
			Check: func(e *Env) {
				for i, bad := range e.badRules() {
					token, good := stores.NewToken(), e.claim(e.Key("good"), 10)
					bad.StepOver = true
					got, ok := e.enter(token, 0, []stores.Entry{good, bad})
					if ok && (got.Verdict != stores.VerdictError || got.At != 1) {
						e.Failf("rule %d: got %s, want an error at 1", i, describe(got))
					}
					e.wantRuleError("Enter", got.Err)
					e.wantAbsent(good.Key)
					e.wantExtend(token, []stores.Entry{bad}, stores.OutcomeError)
					e.wantLeave(token, do(stores.PartRelease, bad), stores.OutcomeError)
					e.takeBack(token, bad)
					e.wantFree(bad.Key)
				}
			},
		},
		{
			Name:        "malformed/ttl of every kind",
			Explanation: "A TTL that is not positive gives VerdictError with a *TTLError for every kind, before anything is taken.",
			Check: func(e *Env) {
				for _, bad := range e.all("") {
					bad.TTL, bad.StepOver = 0, true
					good := e.claim(e.Key("good"), 10)
					got, ok := e.enter(stores.NewToken(), 0, []stores.Entry{good, bad})
					if ok && (got.Verdict != stores.VerdictError || got.At != 1) {
						e.Failf("%s: got %s, want an error at 1", bad.Kind, describe(got))
					}
					e.wantTTLError("Enter", got.Err, 0)
					e.wantAbsent(good.Key)
					e.wantFree(bad.Key)
				}
			},
		},
		{
			Name:        "malformed/part of another kind",
			Explanation: "A part that a kind does not have answers OutcomeError and leaves the entry as it was.",
			Check: func(e *Env) {
				token, entries := stores.NewToken(), e.all("")
				e.wantEntered(token, entries...)
				for _, entry := range entries {
					for _, part := range []stores.Part{stores.PartComplete, stores.PartSuccess, stores.PartFailure, 255} {
						fits := part == stores.PartComplete && entry.Kind == stores.KindClaim ||
							part != 255 && part != stores.PartComplete && entry.Kind == stores.KindBreaker
						if !fits {
							answers, err := e.guards.Leave(e.ctx, token, do(part, entry))
							e.wantOutcomes("Leave", answers, err, []stores.Outcome{stores.OutcomeError})
							if len(answers) == 1 {
								e.wantError("Leave", answers[0].Err, stores.ErrUnknownPart)
							}
						}
					}
				}
				e.wantLeave(token, do(stores.PartRelease, entries[3:]...), stores.OutcomeDone, stores.OutcomeDone, stores.OutcomeDone)
			},
		},
		{
			Name:        "malformed/breaker",
			Explanation: "InspectBreaker and ResetBreaker take an entry of a breaker with a rule only, and change nothing else.",
			Check: func(e *Env) {
				breakers, ok := e.Store.(stores.Breakers)
				if !ok {
					e.Failf("%T does not implement stores.Breakers", e.Store)
					return
				}
				entries := []stores.Entry{e.claim(e.Key("a"), 10), e.lock(e.Key("a"), 10), {Kind: stores.KindBreaker, Key: e.Key("a"), TTL: e.Units(10)}}
				for _, entry := range entries {
					_, err := breakers.InspectBreaker(e.ctx, entry)
					e.wantRuleError("InspectBreaker", err)
					_, err = breakers.ResetBreaker(e.ctx, entry)
					e.wantRuleError("ResetBreaker", err)
				}
				circuit := e.circuit(e.Key("a"), 1)
				circuit.TTL = -1
				_, err := breakers.ResetBreaker(e.ctx, circuit)
				e.wantTTLError("ResetBreaker", err, -1)
				for cause, ctx := range endedContexts() {
					_, err := breakers.InspectBreaker(ctx, e.circuit(e.Key("a"), 1))
					e.wantError("InspectBreaker", err, cause)
					_, err = breakers.ResetBreaker(ctx, e.circuit(e.Key("a"), 1))
					e.wantError("ResetBreaker", err, cause)
				}
				e.wantFree(e.Key("a"))
			},
		},
	})
}

// badRules are entries whose rule no store may take.
func (e *Env) badRules() []stores.Entry {
	place, rate, circuit := e.place(e.Key("bad"), 10, 0), e.rate(e.Key("bad"), 1, 10), e.circuit(e.Key("bad"), 1)
	all := []stores.Entry{place}
	place.Limit = -1
	all = append(all, place)
	for _, rule := range []*stores.RateRule{
		nil, {Limit: 0, Per: time.Second, Pace: stores.PaceWindow}, {Limit: -1, Per: time.Second, Pace: stores.PaceSmooth},
		{Limit: 1, Pace: stores.PaceWindow}, {Limit: 1, Per: -time.Second, Pace: stores.PaceSmooth},
		{Limit: 1, Per: time.Millisecond - 1, Pace: stores.PaceWindow}, {Limit: 1, Per: time.Second}, {Limit: 1, Per: time.Second, Pace: 9},
	} {
		rate.Rate = rule
		all = append(all, rate)
	}
	for _, rule := range []*stores.BreakerRule{
		nil, {}, {Threshold: 1, Probes: 1}, {Threshold: 1, CoolOff: time.Second}, {CoolOff: time.Second, Probes: 1},
		{Threshold: -1, CoolOff: time.Second, Probes: 1}, {Threshold: 1, CoolOff: time.Second, Probes: -1},
		{FailureRate: 1.5, Window: time.Second, MinCalls: 1, CoolOff: time.Second, Probes: 1},
		{FailureRate: -0.5, Window: time.Second, MinCalls: 1, CoolOff: time.Second, Probes: 1},
		{FailureRate: 0.5, MinCalls: 1, CoolOff: time.Second, Probes: 1},
		{FailureRate: 0.5, Window: time.Second, CoolOff: time.Second, Probes: 1},
		{FailureRate: 0.5, Window: time.Second, MinCalls: 1, Threshold: 1, CoolOff: time.Second, Probes: 1},
	} {
		circuit.Breaker = rule
		all = append(all, circuit)
	}
	return all
}
