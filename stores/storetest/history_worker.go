package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// errHistoryLost is the answer to a call that was lost before it arrived.
var errHistoryLost = fmt.Errorf("storetest: planned, nothing was done: %w", stores.ErrAnswerLost)

// One of so many calls is lost.
const loseOneOf = 16

// shop is what the workers of one round share.
type shop struct {
	HistorySuite
	store   *Faulty
	history *history
	runs    atomic.Int64
	late    sync.WaitGroup
}

// work lets the workers of one round work, waits until everything has
// settled, and looks at every key once more.
func (s HistorySuite) work(e *Env, round int) *history {
	keys := make([]string, s.Keys)
	for i := range keys {
		keys[i] = e.Key(fmt.Sprint(i))
	}
	shop := &shop{HistorySuite: s, store: NewFaulty(e.guards), history: newHistory(keys)}
	var workers sync.WaitGroup
	for i := range s.Workers {
		w := &worker{shop: shop, id: i, random: s.draw(round, i)}
		workers.Go(w.work)
	}
	if s.Restart != nil {
		workers.Go(func() { shop.restart(s.draw(round, -1)) })
	}
	workers.Wait()
	shop.late.Wait()
	takenBack := shop.settling()
	e.settle()
	takenBack()
	shop.store.Heal()
	for _, key := range keys {
		shop.lookAgain(key)
	}
	return shop.history
}

// settling notes that what TakeBack began is over when the returned function
// is called. Until then each of them is a call under way.
func (s *shop) settling() (settled func()) {
	s.history.mu.Lock()
	defer s.history.mu.Unlock()
	var open []func()
	for key, calls := range s.history.calls {
		for i := range calls {
			if calls[i].Input.(historyCall).op == OpTakeBack && calls[i].Return == never {
				open = append(open, func() {
					calls := s.history.calls[key]
					calls[i].Return = s.history.order.Add(1)
					calls[i].Output = historyAnswer{
						text: stores.OutcomeDone.String(), ended: time.Since(s.history.born).Nanoseconds(),
					}
				})
			}
		}
	}
	return func() {
		s.history.mu.Lock()
		defer s.history.mu.Unlock()
		for _, end := range open {
			end()
		}
	}
}

// restart restarts once at some time of the round.
func (s *shop) restart(random *rand.Rand) {
	for range s.Steps / 4 {
		s.pause(random)
	}
	if !s.Forgets {
		s.Restart()
		return
	}
	open := make([]*openCall, 0, len(s.history.keys))
	for _, key := range s.history.keys {
		open = append(open, s.history.begin(s.Workers, key, historyCall{op: opRestart, run: nobody}))
	}
	s.Restart()
	for _, call := range open {
		call.answered(stores.OutcomeDone.String(), 0)
	}
}

// lookAgain reads a key when everything is over, and enters it. These calls
// have to be answered.
func (s *shop) lookAgain(key string) {
	last := &worker{shop: s, id: s.Workers + 1, random: rand.New(rand.NewPCG(1, 1)), certain: true}
	last.startRun(key)
	last.get(key)
	last.enter(last.mine[0])
	last.get(key)
}

// aRun is one run of a worker: a token and the key that it is for.
type aRun struct {
	token stores.Token
	id    int
	key   string
}

// worker makes one call after another.
type worker struct {
	*shop
	id      int
	random  *rand.Rand
	mine    []aRun // the latest one last
	certain bool   // nothing is lost, and no error is forgiven
}

func (w *worker) work() {
	w.startRun(w.anyKey())
	for range w.Steps {
		w.act()
		if w.random.IntN(2) == 0 {
			w.pause(w.random)
		}
	}
}

func (w *worker) anyKey() string { return w.history.keys[w.random.IntN(len(w.history.keys))] }

func (w *worker) startRun(key string) {
	w.mine = append(w.mine, aRun{token: stores.NewToken(), id: int(w.runs.Add(1)), key: key})
}

// current is the run under way, and old one that may be over, whose calls
// have to hit nobody else.
func (w *worker) current() aRun { return w.mine[len(w.mine)-1] }

func (w *worker) old() aRun {
	if w.random.IntN(3) > 0 {
		return w.current()
	}
	return w.mine[w.random.IntN(len(w.mine))]
}

// act makes one call, of the kinds that runs make more often than others.
func (w *worker) act() {
	switch n := w.random.IntN(100); {
	case n < 34:
		w.enter(w.current())
	case n < 56:
		w.leave(w.old(), stores.Part(w.random.IntN(4)))
	case n < 67:
		w.extend(w.old())
	case n < 74:
		w.takeBack()
	case n < 84:
		w.get(w.anyKey())
	case n < 92:
		w.startRun(w.anyKey())
	case n < 97:
		w.set(w.anyKey())
	default:
		w.delete(w.anyKey())
	}
}

// do makes a call that may lose its answer. ask returns the answer in words
// and the time that a refusal tells.
func (w *worker) do(key string, call historyCall, ask func(stores.Guards) (string, time.Duration, error)) {
	lost := !w.certain && w.random.IntN(loseOneOf) == 0
	if lost && w.Late && w.random.IntN(2) == 0 {
		w.history.begin(w.id, key, call).lost()
		delay := time.Duration(w.random.IntN(9)) * w.Unit / 4
		w.late.Go(func() {
			time.Sleep(delay)
			_, _, _ = ask(w.store) // nobody hears how it went
		})
		return
	}
	if lost && w.random.IntN(2) == 0 {
		w.store.Fail(call.op, 1, errHistoryLost)
	} else if lost {
		w.store.LoseAnswer(call.op, 1)
	}
	open := w.history.begin(w.id, key, call)
	text, left, err := ask(w.store)
	switch {
	case err == nil:
		open.answered(text, left)
	case w.certain || w.Restart == nil && !errors.Is(err, stores.ErrAnswerLost):
		w.history.failf("%s: unexpected error: %v", call, err)
	case !errors.Is(err, stores.ErrNotSent):
		open.lost()
	}
}

var background = context.Background()

func (w *worker) enter(run aRun) {
	ttl := w.lifetime(w.random)
	call := historyCall{op: OpEnter, run: run.id, lifetime: ttl.Nanoseconds(), lock: w.Locks}
	w.do(run.key, call, func(store stores.Guards) (string, time.Duration, error) {
		got, err := store.Enter(background, run.token, w.entry(run.key, ttl, ttl, stores.PartNone), 0)
		if got.Verdict == stores.VerdictRefused {
			return refusedText(got.State), got.RetryAfter, err
		}
		return got.Verdict.String(), 0, errors.Join(err, got.Err)
	})
}

func (w *worker) extend(run aRun) {
	ttl := w.lifetime(w.random)
	call := historyCall{op: OpExtend, run: run.id, lifetime: ttl.Nanoseconds()}
	w.do(run.key, call, func(store stores.Guards) (string, time.Duration, error) {
		return onlyAnswer(store.Extend(background, run.token, w.entry(run.key, ttl, ttl, stores.PartNone)))
	})
}

func (w *worker) leave(run aRun, part stores.Part) {
	ttl, keep := w.lifetime(w.random), w.lifetime(w.random)
	if w.Locks && part == stores.PartComplete {
		part = stores.PartRelease // a lock is never completed
	}
	call := historyCall{op: OpLeave, run: run.id, part: part, lifetime: keep.Nanoseconds()}
	w.do(run.key, call, func(store stores.Guards) (string, time.Duration, error) {
		return onlyAnswer(store.Leave(background, run.token, w.entry(run.key, ttl, keep, part)))
	})
}

// takeBack gives the current run up and begins another.
func (w *worker) takeBack() {
	run, ttl := w.current(), w.lifetime(w.random)
	open := w.history.begin(w.id, run.key, historyCall{op: OpTakeBack, run: run.id})
	w.store.TakeBack(run.token, w.entry(run.key, ttl, ttl, stores.PartNone))
	if w.Settle == nil { // the store has done it at once
		open.answered(stores.OutcomeDone.String(), 0)
	} else {
		open.lost() // until it has settled
	}
	w.startRun(w.anyKey())
}

// The verbs, as another program would use them.

func (w *worker) get(key string) {
	w.do(key, historyCall{op: OpGet, run: nobody}, func(store stores.Guards) (string, time.Duration, error) {
		value, found, err := store.Get(background, key)
		if found && value != stores.ValueProcessing && value != stores.ValueCompleted {
			value = lockText
		}
		return gotText(value, found), 0, err
	})
}

func (w *worker) set(key string) {
	value := []string{stores.ValueProcessing, stores.ValueCompleted}[w.random.IntN(2)]
	o := stores.SetOptions{TTL: w.lifetime(w.random), NX: w.random.IntN(3) > 0}
	call := historyCall{op: OpSet, run: nobody, value: value, lifetime: o.TTL.Nanoseconds(), nx: o.NX}
	w.do(key, call, func(store stores.Guards) (string, time.Duration, error) {
		stored, err := store.Set(background, key, value, o)
		return doneText(stored), 0, err
	})
}

func (w *worker) delete(key string) {
	w.do(key, historyCall{op: OpDelete, run: nobody}, func(store stores.Guards) (string, time.Duration, error) {
		deleted, err := store.Delete(background, key)
		return doneText(deleted), 0, err
	})
}

// onlyAnswer is the answer to a call with one entry.
func onlyAnswer(answers []stores.Answer, err error) (string, time.Duration, error) {
	switch {
	case err != nil:
		return "", 0, err
	case len(answers) != 1:
		return fmt.Sprintf("%d answers", len(answers)), 0, nil
	}
	return answers[0].Outcome.String(), 0, answers[0].Err
}
