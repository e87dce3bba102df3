package storetest

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// forgetful is a store that a restart empties while it is in use.
type forgetful struct{ inner atomic.Pointer[stores.Memory] }

func (f *forgetful) restart() { f.inner.Store(stores.NewMemory()) }

func (f *forgetful) Get(ctx context.Context, key string) (string, bool, error) {
	return f.inner.Load().Get(ctx, key)
}

func (f *forgetful) Set(ctx context.Context, key, value string, o stores.SetOptions) (bool, error) {
	return f.inner.Load().Set(ctx, key, value, o)
}

func (f *forgetful) Incr(ctx context.Context, key string, ttl time.Duration) (int64, error) {
	return f.inner.Load().Incr(ctx, key, ttl)
}

func (f *forgetful) Delete(ctx context.Context, key string) (bool, error) {
	return f.inner.Load().Delete(ctx, key)
}

func (f *forgetful) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	return f.inner.Load().Enter(ctx, token, entries, from)
}

func (f *forgetful) Extend(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	return f.inner.Load().Extend(ctx, token, entries)
}

func (f *forgetful) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	return f.inner.Load().Leave(ctx, token, entries)
}

func (f *forgetful) TakeBack(token stores.Token, entries []stores.Entry) {
	f.inner.Load().TakeBack(token, entries)
}

func throughRestarts(forgets bool) HistorySuite {
	store := &forgetful{}
	return HistorySuite{
		Suite: Suite{
			New: func(*testing.T) stores.Store {
				store.restart()
				return store
			},
			Wrap: synctest.Test,
		},
		Rounds: 100, Restart: store.restart, Forgets: forgets,
	}.withDefaults()
}

func TestAHistoryGoesThroughARestart(t *testing.T) {
	CheckHistory(t, throughRestarts(true))
}

func TestAHistoryShowsWhatARestartHasLost(t *testing.T) {
	suite := throughRestarts(false)
	for round := range suite.Rounds {
		if suite.judge(t, round) != "" {
			return
		}
	}
	t.Errorf("nothing was found in %d rounds of seed %d", suite.Rounds, suite.Seed)
}
