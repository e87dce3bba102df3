package storetest

import (
	"context"
	"slices"

	"github.com/cmdx-go/cmdx/stores"
)

// entryPlan is an error of one key's own.
type entryPlan struct {
	op   Op
	key  string
	left int
	err  error
}

// FailEntry lets the next n times that an entry of key is reached by op give
// err as the entry's own error, the others of the call not touched by it:
// [stores.VerdictError] or a step over it for [OpEnter], [stores.OutcomeError]
// for [OpExtend] and for [OpLeave] with any part but none. n may be [Always].
// A nil err stands for [ErrPlanned]. Other operations have no entry errors:
// for them nothing is planned.
func (f *Faulty) FailEntry(op Op, key string, n int, err error) {
	if n == 0 || op != OpEnter && op != OpExtend && op != OpLeave {
		return
	}
	if err == nil {
		err = ErrPlanned
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entries = append(f.entries, &entryPlan{op: op, key: key, left: n, err: err})
}

// entryFault takes the fault that is planned for an entry; nil for none.
func (f *Faulty) entryFault(op Op, key string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := f.plannedEntry(op, key)
	if i < 0 {
		return nil
	}
	p := f.entries[i]
	if p.left > 0 {
		p.left--
	}
	if p.left == 0 {
		f.entries = slices.Delete(f.entries, i, i+1)
	}
	return p.err
}

// plannedEntry finds the plan for an entry; the lock is held.
func (f *Faulty) plannedEntry(op Op, key string) int {
	return slices.IndexFunc(f.entries, func(p *entryPlan) bool { return p.op == op && p.key == key })
}

// nextPlanned is the index of the next entry with a planned fault, len(entries)
// when there is none.
func (f *Faulty) nextPlanned(entries []stores.Entry, from int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := max(from, 0); i < len(entries); i++ {
		if f.plannedEntry(OpEnter, entries[i].Key) >= 0 {
			return i
		}
	}
	return len(entries)
}

// enter lets the store inside take the entries between those that are planned
// to fail.
func (f *Faulty) enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	var steppedOver []stores.SteppedOver
	for {
		at := f.nextPlanned(entries, from)
		if at == len(entries) {
			got, err := f.inner.Enter(ctx, token, entries, from)
			got.SteppedOver = append(steppedOver, got.SteppedOver...)
			return got, err
		}
		got, err := f.inner.Enter(ctx, token, entries[:at], from)
		steppedOver = append(steppedOver, got.SteppedOver...)
		got.SteppedOver = steppedOver
		if err != nil || got.Verdict == stores.VerdictWaiting {
			return got, err
		}
		if got.Verdict == stores.VerdictEntered {
			planned := f.entryFault(OpEnter, entries[at].Key)
			if planned == nil { // another call has met it meanwhile
				from = at
				continue
			}
			if entries[at].StepOver {
				steppedOver = append(steppedOver, stores.SteppedOver{At: at, Err: planned})
				from = at + 1
				continue
			}
			got = stores.Entered{Verdict: stores.VerdictError, At: at, Err: planned, SteppedOver: steppedOver}
		}
		_, err = f.inner.Leave(context.WithoutCancel(ctx), token, do(stores.PartRelease, entries...))
		return got, err
	}
}

// extend extends the entries that are not planned to fail.
func (f *Faulty) extend(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	answers := make([]stores.Answer, len(entries))
	var rest []stores.Entry
	var places []int
	for i, entry := range entries {
		if planned := f.entryFault(OpExtend, entry.Key); planned != nil {
			answers[i] = stores.Answer{Outcome: stores.OutcomeError, Err: planned}
			continue
		}
		rest, places = append(rest, entry), append(places, i)
	}
	extended, err := f.inner.Extend(ctx, token, rest)
	if err != nil {
		return nil, err
	}
	for i, answer := range extended {
		answers[places[i]] = answer
	}
	return answers, nil
}

// leave leaves the entries that are not planned to fail, without a part for
// the others.
func (f *Faulty) leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	entries = slices.Clone(entries)
	failed := make([]error, len(entries))
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Part == stores.PartNone {
			continue
		}
		if failed[i] = f.entryFault(OpLeave, entries[i].Key); failed[i] != nil {
			entries[i].Part = stores.PartNone
		}
	}
	answers, err := f.inner.Leave(ctx, token, entries)
	if err != nil {
		return nil, err
	}
	for i, planned := range failed {
		if planned != nil && i < len(answers) {
			answers[i] = stores.Answer{Outcome: stores.OutcomeError, Err: planned}
		}
	}
	return answers, nil
}
