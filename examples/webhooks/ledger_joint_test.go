package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func joint(t *testing.T, name string) *Ledger {
	t.Helper()
	ledger, closeIt, err := openLedger(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(closeIt)
	return ledger
}

func TestAJointLedgerHoldsWhatAllHandled(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ledger.jsonl")
	first, second := joint(t, name), joint(t, name)
	record(t, first, "once")
	record(t, second, "by the other")
	record(t, first, "by both")
	record(t, second, "by both")
	record(t, second, "of another file")

	for _, ledger := range []*Ledger{first, second} {
		wrong := check(t, ledger, "once", "by the other", "by both", "never", "never")
		var texts []string
		for _, w := range wrong {
			texts = append(texts, w.String())
		}
		if want := []string{"by both was handled 2 times", "never was never handled"}; !slices.Equal(texts, want) {
			t.Errorf("found %q", texts)
		}
	}
}

func TestAJointLedgerHasOneLineForEachIdWhateverItHolds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ledger.jsonl")
	ids := []string{"a\nb", "\"", " ", "<ä>", strings.Repeat("x", 10_000)}
	ledger := joint(t, name)
	for _, id := range ids {
		record(t, ledger, id)
	}
	if n := len(lines(t, name)); n != len(ids) {
		t.Errorf("%d lines for %d ids", n, len(ids))
	}
	if wrong := check(t, ledger, ids...); len(wrong) > 0 {
		t.Errorf("found %v", wrong)
	}
}

func TestLinesOfAJointLedgerDoNotMix(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ledger.jsonl")
	var ids []string
	var writers sync.WaitGroup
	for w := range 4 {
		ledger := joint(t, name)
		for i := range 100 {
			ids = append(ids, strconv.Itoa(w)+"/"+strconv.Itoa(i))
		}
		mine := ids[len(ids)-100:]
		writers.Go(func() {
			for _, id := range mine {
				record(t, ledger, id)
			}
		})
	}
	writers.Wait()
	if wrong := check(t, joint(t, name), ids...); len(wrong) > 0 {
		t.Errorf("found %v", wrong)
	}
}

func TestALineWithoutAnEndDoesNotCount(t *testing.T) {
	name := fileOf(t, "\"a\"\n\"b")
	wrong := check(t, joint(t, name), "a", "b")
	if len(wrong) != 1 || wrong[0].String() != "b was never handled" {
		t.Errorf("found %v", wrong)
	}
}

func TestAFileThatIsNoLedgerIsLeftAlone(t *testing.T) {
	for name, text := range map[string]string{
		"deliveries": "{\"delivery\":\"a\"}\n", "text": "\"a\"\nrubbish\n", "an empty line": "\n", "an empty id": "\"\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			file := fileOf(t, text)
			o := running(t.Context(), "-ledger", file, "-work", "0", fileOf(t, "{\"delivery\":\"id-1\"}\n"))
			if o.status != 2 || !strings.Contains(o.stderr, file) || !strings.Contains(o.stderr, "no ledger") {
				t.Errorf("status %d, %q", o.status, o.stderr)
			}
			if after, err := os.ReadFile(file); err != nil || string(after) != text {
				t.Errorf("the file holds %q now, error %v", after, err)
			}
		})
	}
}

func TestALedgerThatCannotBeOpenedIsExplained(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing", "ledger.jsonl")
	if o := running(t.Context(), "-ledger", missing); o.status != 2 || !strings.Contains(o.stderr, missing) {
		t.Errorf("status %d, %q", o.status, o.stderr)
	}
}

// What could not be written down was not handled: the sender sends it again.
func TestALedgerThatCannotBeWrittenFailsTheWork(t *testing.T) {
	r := newReceiver(&Service{})
	r.Ledger = joint(t, filepath.Join(t.TempDir(), "ledger.jsonl"))
	_ = r.Ledger.Joint.Close()
	if result := r.receive(t.Context(), Delivery{ID: "a"}); !result.IsFailed() || !strings.Contains(result.Reason(), "cannot write into the ledger") {
		t.Error(result)
	}
}
