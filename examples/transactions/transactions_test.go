package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/stores"
)

// PostEarly is PostEntry without waiting for the commit: what it has completed
// is taken back when the commit fails.
type PostEarly struct{ PostEntry }

func (*PostEarly) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{Settle: cmdx.AfterPipeline})
	c.RemoveMiddleware(cmdx.MiddlewareFunc(inTransaction))
	c.Use(cmdx.MiddlewareFunc(func(ctx context.Context, task cmdx.Task, next cmdx.Next) error {
		return inTransaction(ctx, &task.(*PostEarly).PostEntry, next)
	}))
}

// watching is a store that notes what the key reads at every leaving.
type watching struct {
	*stores.Memory
	t       *testing.T
	db      *sql.DB
	at      string
	history []string
}

// Leave tells the rows that are committed, then the key's new value.
func (w *watching) Leave(ctx context.Context, token stores.Token, list []stores.Entry) ([]stores.Answer, error) {
	answers, err := w.Memory.Leave(ctx, token, list)
	w.note("left")
	return answers, err
}

func (w *watching) note(when string) {
	value, _, err := w.Get(context.Background(), w.at)
	if err != nil {
		w.t.Error(err)
	}
	w.history = append(w.history, when+":"+value)
}

type fixture struct {
	*testing.T
	db      *sql.DB
	store   *watching
	runtime *cmdx.Runtime
}

func setUp(t *testing.T, name string) *fixture {
	t.Helper()
	db, err := openLedger(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	store := &watching{Memory: stores.NewMemory(), t: t, db: db, at: "cmdx:idem:" + name + ":e_1"}
	return &fixture{T: t, db: db, store: store, runtime: cmdx.New(cmdx.Configuration{Store: store})}
}

func (f *fixture) rows() int {
	f.Helper()
	n, err := entries(context.Background(), f.db)
	if err != nil {
		f.Fatal(err)
	}
	return n
}

func (f *fixture) key() string {
	f.Helper()
	value, _, err := f.store.Get(context.Background(), f.store.at)
	if err != nil {
		f.Fatal(err)
	}
	return value
}

func args(account string) cmdx.Args {
	return cmdx.Args{"entry_id": "e_1", "account": account, "cents": 100}
}

func both(t *testing.T, test func(f *fixture, task func() cmdx.Task)) {
	t.Run("settled after the middlewares", func(t *testing.T) {
		f := setUp(t, "PostEntry")
		test(f, func() cmdx.Task { return &PostEntry{DB: f.db} })
	})
	t.Run("settled after the pipeline", func(t *testing.T) {
		f := setUp(t, "PostEarly")
		test(f, func() cmdx.Task { return &PostEarly{PostEntry{DB: f.db}} })
	})
}

func TestACommitThatSucceedsKeepsRowsAndKey(t *testing.T) {
	both(t, func(f *fixture, task func() cmdx.Task) {
		r := f.runtime.Execute(f.Context(), task(), args("cash"))
		if !r.IsSuccess() || f.rows() != 1 || f.key() != "completed" {
			f.Errorf("%v, %d rows, key %q", r, f.rows(), f.key())
		}
		again := f.runtime.Execute(f.Context(), task(), args("cash"))
		if !again.IsSkipped() || f.rows() != 1 || f.key() != "completed" {
			f.Errorf("the duplicate: %v, %d rows, key %q", again, f.rows(), f.key())
		}
	})
}

func TestACommitThatFailsLeavesNoRowsAndAFreeKey(t *testing.T) {
	both(t, func(f *fixture, task func() cmdx.Task) {
		r := f.runtime.Execute(f.Context(), task(), args("nowhere"))
		if !r.IsFailed() || f.rows() != 0 || f.key() != "" {
			f.Fatalf("%v, %d rows, key %q", r, f.rows(), f.key())
		}
		if r := f.runtime.Execute(f.Context(), task(), args("cash")); !r.IsSuccess() || f.rows() != 1 {
			f.Errorf("the next run: %v, %d rows", r, f.rows())
		}
	})
}

func TestTheKeyIsTakenBackOnlyWhereItWasCompletedBefore(t *testing.T) {
	for name, want := range map[string][]string{
		"PostEntry": {"left:"},
		"PostEarly": {"left:completed", "left:"},
	} {
		f := setUp(t, name)
		var task cmdx.Task = &PostEntry{DB: f.db}
		if name == "PostEarly" {
			task = &PostEarly{PostEntry{DB: f.db}}
		}
		var takenBack int
		f.runtime.Telemetry().Subscribe(cmdx.EventIdempotencyTakenBack, func(cmdx.Event) { takenBack++ })
		f.runtime.Execute(t.Context(), task, args("nowhere"))
		if !slices.Equal(f.store.history, want) || takenBack != len(want)-1 {
			t.Errorf("%s: %v, taken back %d times, want %v", name, f.store.history, takenBack, want)
		}
	}
}

// peeking asks, between Work and commit, what another caller gets.
type peeking struct {
	PostEntry
	Other  func()
	Asking bool // the other caller, who needs no transaction to be refused
}

func (t *peeking) asking() bool { return t.Asking }

func (*peeking) Configure(c *cmdx.Config) {
	c.RemoveMiddleware(cmdx.MiddlewareFunc(inTransaction))
	c.Use(cmdx.MiddlewareFunc(func(ctx context.Context, task cmdx.Task, next cmdx.Next) error {
		t := task.(*peeking)
		return inTransaction(ctx, &t.PostEntry, func(ctx context.Context) error {
			defer t.Other()
			return next(ctx)
		})
	}), cmdx.MiddlewareOptions{Unless: cmdx.When((*peeking).asking)})
}

func TestNobodySeesCompletedBeforeTheCommit(t *testing.T) {
	f := setUp(t, "peeking")
	var seen string
	var other *cmdx.Result
	task := &peeking{PostEntry: PostEntry{DB: f.db}}
	task.Other = func() {
		seen = f.key()
		other = f.runtime.Execute(context.Background(), &peeking{Asking: true}, args("cash"))
	}
	r := f.runtime.Execute(t.Context(), task, args("cash"))
	if !r.IsSuccess() || seen != "processing" || f.key() != "completed" {
		t.Errorf("%v, seen %q before the commit, then %q", r, seen, f.key())
	}
	if other.Metadata()["state"] != "processing" {
		t.Errorf("another caller got %v", other)
	}
}

func TestAPanicAndAnExitRollBackAndFreeTheKey(t *testing.T) {
	for name, harm := range map[string]func(){"panic": func() { panic(errors.New("harm")) }, "exit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			f := setUp(t, "peeking")
			done := make(chan struct{})
			go func() {
				defer close(done)
				f.runtime.Execute(context.Background(), &peeking{PostEntry: PostEntry{DB: f.db}, Other: harm}, args("cash"))
			}()
			<-done
			if f.rows() != 0 || f.key() != "" {
				t.Errorf("%d rows, key %q", f.rows(), f.key())
			}
		})
	}
}

func Example() {
	if err := run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// e_1 cash success rows: 1
	// e_1 cash skipped rows: 1
	// e_2 nowhere failed rows: 1
	// e_2 cash success rows: 2
}
