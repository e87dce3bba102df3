package main

import (
	"slices"
	"testing"
)

func record(t *testing.T, l *Ledger, id string) {
	t.Helper()
	if err := l.Record(id); err != nil {
		t.Error(err)
	}
}

func check(t *testing.T, l *Ledger, sent ...string) []Wrong {
	t.Helper()
	wrong, err := l.Check(sent)
	if err != nil {
		t.Error(err)
	}
	return wrong
}

func TestTheLedgerNoticesWhatWasNotHandledExactlyOnce(t *testing.T) {
	ledger := &Ledger{}
	for _, id := range []string{"once", "twice", "stray", "twice", "thrice", "thrice", "thrice"} {
		record(t, ledger, id)
	}
	wrong := check(t, ledger, "twice", "once", "never", "thrice", "twice")
	var lines []string
	for _, w := range wrong {
		lines = append(lines, w.String())
	}
	want := []string{
		"never was never handled",
		"stray was never sent and was handled 1 times",
		"thrice was handled 3 times",
		"twice was handled 2 times",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("found %q", lines)
	}
	if got := twice(wrong); len(got) != 3 || got[0].Delivery != "stray" {
		t.Errorf("handled too often: %v", got)
	}
}

func TestTheLedgerFindsNothingWrongWithOnceEach(t *testing.T) {
	ledger := &Ledger{}
	record(t, ledger, "a")
	record(t, ledger, "b")
	if wrong := check(t, ledger, "a", "b", "a"); len(wrong) > 0 {
		t.Errorf("found %v", wrong)
	}
	if wrong := check(t, &Ledger{}); len(wrong) > 0 {
		t.Errorf("found %v where nothing was sent", wrong)
	}
}
