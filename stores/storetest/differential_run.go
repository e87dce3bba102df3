package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// run makes the calls of a script and returns an answer each; nil when the
// store was too slow for the unit. A counted clock is the store's own.
func (s script) run(e *Env, counted bool) []string {
	r := &scriptRun{env: e, clock: &clock{env: e, born: time.Now(), counted: counted}}
	for i := range r.tokens {
		r.tokens[i] = stores.NewToken()
	}
	answers := make([]string, len(s))
	for i, step := range s {
		r.clock.wait(step.wait)
		answers[i] = r.do(step)
		if r.clock.late() {
			return nil
		}
	}
	return answers
}

type scriptRun struct {
	env    *Env
	clock  *clock
	tokens [scriptRuns]stores.Token
	passed [scriptRuns][allKeys]stores.Admission
}

// do makes one call and tells its answer; a panic is one too.
func (r *scriptRun) do(step scriptStep) (answer string) {
	defer func() {
		if p := recover(); p != nil {
			answer = "panicked"
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if step.ended {
		cancel()
	}
	if step.op < OpEnter {
		return r.verb(ctx, step)
	}
	if r.env.guards == nil {
		return "no guards"
	}
	return r.guard(ctx, step)
}

func (r *scriptRun) verb(ctx context.Context, step scriptStep) string {
	key, ttl := r.key(step.key), scriptLifetime(step.ttl, r.env.Unit)
	switch step.op {
	case OpGet:
		value, found, err := r.env.Store.Get(ctx, key)
		return fmt.Sprintf("%q, found %t%s", value, found, errorKind(err))
	case OpSet:
		stored, err := r.env.Store.Set(ctx, key, step.value, stores.SetOptions{TTL: ttl, NX: step.nx, XX: step.xx})
		return fmt.Sprintf("stored %t%s", stored, errorKind(err))
	case OpIncr:
		sum, err := r.env.Store.Incr(ctx, key, ttl)
		return fmt.Sprintf("%d%s", sum, errorKind(err))
	}
	deleted, err := r.env.Store.Delete(ctx, key)
	return fmt.Sprintf("deleted %t%s", deleted, errorKind(err))
}

func (r *scriptRun) guard(ctx context.Context, step scriptStep) string {
	var token stores.Token
	if step.run != noRun {
		token = r.tokens[step.run]
	}
	entries := make([]stores.Entry, len(step.entries))
	for i, e := range step.entries {
		entries[i] = r.entry(e)
		if step.run != noRun && step.op == OpLeave {
			entries[i].Admission = r.passed[step.run][e.key]
		}
	}
	switch step.op {
	case OpEnter:
		got, err := r.env.guards.Enter(ctx, token, entries, step.from)
		return r.enteredText(got) + errorKind(err) + r.admissions(step, entries)
	case OpExtend:
		return answersText(r.env.guards.Extend(ctx, token, entries))
	case OpLeave:
		return answersText(r.env.guards.Leave(ctx, token, entries))
	}
	r.env.takeBack(token, entries...)
	if step.run != noRun { // the run is over: its token enters nothing any more
		r.tokens[step.run] = stores.NewToken()
		r.passed[step.run] = [allKeys]stores.Admission{}
	}
	return "taken back"
}

// entry makes an entry of the store's. Every rule is one that ends half a unit
// away from every step.
func (r *scriptRun) entry(e scriptEntry) stores.Entry {
	units := func(n float64) time.Duration { return scriptLifetime(n, r.env.Unit) }
	entry := stores.Entry{
		Kind: e.kind, Key: r.key(e.key), Part: e.part, StepOver: e.stepOver,
		TTL: units(e.ttl), Keep: units(e.keep), Wait: e.wait, Limit: e.limit,
	}
	switch e.key {
	case windowKey: // one to three calls in windows of one and a half to five and a half units
		entry.Rate = &stores.RateRule{Limit: e.limit, Per: units(float64(2*e.limit) - 0.5), Pace: stores.PaceWindow}
	case smoothKey:
		entry.Rate = &stores.RateRule{Limit: 1, Per: units(1.5), Pace: stores.PaceSmooth}
	case rowKey:
		entry.Breaker = &stores.BreakerRule{Threshold: 2, CoolOff: units(2.5), Probes: 1}
	case shareKey:
		entry.Breaker = &stores.BreakerRule{FailureRate: 0.5, MinCalls: 2, Window: units(3.5), CoolOff: units(1.5), Probes: 2}
	}
	return entry
}

// admissions keeps by which states a run passed, and tells it.
func (r *scriptRun) admissions(step scriptStep, entries []stores.Entry) (text string) {
	for i, e := range step.entries {
		if step.run == noRun || e.kind != stores.KindBreaker {
			continue
		}
		got := entries[i].Admission
		r.passed[step.run][e.key] = got
		text += fmt.Sprintf(", passed %+v", got)
	}
	return text
}

// scriptNames are such as a cluster has to treat in different ways.
var scriptNames = [allKeys]string{
	"plain", "{tag}", "a}b", "}{c}d",
	lockKey: "a}lock", placeKey: "place", windowKey: "{window}", smoothKey: "}{smooth}", rowKey: "row", shareKey: "sh}are",
}

func (r *scriptRun) key(i int) string { return r.env.Key(scriptNames[i]) }

// enteredText tells the time left in whole units: the ends lie half a unit
// away, so a little more or less does not show.
func (r *scriptRun) enteredText(got stores.Entered) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s at %d", got.Verdict, got.At)
	if got.State != "" || got.RetryAfter != 0 {
		fmt.Fprintf(&text, ", %q with %s left", got.State, r.leftText(got.RetryAfter))
	}
	text.WriteString(errorKind(got.Err))
	for _, over := range got.SteppedOver {
		fmt.Fprintf(&text, ", over %d%s", over.At, errorKind(over.Err))
	}
	return text.String()
}

func (r *scriptRun) leftText(left time.Duration) string {
	if units := int64(left / r.env.Unit); units < 100 {
		return fmt.Sprintf("%d units", units)
	}
	return "very many units"
}

func answersText(answers []stores.Answer, err error) string {
	all := []string{fmt.Sprint(len(answers))}
	for _, a := range answers {
		text := a.Outcome.String() + errorKind(a.Err)
		if a.Breaker != "" {
			text += " changed to " + string(a.Breaker)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ") + errorKind(err)
}

// errorKind tells which of the documented errors this is.
func errorKind(err error) string {
	if err == nil {
		return ""
	}
	if refused, ok := errors.AsType[*stores.NumberError](err); ok {
		return fmt.Sprintf(" (a number error, overflow %t)", refused.Overflow)
	}
	if _, ok := errors.AsType[*stores.TTLError](err); ok {
		return " (a ttl error)"
	}
	if _, ok := errors.AsType[*stores.RuleError](err); ok {
		return " (a rule error)"
	}
	for _, known := range []error{
		stores.ErrNoToken, stores.ErrFrom, stores.ErrUnknownKind, stores.ErrUnknownPart, stores.ErrForeignValue, context.Canceled,
	} {
		if errors.Is(err, known) {
			return fmt.Sprintf(" (%v)", known)
		}
	}
	return " (an error of another kind: " + err.Error() + ")"
}
