package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

func TestFaultyKeepsALog(t *testing.T) {
	f, token := NewFaulty(nil), stores.NewToken()
	var watched []string
	f.Watch(func(c Call) { watched = append(watched, c.String()) })
	within, cancel := context.WithTimeout(ctx, time.Hour)
	_, _ = f.Set(within, "a", "1", stores.SetOptions{TTL: time.Minute, NX: true})
	_, _ = f.Incr(ctx, "n", time.Second)
	cancel()
	_, _, _ = f.Get(within, "a")
	_, _ = f.Delete(ctx, "a")
	_, _ = f.Enter(ctx, token, []stores.Entry{claimOf("x", 0), claimOf("y", 0)}, 1)
	_, _ = f.Extend(ctx, token, []stores.Entry{claimOf("y", 0)})
	_, _ = f.Leave(ctx, token, []stores.Entry{claimOf("x", stores.PartRelease), claimOf("y", stores.PartComplete)})
	f.TakeBack(stores.Token{}, nil)

	want := []string{"set a", "incr n", "get a", "delete a", "enter x y from 1", "extend y", "leave x=release y=complete", "take back"}
	if got := f.Trace(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !slices.Equal(watched, want) {
		t.Errorf("watched %q, want %q", watched, want)
	}
	calls := f.Calls()
	set, incr, get, leave, takeBack := calls[0], calls[1], calls[2], calls[6], calls[7]
	if !set.HasDeadline || set.Ended || set.HasToken() || set.Value != "1" || !set.Options.NX || set.Options.TTL != time.Minute {
		t.Errorf("set: got %+v", set)
	}
	if incr.HasDeadline || incr.Options.TTL != time.Second || !get.Ended {
		t.Errorf("got %+v and %+v", incr, get)
	}
	if leave.Token != token || !leave.HasToken() || leave.Key != "x" || leave.Part != stores.PartRelease || len(leave.Entries) != 2 {
		t.Errorf("leave: got %+v", leave)
	}
	if takeBack.HasToken() || takeBack.Key != "" {
		t.Errorf("take back: got %+v", takeBack)
	}
	if got := f.CallsOf(OpLeave); len(got) != 1 || got[0].Op != OpLeave {
		t.Errorf("got %v", got)
	}
	f.Forget()
	if len(f.Calls()) != 0 {
		t.Error("the log was not forgotten")
	}
}

func TestOperationsHaveWords(t *testing.T) {
	seen := map[string]bool{}
	for op := range opCount {
		if word := op.String(); word == "" || word == Op(99).String() || seen[word] {
			t.Errorf("operation %d is called %q", op, word)
		}
		seen[op.String()] = true
	}
}
