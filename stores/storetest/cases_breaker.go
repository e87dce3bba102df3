package storetest

import "github.com/cmdx-go/cmdx/stores"

func breakerCases() []Case {
	return kinds([]stores.Kind{stores.KindBreaker}, []Case{
		{
			Name:        "breaker/closed",
			Explanation: "A circuit that nobody has used is closed and lets every call pass; one that is only asked writes nothing, whatever is neutral either.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 2)
				for range 5 {
					token := stores.NewToken()
					admitted := e.wantAdmitted(token, circuit, stores.BreakerClosed, false)
					e.wantTold(token, admitted, stores.PartRelease, stores.OutcomeDone, "")
					e.wantTold(token, admitted, stores.PartNone, stores.OutcomeDone, "")
					e.wantExtend(token, []stores.Entry{admitted}, stores.OutcomeDone)
					e.takeBack(token, admitted)
				}
				e.wantFree(circuit.Key)
			},
		},
		{
			Name:        "breaker/opens",
			Explanation: "Exactly as many failures in a row as the threshold open the circuit; the last tells it. Open, it refuses every call with the rest of its cool-off.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 3)
				e.run(circuit, stores.PartFailure, "")
				e.run(circuit, stores.PartFailure, "")
				e.wantAdmitted(stores.NewToken(), circuit, stores.BreakerClosed, false)
				e.run(circuit, stores.PartFailure, stores.BreakerOpen)
				e.wantRefusedFor(stores.NewToken(), 0, "open", coolOff, circuit)
				e.Advance(2)
				for range 3 {
					e.wantRefusedFor(stores.NewToken(), 0, "open", coolOff-2, circuit)
				}
				e.run(e.circuit(e.Key("b"), 3), stores.PartFailure, "")
			},
		},
		{
			Name:        "breaker/a row",
			Explanation: "A success ends the row of failures, a neutral outcome does not.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 3)
				e.run(circuit, stores.PartFailure, "")
				e.run(circuit, stores.PartFailure, "")
				e.run(circuit, stores.PartSuccess, "")
				e.run(circuit, stores.PartFailure, "")
				e.run(circuit, stores.PartRelease, "")
				e.run(circuit, stores.PartFailure, "")
				e.run(circuit, stores.PartTakeBack, "")
				e.run(circuit, stores.PartFailure, stores.BreakerOpen)
			},
		},
		{
			Name:        "breaker/half open",
			Explanation: "After the cool-off the first call makes the circuit half open and says so; as many calls pass at once as there are probes, and the others are refused until the first probe is forgotten.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 1)
				circuit.Breaker.Probes = 2
				e.opened(circuit)
				e.Advance(5)
				first := e.wantAdmitted(stores.NewToken(), circuit, stores.BreakerHalfOpen, true)
				e.Advance(1)
				second := e.wantAdmitted(stores.NewToken(), circuit, stores.BreakerHalfOpen, false)
				if first.Admission.Period != second.Admission.Period {
					e.Failf("two probes are in the periods %d and %d", first.Admission.Period, second.Admission.Period)
				}
				for range 3 {
					e.wantRefusedFor(stores.NewToken(), 0, "half_open", coolOff-1, circuit)
				}
			},
		},
		{
			Name:        "breaker/three cycles",
			Explanation: "A probe's failure opens the circuit again with a new cool-off, its success closes it; then the row begins anew, as often as you like.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 2)
				for range 3 {
					e.opened(circuit)
					e.Advance(5)
					e.run(circuit, stores.PartFailure, stores.BreakerOpen)
					e.wantRefusedFor(stores.NewToken(), 0, "open", coolOff, circuit)
					e.Advance(5)
					e.run(circuit, stores.PartSuccess, stores.BreakerClosed)
					e.wantAdmitted(stores.NewToken(), circuit, stores.BreakerClosed, false)
				}
			},
		},
		{
			Name:        "breaker/older periods",
			Explanation: "An outcome counts only in the period in which the call passed: later it is lost and changes nothing, in every state.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 2)
				late := make([]stores.Token, 6)
				admitted := make([]stores.Entry, len(late))
				for i := range late {
					late[i] = stores.NewToken()
					admitted[i] = e.passed(late[i], circuit)
				}
				tooLate := func(i int) {
					e.wantTold(late[i], admitted[i], stores.PartSuccess, stores.OutcomeLost, "")
					e.wantTold(late[i+1], admitted[i+1], stores.PartFailure, stores.OutcomeLost, "")
				}
				e.opened(circuit)
				tooLate(0)
				e.wantRefusedFor(stores.NewToken(), 0, "open", coolOff, circuit)
				e.Advance(5)
				probe := stores.NewToken()
				probed := e.wantAdmitted(probe, circuit, stores.BreakerHalfOpen, true)
				tooLate(2)
				e.wantRefused(stores.NewToken(), 0, "half_open", circuit)
				e.wantTold(probe, probed, stores.PartSuccess, stores.OutcomeDone, stores.BreakerClosed)
				tooLate(4)
				e.run(circuit, stores.PartFailure, "") // the first of two
				e.run(circuit, stores.PartFailure, stores.BreakerOpen)
			},
		},
		{
			Name:        "breaker/a probe is forgotten",
			Explanation: "A probe whose run died frees its place after the cool-off, and its outcome counts no more.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 1)
				e.opened(circuit)
				e.Advance(5)
				dead := stores.NewToken()
				admitted := e.wantAdmitted(dead, circuit, stores.BreakerHalfOpen, true)
				e.wantRefusedFor(stores.NewToken(), 0, "half_open", coolOff, circuit)
				e.Advance(5)
				for _, part := range []stores.Part{stores.PartSuccess, stores.PartFailure} {
					e.wantTold(dead, admitted, part, stores.OutcomeLost, "")
				}
				e.wantAdmitted(stores.NewToken(), circuit, stores.BreakerHalfOpen, false)
				e.wantTold(dead, admitted, stores.PartRelease, stores.OutcomeDone, "")
				e.wantRefused(stores.NewToken(), 0, "half_open", circuit)
			},
		},
		{
			Name:        "breaker/a probe is freed",
			Explanation: "A neutral outcome, a refusal further in and TakeBack free the token's probe at once and change no state.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 1)
				e.opened(circuit)
				held := e.claim(e.Key("held"), 100)
				e.wantEntered(stores.NewToken(), held)
				e.Advance(5)
				// The change is told although an entry behind refused.
				entries := []stores.Entry{circuit, held}
				if got, ok := e.enter(stores.NewToken(), 0, entries); ok && (got.Verdict != stores.VerdictRefused || got.At != 1) {
					e.Failf("got %s, want refused at 1", describe(got))
				}
				if got := entries[0].Admission; !got.Changed || got.State != stores.BreakerHalfOpen {
					e.Failf("admitted %+v, want a change to half open", got)
				}
				for _, part := range []stores.Part{stores.PartRelease, stores.PartTakeBack} {
					token := stores.NewToken()
					admitted := e.wantAdmitted(token, circuit, stores.BreakerHalfOpen, false)
					e.wantTold(stores.NewToken(), admitted, part, stores.OutcomeDone, "")
					e.wantRefused(stores.NewToken(), 0, "half_open", circuit)
					e.wantTold(token, admitted, part, stores.OutcomeDone, "")
					e.wantTold(token, admitted, part, stores.OutcomeDone, "")
					e.wantTold(token, admitted, stores.PartSuccess, stores.OutcomeLost, "")
				}
				token := stores.NewToken()
				admitted := e.wantAdmitted(token, circuit, stores.BreakerHalfOpen, false)
				e.takeBack(token, admitted)
				e.run(circuit, stores.PartSuccess, stores.BreakerClosed)
			},
		},
		{
			Name:        "breaker/a probe sent again",
			Explanation: "A run that holds a probe passes again, holds no second one, and tells its change again.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 1)
				circuit.Breaker.Probes = 2
				e.opened(circuit)
				e.Advance(5)
				first, second := stores.NewToken(), stores.NewToken()
				for range 3 {
					e.wantAdmitted(first, circuit, stores.BreakerHalfOpen, true)
				}
				for range 3 {
					e.wantAdmitted(second, circuit, stores.BreakerHalfOpen, false)
					e.wantAdmitted(first, circuit, stores.BreakerHalfOpen, true)
				}
				e.wantRefused(stores.NewToken(), 0, "half_open", circuit)
			},
		},
		{
			Name:        "breaker/sent again",
			Explanation: "An outcome counts once per token. Sent again it is done, and tells its change again.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 2)
				first, last := stores.NewToken(), stores.NewToken()
				once, twice := e.passed(first, circuit), e.passed(last, circuit)
				for range 3 {
					e.wantTold(first, once, stores.PartFailure, stores.OutcomeDone, "")
				}
				for range 3 {
					e.wantTold(last, twice, stores.PartFailure, stores.OutcomeDone, stores.BreakerOpen)
				}
				e.wantTold(first, once, stores.PartFailure, stores.OutcomeLost, "")
				e.Advance(5)
				for _, change := range []struct {
					part stores.Part
					to   stores.BreakerState
				}{{stores.PartFailure, stores.BreakerOpen}, {stores.PartSuccess, stores.BreakerClosed}} {
					token := stores.NewToken()
					admitted := e.passed(token, circuit)
					for range 3 {
						e.wantTold(token, admitted, change.part, stores.OutcomeDone, change.to)
					}
					e.Advance(5)
				}
				e.opened(circuit)
			},
		},
		{
			Name:        "breaker/a success sent again",
			Explanation: "A success that is sent again does not end a later row of failures, nor does a failure that was in an earlier row count again.",
			Check: func(e *Env) {
				for name, before := range map[string]int{"unused": 0, "used": 2} {
					circuit := e.circuit(e.Key(name), 3)
					failed, passed := stores.NewToken(), stores.NewToken()
					failure, success := e.passed(failed, circuit), e.passed(passed, circuit)
					for i := range before {
						if i == 0 {
							e.wantTold(failed, failure, stores.PartFailure, stores.OutcomeDone, "")
							continue
						}
						e.run(circuit, stores.PartFailure, "")
					}
					e.wantTold(passed, success, stores.PartSuccess, stores.OutcomeDone, "")
					e.run(circuit, stores.PartFailure, "")
					e.wantTold(passed, success, stores.PartSuccess, stores.OutcomeDone, "")
					if before > 0 {
						e.wantTold(failed, failure, stores.PartFailure, stores.OutcomeDone, "")
					}
					e.run(circuit, stores.PartFailure, "")
					e.wantTold(passed, success, stores.PartSuccess, stores.OutcomeDone, "")
					e.run(circuit, stores.PartFailure, stores.BreakerOpen)
				}
			},
		},
		{
			Name:        "breaker/share",
			Explanation: "A failure rate opens the circuit as soon as, with enough calls in the window, that share failed: not before, and by whichever outcome completes it.",
			Check: func(e *Env) {
				few := e.share(e.Key("few"), 0.5, 4, 10)
				for range 3 {
					e.run(few, stores.PartFailure, "")
				}
				e.run(few, stores.PartSuccess, stores.BreakerOpen)
				e.wantRefusedFor(stores.NewToken(), 0, "open", coolOff, few)
				half := e.share(e.Key("half"), 0.5, 4, 10)
				for _, part := range []stores.Part{stores.PartSuccess, stores.PartFailure, stores.PartSuccess, stores.PartRelease, stores.PartSuccess, stores.PartFailure} {
					e.run(half, part, "")
				}
				e.run(half, stores.PartFailure, stores.BreakerOpen)
				all := e.share(e.Key("all"), 1, 2, 10)
				e.run(all, stores.PartFailure, "")
				e.run(all, stores.PartFailure, stores.BreakerOpen)
				exact := e.share(e.Key("exact"), 0.07, 100, 50)
				for i := range 99 {
					part := stores.PartSuccess
					if i%16 == 0 { // 7 in all
						part = stores.PartFailure
					}
					e.run(exact, part, "")
				}
				e.run(exact, stores.PartSuccess, stores.BreakerOpen)
			},
		},
		{
			Name:        "breaker/share in a window",
			Explanation: "Only the outcomes of the last window count towards a failure rate, each once.",
			Check: func(e *Env) {
				circuit := e.share(e.Key("a"), 0.5, 3, 4)
				e.run(circuit, stores.PartFailure, "")
				e.run(circuit, stores.PartFailure, "")
				e.Advance(5)
				token := stores.NewToken()
				admitted := e.passed(token, circuit)
				for range 3 {
					e.wantTold(token, admitted, stores.PartFailure, stores.OutcomeDone, "")
				}
				e.run(circuit, stores.PartFailure, "")
				e.wantReport(circuit, stores.BreakerReport{State: stores.BreakerClosed, Failures: 2, Calls: 2})
				e.run(circuit, stores.PartSuccess, stores.BreakerOpen)
				e.Advance(5)
				e.run(circuit, stores.PartSuccess, stores.BreakerClosed)
				e.wantReport(circuit, stores.BreakerReport{State: stores.BreakerClosed})
			},
		},
		{
			Name:        "breaker/forgotten",
			Explanation: "A circuit that nobody uses is forgotten after its TTL; an open one not before its cool-off and the TTL are over.",
			Check: func(e *Env) {
				failing, open := e.circuit(e.Key("failing"), 2), e.circuit(e.Key("open"), 1)
				failing.TTL, open.TTL = e.Units(3), e.Units(3)
				e.run(failing, stores.PartFailure, "")
				e.opened(open)
				e.Advance(3.5)
				e.wantFree(failing.Key)
				e.run(failing, stores.PartFailure, "")
				e.wantRefusedFor(stores.NewToken(), 0, "open", 0.5, open)
				e.Advance(2.5)
				e.wantTaken(open.Key)
				e.Advance(2)
				e.wantFree(open.Key)
				e.wantAdmitted(stores.NewToken(), open, stores.BreakerClosed, false)
			},
		},
		{
			Name:        "breaker/inspect",
			Explanation: "InspectBreaker tells state, failures, probes and the rest of the cool-off, and changes nothing: an open circuit whose cool-off is over reads open.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 2)
				e.wantReport(circuit, stores.BreakerReport{State: stores.BreakerClosed})
				e.wantFree(circuit.Key)
				e.run(circuit, stores.PartFailure, "")
				e.wantReport(circuit, stores.BreakerReport{State: stores.BreakerClosed, Failures: 1})
				e.run(circuit, stores.PartFailure, stores.BreakerOpen)
				e.wantReport(circuit, stores.BreakerReport{State: stores.BreakerOpen, RetryAfter: e.Units(coolOff)})
				e.Advance(5)
				for range 3 {
					e.wantReport(circuit, stores.BreakerReport{State: stores.BreakerOpen})
				}
				token := stores.NewToken()
				admitted := e.wantAdmitted(token, circuit, stores.BreakerHalfOpen, true)
				e.wantReport(circuit, stores.BreakerReport{State: stores.BreakerHalfOpen, Probes: 1})
				e.Advance(5)
				e.wantReport(circuit, stores.BreakerReport{State: stores.BreakerHalfOpen})
				e.wantTold(token, admitted, stores.PartSuccess, stores.OutcomeLost, "")
			},
		},
		{
			Name:        "breaker/reset",
			Explanation: "ResetBreaker closes a circuit, forgets all failures and what is under way, and tells whether it was not closed.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 2)
				late := stores.NewToken()
				e.wantReset(circuit, false)
				underWay := e.passed(late, circuit)
				e.run(circuit, stores.PartFailure, "")
				e.wantReset(circuit, false)
				e.wantTold(late, underWay, stores.PartFailure, stores.OutcomeLost, "")
				e.wantReport(circuit, stores.BreakerReport{State: stores.BreakerClosed})
				e.opened(circuit)
				e.wantReset(circuit, true)
				e.wantReset(circuit, false)
				e.opened(circuit)
				e.Advance(5)
				probe := stores.NewToken()
				probed := e.wantAdmitted(probe, circuit, stores.BreakerHalfOpen, true)
				e.wantReset(circuit, true)
				e.wantTold(probe, probed, stores.PartFailure, stores.OutcomeLost, "")
				e.wantAdmitted(stores.NewToken(), circuit, stores.BreakerClosed, false)
				fresh, other := e.circuit(e.Key("fresh"), 1), stores.NewToken()
				underWay = e.passed(other, fresh)
				e.wantReset(fresh, false)
				e.wantTold(other, underWay, stores.PartFailure, stores.OutcomeLost, "")
			},
		},
		{
			Name:        "breaker/foreign value",
			Explanation: "A value that is none of a circuit gives ErrForeignValue, or is stepped over; it is never changed, and what is told counts nowhere.",
			Check: func(e *Env) {
				token, circuit := stores.NewToken(), e.circuit(e.Key("a"), 1)
				admitted := e.passed(token, circuit)
				e.set(circuit.Key, "closed", 10)
				e.wantForeign(stores.NewToken(), circuit)
				for _, part := range []stores.Part{stores.PartSuccess, stores.PartFailure} {
					e.wantTold(token, admitted, part, stores.OutcomeLost, "")
				}
				e.wantTold(token, admitted, stores.PartRelease, stores.OutcomeDone, "")
				e.takeBack(token, admitted)
				if breakers, ok := e.Store.(stores.Breakers); ok {
					_, err := breakers.InspectBreaker(e.ctx, circuit)
					e.wantError("InspectBreaker", err, stores.ErrForeignValue)
					_, err = breakers.ResetBreaker(e.ctx, circuit)
					e.wantError("ResetBreaker", err, stores.ErrForeignValue)
				}
				e.wantValue(circuit.Key, "closed")
			},
		},
		{
			Name:        "breaker/not admitted",
			Explanation: "An outcome of a call that no circuit has let pass counts nowhere.",
			Check: func(e *Env) {
				circuit := e.circuit(e.Key("a"), 1)
				for _, admission := range []stores.Admission{{}, {Period: 3, State: stores.BreakerClosed}, {State: stores.BreakerHalfOpen}, {State: stores.BreakerOpen}} {
					circuit.Admission = admission
					for _, part := range []stores.Part{stores.PartSuccess, stores.PartFailure} {
						e.wantTold(stores.NewToken(), circuit, part, stores.OutcomeLost, "")
					}
				}
				e.wantFree(circuit.Key)
			},
		},
	})
}
