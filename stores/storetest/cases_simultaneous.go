package storetest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/cmdx-go/cmdx/stores"
)

// crowd is how many callers come at once.
const crowd = 100

// atOnce calls f from a crowd of goroutines that start together.
func atOnce(f func(i int)) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range crowd {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			f(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// tally counts from many goroutines.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (t *tally) add(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = make(map[string]int)
	}
	t.counts[what]++
}

// want expects the counts to be these and no others.
func (t *tally) want(e *Env, counts map[string]int) {
	if fmt.Sprint(t.counts) != fmt.Sprint(counts) {
		e.Failf("%d callers at once: got %v, want %v", crowd, t.counts, counts)
	}
}

func simultaneousCases() []Case {
	return []Case{
		{
			Name:        "at once/set NX",
			Explanation: "Every method is atomic: of many Set NX at once exactly one stores.",
			Check: func(e *Env) {
				var t tally
				atOnce(func(i int) {
					stored, err := e.Store.Set(e.ctx, e.Key("a"), "one", stores.SetOptions{TTL: e.Units(100), NX: true})
					t.add(fmt.Sprintf("stored %t, error %v", stored, err))
				})
				t.want(e, map[string]int{"stored true, error <nil>": 1, "stored false, error <nil>": crowd - 1})
			},
		},
		{
			Name:        "at once/incr",
			Explanation: "Every method is atomic: many Incr at once give every sum once.",
			Check: func(e *Env) {
				sums := make([]int64, crowd)
				atOnce(func(i int) { sums[i], _ = e.Store.Incr(e.ctx, e.Key("a"), e.Units(100)) })
				slices.Sort(sums)
				for i, sum := range sums {
					if sum != int64(i+1) {
						e.Failf("got the sums %v, want 1 to %d, each once", sums, crowd)
						return
					}
				}
				e.wantValue(e.Key("a"), fmt.Sprint(crowd))
			},
		},
		{
			Name:        "at once/delete",
			Explanation: "Every method is atomic: of many Delete at once exactly one deletes.",
			Check: func(e *Env) {
				e.set(e.Key("a"), "one", 100)
				var t tally
				atOnce(func(int) {
					deleted, err := e.Store.Delete(e.ctx, e.Key("a"))
					t.add(fmt.Sprintf("deleted %t, error %v", deleted, err))
				})
				t.want(e, map[string]int{"deleted true, error <nil>": 1, "deleted false, error <nil>": crowd - 1})
			},
		},
		{
			Name:        "at once/enter",
			Explanation: "Of many runs that enter one key at once exactly one enters; the others are refused with processing.",
			NeedsGuards: true,
			Check: func(e *Env) {
				claim := e.claim(e.Key("a"), 100)
				var t tally
				atOnce(func(int) { t.add(entered(e.guards.Enter(e.ctx, stores.NewToken(), []stores.Entry{claim}, 0))) })
				t.want(e, map[string]int{"entered": 1, "refused processing": crowd - 1})
			},
		},
		{
			Name:        "at once/enter after expiry",
			Explanation: "Of many runs that find an expired claim at once exactly one enters.",
			NeedsGuards: true,
			Check: func(e *Env) {
				e.wantEntered(stores.NewToken(), e.claim(e.Key("a"), 1))
				e.Advance(2)
				claim := e.claim(e.Key("a"), 100)
				var t tally
				atOnce(func(int) { t.add(entered(e.guards.Enter(e.ctx, stores.NewToken(), []stores.Entry{claim}, 0))) })
				t.want(e, map[string]int{"entered": 1, "refused processing": crowd - 1})
			},
		},
		{
			Name:        "at once/one token",
			Explanation: "One run's Enter sent many times at once is entered each time, and Leave completes it each time.",
			NeedsGuards: true,
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 100)
				var t tally
				atOnce(func(int) { t.add(entered(e.guards.Enter(e.ctx, token, []stores.Entry{claim}, 0))) })
				t.want(e, map[string]int{"entered": crowd})
				e.wantRefused(stores.NewToken(), 0, stores.ValueProcessing, claim)
				var left tally
				atOnce(func(int) {
					answers, err := e.guards.Leave(e.ctx, token, do(stores.PartComplete, claim))
					left.add(fmt.Sprint(answers, err))
				})
				left.want(e, map[string]int{fmt.Sprint([]stores.Answer{{Outcome: stores.OutcomeDone}}, error(nil)): crowd})
			},
		},
		{
			Name:        "at once/release",
			Explanation: "Of many releases at once exactly one is done.",
			NeedsGuards: true,
			Check: func(e *Env) {
				token, claim := stores.NewToken(), e.claim(e.Key("a"), 100)
				e.wantEntered(token, claim)
				var t tally
				atOnce(func(int) {
					answers, err := e.guards.Leave(e.ctx, token, do(stores.PartRelease, claim))
					if err != nil || len(answers) != 1 {
						t.add(fmt.Sprint(answers, err))
						return
					}
					t.add(answers[0].Outcome.String())
				})
				t.want(e, map[string]int{"done": 1, "lost": crowd - 1})
			},
		},
		{
			Name:        "at once/two keys in both orders",
			Explanation: "Runs that enter the same two keys in different orders neither block each other for ever nor both enter, and those refused leave nothing behind.",
			NeedsGuards: true,
			Check: func(e *Env) {
				a, b := e.claim(e.Key("a"), 100), e.claim(e.Key("b"), 100)
				tokens := make([]stores.Token, crowd)
				won := make([]bool, crowd)
				atOnce(func(i int) {
					tokens[i] = stores.NewToken()
					entries := []stores.Entry{a, b}
					if i%2 == 1 {
						entries = []stores.Entry{b, a}
					}
					got, err := e.guards.Enter(e.ctx, tokens[i], entries, 0)
					won[i] = err == nil && got.Verdict == stores.VerdictEntered
				})
				winners := 0
				for i := range tokens {
					if won[i] {
						winners++
						e.wantLeave(tokens[i], do(stores.PartRelease, a, b), stores.OutcomeDone, stores.OutcomeDone)
					}
				}
				if winners > 1 {
					e.Failf("%d runs hold both keys at once", winners)
				}
				e.wantAbsent(a.Key)
				e.wantAbsent(b.Key)
			},
		},
	}
}

func entered(got stores.Entered, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case got.Verdict == stores.VerdictRefused:
		return "refused " + got.State
	}
	return got.Verdict.String()
}
