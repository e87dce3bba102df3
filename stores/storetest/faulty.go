package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/cmdx-go/cmdx/stores"
)

// Always, as a number of calls, plans a fault for all calls to come.
const Always = -1

// announcements is how many calls that hang are announced when all are to.
const announcements = 1024

// ErrPlanned is the error of a planned fault that was given none.
var ErrPlanned = errors.New("storetest: this fault was planned")

// Faulty is a store that fails where a test wants it to, and that keeps a log
// of the calls. Without a planned fault it does what the store inside does.
//
// Faults of one operation happen in the order in which they were planned: the
// first n calls take the first plan of n, and so on. A plan for [Always]
// keeps those behind it from their turn until [Faulty.Heal]. TakeBack has no
// error to give: a planned failure means that it does nothing.
//
// A Faulty may be used from any number of goroutines; each planned fault
// happens to exactly as many calls as planned.
type Faulty struct {
	inner stores.Guards

	mu      sync.Mutex
	plans   [opCount][]*plan
	entries []*entryPlan
	calls   []Call
	watch   func(Call)
}

var _ stores.Breakers = (*Faulty)(nil)

// NewFaulty returns a Faulty around a store; nil stands for a new
// [stores.Memory].
func NewFaulty(inner stores.Guards) *Faulty {
	if inner == nil {
		inner = stores.NewMemory()
	}
	return &Faulty{inner: inner}
}

// manner is how a planned call fails.
type manner uint8

const (
	failBefore manner = iota
	hangBefore
	hangAfter
	loseAnswer
)

// plan is a fault for the next calls of one operation.
type plan struct {
	manner   manner
	left     int // calls; negative for all
	err      error
	announce chan Call
}

// Fail lets the next n calls of op return err without doing anything. n may
// be [Always]; 0 plans nothing. A nil err stands for [ErrPlanned].
func (f *Faulty) Fail(op Op, n int, err error) {
	if err == nil {
		err = ErrPlanned
	}
	f.plan(op, &plan{manner: failBefore, left: n, err: err})
}

// Hang lets the next n calls of op do nothing until their ctx ends, and then
// return an error that wraps ctx's cause. The channel gives each call at the
// moment it begins to hang (of [Always] the first 1,024). A call whose ctx
// never ends hangs for ever; TakeBack, which has none, is announced, returns
// at once and does nothing.
func (f *Faulty) Hang(op Op, n int) <-chan Call {
	return f.planHang(op, hangBefore, n)
}

// HangAfter is [Faulty.Hang] for calls that do what they ask for and whose
// answer never comes: the error wraps [stores.ErrAnswerLost] and ctx's cause.
func (f *Faulty) HangAfter(op Op, n int) <-chan Call {
	return f.planHang(op, hangAfter, n)
}

// LoseAnswer lets the next n calls of op do what they ask for and then return
// an error that wraps [stores.ErrAnswerLost]. n may be [Always].
func (f *Faulty) LoseAnswer(op Op, n int) {
	f.plan(op, &plan{manner: loseAnswer, left: n, err: fmt.Errorf("storetest: planned: %w", stores.ErrAnswerLost)})
}

func (f *Faulty) planHang(op Op, how manner, n int) <-chan Call {
	size := n
	if n < 0 || n > announcements {
		size = announcements
	}
	announce := make(chan Call, size)
	f.plan(op, &plan{manner: how, left: n, announce: announce})
	return announce
}

func (f *Faulty) plan(op Op, p *plan) {
	if op >= opCount || p.left == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plans[op] = append(f.plans[op], p)
}

// Heal forgets all planned faults of these operations; of all operations when
// none is named. Calls that hang go on hanging.
func (f *Faulty) Heal(ops ...Op) {
	f.mu.Lock()
	defer f.mu.Unlock()
	healed := func(op Op) bool { return len(ops) == 0 || slices.Contains(ops, op) }
	for op := range opCount {
		if healed(op) {
			f.plans[op] = nil
		}
	}
	f.entries = slices.DeleteFunc(f.entries, func(p *entryPlan) bool { return healed(p.op) })
}

// Pending returns how many planned faults have not happened yet, those for
// [Always] not counted: 0 at the end of a test shows that it met them all.
func (f *Faulty) Pending() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	pending := 0
	for op := range opCount {
		for _, p := range f.plans[op] {
			pending += max(p.left, 0)
		}
	}
	for _, p := range f.entries {
		pending += max(p.left, 0)
	}
	return pending
}

// perform notes a call and does its deed, or what is planned instead. The
// deed's results count only when perform returns nil.
func (f *Faulty) perform(ctx context.Context, call Call, deed func() error) error {
	p := f.note(call)
	if p == nil {
		return deed()
	}
	switch p.manner {
	case hangBefore:
		p.announceCall(call)
		<-ctx.Done()
		return fmt.Errorf("storetest: planned: hung until the context ended: %w", context.Cause(ctx))
	case hangAfter:
		_ = deed() // nobody hears how it went
		p.announceCall(call)
		<-ctx.Done()
		return fmt.Errorf("storetest: planned: hung until the context ended: %w: %w", stores.ErrAnswerLost, context.Cause(ctx))
	case loseAnswer:
		_ = deed()
	}
	return p.err
}

// note logs a call and takes the fault that is planned for it; nil for none.
func (f *Faulty) note(call Call) *plan {
	f.mu.Lock()
	f.calls = append(f.calls, call)
	watch := f.watch
	var taken *plan
	if waiting := f.plans[call.Op]; len(waiting) > 0 {
		taken = waiting[0]
		if taken.left > 0 {
			taken.left--
		}
		if taken.left == 0 {
			f.plans[call.Op] = waiting[1:]
		}
	}
	f.mu.Unlock()
	if watch != nil {
		watch(call)
	}
	return taken
}

func (p *plan) announceCall(call Call) {
	select {
	case p.announce <- call:
	default: // more than announcements: nobody waits for these
	}
}
