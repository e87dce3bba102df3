package stores_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/internal/redistest"
	"github.com/cmdx-go/cmdx/stores"
)

// tooLate is longer than a store waits in its caller's goroutine.
const tooLate = 120 * time.Millisecond

func TestRedisSendsAgainWhatIsAnsweredTooLate(t *testing.T) {
	t.Parallel()
	proxy := redistest.StartProxy(t, redistest.Start(t).Addr())
	store := stores.NewRedis(proxy.Client(nil), stores.WithoutHooks())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	token, other, entries := stores.NewToken(), stores.NewToken(), claims("late")
	enter := func(token stores.Token) stores.Entered {
		t.Helper()
		entered, err := store.Enter(ctx, token, entries, 0)
		if err != nil {
			t.Fatalf("Enter: %v", err)
		}
		return entered
	}
	release := func() stores.Outcome {
		t.Helper()
		parts := claims("late")
		parts[0].Part = stores.PartRelease
		answers, err := store.Leave(ctx, token, parts)
		if err != nil {
			t.Fatalf("Leave: %v", err)
		}
		return answers[0].Outcome
	}
	enter(token) // makes the scripts known
	release()

	proxy.Delay(tooLate)
	if got := enter(token).Verdict; got != stores.VerdictEntered {
		t.Errorf("a claim that is answered too late is %s, want entered: the first sending took it", got)
	}
	if got := enter(other).Verdict; got != stores.VerdictRefused {
		t.Errorf("a slow server's refusal is %s", got)
	}
	proxy.Pass()
	enter(other) // at once again
	proxy.Delay(tooLate)
	if got := release(); got != stores.OutcomeDone {
		t.Errorf("a release whose first sending did it is %s, want done", got)
	}
}

func TestRedisLeavesItsCallerSoonAfterTheEnd(t *testing.T) {
	t.Parallel()
	proxy := redistest.StartProxy(t, redistest.Start(t).Addr())
	store := stores.NewRedis(proxy.Client(nil), stores.WithoutHooks())
	gone := errors.New("gone")
	for _, when := range []time.Duration{0, 20 * time.Millisecond, 200 * time.Millisecond} {
		ctx, cancel := context.WithCancelCause(t.Context())
		held := proxy.Stall(redistest.Every)
		var ended time.Time // written before ctx ends, read after
		time.AfterFunc(when, func() { ended = time.Now(); cancel(gone) })
		_, err := store.Enter(ctx, stores.NewToken(), claims("stalled"), 0)
		overstayed := time.Since(ended)
		proxy.Pass()
		held.Release()
		if !errors.Is(err, gone) {
			t.Errorf("Enter: %v, want the cause of ctx's end", err)
		}
		if overstayed > 100*time.Millisecond {
			t.Errorf("the caller who left after %s waited for %s more", when, overstayed)
		}
	}
}
