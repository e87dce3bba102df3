package main

import (
	"slices"
	"testing"
)

func TestTheLedgerNoticesWhatWasNotHandledExactlyOnce(t *testing.T) {
	ledger := &Ledger{}
	for _, id := range []string{"once", "twice", "stray", "twice", "thrice", "thrice", "thrice"} {
		ledger.Record(id)
	}
	wrong := ledger.Check([]string{"twice", "once", "never", "thrice", "twice"})
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
	ledger.Record("a")
	ledger.Record("b")
	if wrong := ledger.Check([]string{"a", "b", "a"}); len(wrong) > 0 {
		t.Errorf("found %v", wrong)
	}
	if wrong := (&Ledger{}).Check(nil); len(wrong) > 0 {
		t.Errorf("found %v where nothing was sent", wrong)
	}
}
