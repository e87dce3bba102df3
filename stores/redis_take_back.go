package stores

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// The pauses between tries of a taking back that the server does not answer,
// and how long one try may take.
const (
	takeBackFirstPause = 50 * time.Millisecond
	takeBackLastPause  = time.Second
	takeBackTry        = 10 * time.Second
)

// abandoned is a run whose Enter had no answer.
type abandoned struct {
	token   Token
	entries []Entry
	until   time.Time // then nothing that it may have taken lives any more
}

// takeBack gives back what abandoned runs may have taken, one after another,
// in a goroutine that lives only while there are any.
type takeBack struct {
	store   *Redis
	mu      sync.Mutex
	queue   []abandoned
	running bool
	idle    chan struct{}
}

func (t *takeBack) start(r *Redis) { t.store = r }

func (t *takeBack) add(token Token, entries []Entry) {
	var longest time.Duration
	kept := make([]Entry, 0, len(entries))
	for _, e := range entries {
		if e.checkPart(PartRelease) == nil {
			kept = append(kept, e)
			longest = max(longest, e.held())
		}
	}
	if len(kept) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, abandoned{token, kept, time.Now().Add(roundedUp(longest))})
	if !t.running {
		t.running, t.idle = true, make(chan struct{})
		go t.work()
	}
}

// held is how long what an Enter took of an entry lasts at the longest: of a
// circuit a probe.
func (e *Entry) held() time.Duration {
	if e.Kind == KindBreaker {
		return e.Breaker.CoolOff
	}
	return e.TTL
}

// full tells that no further run may begin which could have to be taken back.
func (t *takeBack) full() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queue) >= maxBacklog
}

func (t *takeBack) work() {
	pause := takeBackFirstPause
	for {
		run, ok := t.next()
		if !ok {
			return
		}
		if t.try(run) {
			pause = takeBackFirstPause
			continue
		}
		if time.Now().Before(run.until) {
			t.again(run)
		}
		time.Sleep(pause)
		pause = min(2*pause, takeBackLastPause)
	}
}

// next takes the first run off the queue, or ends the work.
func (t *takeBack) next() (abandoned, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		t.running, t.queue = false, nil
		close(t.idle)
		return abandoned{}, false
	}
	run := t.queue[0]
	t.queue = t.queue[1:]
	return run, true
}

// again puts a run at the end, so that one dead node does not hold up others.
func (t *takeBack) again(run abandoned) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, run)
}

// try tells whether the server has answered.
func (t *takeBack) try(run abandoned) bool {
	ctx, cancel := context.WithTimeout(context.Background(), takeBackTry)
	defer cancel()
	check := func(*Entry) error { return nil }
	answers, err := t.store.change(ctx, run.token, run.entries, leaving, check, func(*Entry) string { return "void" })
	if err != nil {
		return false
	}
	for _, a := range answers {
		if a.Outcome == OutcomeError {
			return false
		}
	}
	return true
}

func (t *takeBack) wait(ctx context.Context) error {
	t.mu.Lock()
	idle, running := t.idle, t.running
	t.mu.Unlock()
	if !running {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stores: redis still owes the taking back of runs: %w", context.Cause(ctx))
	}
}
