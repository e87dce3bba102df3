package retry

import (
	"cmp"
	"strconv"
	"time"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Merge lays child over o: what the child says wins, what it does not say is
// inherited. Neither value changes.
func (o Options) Merge(child Options) Options {
	return Options{
		Limit:    cmp.Or(child.Limit, o.Limit),
		Delay:    cmp.Or(child.Delay, o.Delay),
		MaxDelay: cmp.Or(child.MaxDelay, o.MaxDelay),
		Jitter:   orJitter(child.Jitter, o.Jitter),
		If:       run.OrGate(child.If, o.If),
		Unless:   run.OrGate(child.Unless, o.Unless),
	}
}

func orJitter(child, parent Jitter) Jitter {
	if child != nil {
		return child
	}
	return parent
}

// WithDefaults fills in what nobody said. NoRetries, NoDelay and NoMaxDelay
// stay as they are.
func (o Options) WithDefaults() Options {
	return Options{
		Limit: DefaultLimit, Delay: DefaultDelay, MaxDelay: DefaultMaxDelay,
		Jitter: NoJitter, If: run.Always, Unless: run.Never,
	}.Merge(o)
}

// Validate tells what is wrong with options as they were written; nil for
// nothing.
func (o Options) Validate() []run.Problem {
	var problems []run.Problem
	add := func(text, fix string) { problems = append(problems, run.Problem{Text: text, Fix: fix}) }
	if o.Limit < 0 && o.Limit != NoRetries {
		add("Limit is "+strconv.Itoa(o.Limit), "Write how many retries may follow the first try, NoRetries for none, or leave Limit out to inherit it.")
	}
	duration := func(field string, d, none time.Duration, noneName string) {
		if d < 0 && d != none {
			add(field+" is "+d.String(), "Write a positive duration, "+noneName+" for none, or leave "+field+" out to inherit it.")
		}
	}
	duration("Delay", o.Delay, NoDelay, "NoDelay")
	duration("MaxDelay", o.MaxDelay, NoMaxDelay, "NoMaxDelay")
	gate := func(field string, g run.Gate) {
		if e, ok := g.(interface{ missing() bool }); ok && e.missing() {
			add(field+" is a WhenError gate without a function", "Give WhenError a method expression or a function, such as WhenError((*ChargeCustomer).WorthAnotherTry).")
		}
	}
	gate("If", o.If)
	gate("Unless", o.Unless)
	return problems
}
