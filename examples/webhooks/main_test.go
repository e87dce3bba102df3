package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// outcome is what somebody sees who ran the program.
type outcome struct {
	status         int
	stdout, stderr string
}

func running(ctx context.Context, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	status := simulate(ctx, args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// row is the number in a line of the table.
func (o outcome) row(t *testing.T, name string) int {
	t.Helper()
	for line := range strings.Lines(o.stdout) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), name+" "); ok {
			n, err := strconv.Atoi(strings.TrimSpace(rest))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("no row %q in\n%s", name, o.stdout)
	return 0
}

func fileOf(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "in.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// leanText is the example's file without its bodies, which take long to read.
var leanText = sync.OnceValue(func() string {
	deliveries, _, _ := load("")
	var text strings.Builder
	for _, d := range deliveries {
		fmt.Fprintf(&text, "{\"delivery\":%q,\"event\":%q}\n", d.ID, d.Event)
	}
	return text.String()
})

func lean(t *testing.T) string {
	t.Helper()
	return fileOf(t, leanText())
}

func TestEveryIdIsHandledExactlyOnce(t *testing.T) {
	file := lean(t)
	for name, args := range map[string][]string{
		"by default":                      nil,
		"from a named file":               {file},
		"with one worker":                 {"-workers", "1", file},
		"with many workers":               {"-workers", "400", "-seed", "3", file},
		"when nothing fails":              {"-fail-rate", "0", file},
		"when most calls fail":            {"-fail-rate", "0.7", "-workers", "64", "-redeliveries", "40", file},
		"when work takes no time":         {"-work", "0", file},
		"when the claims are held longer": {"-work", "1m", "-workers", "64", file},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := running(t.Context(), args...)
				if o.status != 0 || o.stderr != "" || !strings.Contains(o.stdout, "every id was handled exactly once") {
					t.Fatalf("status %d, %s\n%s", o.status, o.stderr, o.stdout)
				}
				o.wantRows(t, map[string]int{
					"deliveries read": 324, "distinct ids": 204, "lines skipped": 0, "handled": 204,
				})
				o.wantConsistent(t)
			})
		})
	}
}

func TestWhatGuardsRefuseIsShownAndNothingIsLost(t *testing.T) {
	file := lean(t)
	for name, c := range map[string]struct {
		args    []string
		refused []string
	}{
		"by default":           {nil, []string{"rate_limited", "concurrency_limited"}},
		"when most calls fail": {[]string{"-fail-rate", "0.7", "-redeliveries", "60"}, []string{"circuit_open"}},
		"with many workers":    {[]string{"-workers", "64", "-work", "200ms"}, []string{"rate_limited", "concurrency_limited", "locked"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := running(t.Context(), append(append([]string{"-guards"}, c.args...), file)...)
				if o.status != 0 || o.stderr != "" || !strings.Contains(o.stdout, "every id was handled exactly once") {
					t.Fatalf("status %d, %s\n%s", o.status, o.stderr, o.stdout)
				}
				o.wantRows(t, map[string]int{"deliveries read": 324, "distinct ids": 204, "handled": 204, "given up": 0})
				o.wantConsistent(t)
				for _, code := range c.refused {
					if o.row(t, "refused ("+code+")") == 0 {
						t.Errorf("nothing was refused with the code %s", code)
					}
				}
			})
		})
	}
}

func (o outcome) wantRows(t *testing.T, want map[string]int) {
	t.Helper()
	for name, n := range want {
		if got := o.row(t, name); got != n {
			t.Errorf("%s: %d, not %d", name, got, n)
		}
	}
}

// wantConsistent compares what the sender saw with what the events tell.
func (o outcome) wantConsistent(t *testing.T) {
	t.Helper()
	runs := o.row(t, "deliveries read") + o.row(t, "redelivered")
	duplicates := o.row(t, "duplicates skipped (completed)") + o.row(t, "duplicates refused (processing)")
	refused := 0
	if strings.Contains(o.stdout, "refused (locked)") {
		for code, event := range map[string]string{
			"rate_limited": "rate_limited", "circuit_open": "circuit_rejected",
			"concurrency_limited": "concurrency_limited", "locked": "lock_conflict",
		} {
			n := o.row(t, "refused ("+code+")")
			o.wantRows(t, map[string]int{event: n})
			refused += n
		}
	}
	o.wantRows(t, map[string]int{
		"task_started":                  runs,
		"task_executed":                 runs,
		"task_retried":                  o.row(t, "retried"),
		"idempotency_duplicate":         duplicates,
		"idempotency_claimed":           runs - duplicates - refused,
		"idempotency_completed":         o.row(t, "handled"),
		"failed":                        runs - duplicates - refused - o.row(t, "handled"),
		"idempotency_lost":              0,
		"idempotency_completion_failed": 0,
	})
}

func TestAShareOfTheCallsFailsAndIsRetried(t *testing.T) {
	file := lean(t)
	synctest.Test(t, func(t *testing.T) {
		if o := running(t.Context(), file); o.row(t, "retried") == 0 {
			t.Error("nothing was retried by default")
		}
		if o := running(t.Context(), "-fail-rate", "0", file); o.row(t, "retried") != 0 {
			t.Error("something was retried although nothing failed")
		}
		one := running(t.Context(), "-seed", "9", "-workers", "1", file).row(t, "retried")
		many := running(t.Context(), "-seed", "9", "-workers", "32", file).row(t, "retried")
		if one != many {
			t.Errorf("one seed gives %d retries with one worker and %d with many", one, many)
		}
	})
}

func TestIdsThatWereNeverHandledArePrinted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := fileOf(t, "{\"delivery\":\"id-1\"}\n{\"delivery\":\"id-2\"}\n{\"delivery\":\"id-1\"}\n")
		o := running(t.Context(), "-fail-rate", "1", "-redeliveries", "2", name)
		if o.status != 1 {
			t.Errorf("status %d", o.status)
		}
		for _, want := range []string{"id-1 was never handled\n", "id-2 was never handled\n", "2 ids were not handled exactly once"} {
			if !strings.Contains(o.stderr, want) {
				t.Errorf("no %q in %q", want, o.stderr)
			}
		}
		if strings.Contains(o.stdout, "exactly once") {
			t.Error("it praises itself all the same")
		}
		o.wantRows(t, map[string]int{"handled": 0, "given up": 3})
	})
}

func TestAnIdThatWasHandledTwiceIsPrinted(t *testing.T) {
	for name, left := range map[string]int{"at the end": 0, "when interrupted": 5} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := verdict([]Wrong{{Delivery: "id-1", Times: 2, Sent: true}}, left, &stdout, &stderr)
			if status != 1 || !strings.Contains(stderr.String(), "id-1 was handled 2 times\n") {
				t.Errorf("status %d, %q", status, &stderr)
			}
		})
	}
}

func TestBadLinesAreCountedAndReportedAndTheRestIsHandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := fileOf(t, "{\"delivery\":\"id-1\"}\nrubbish\n{\"event\":\"ping\"}\n{\"delivery\":\"id-2\"}")
		o := running(t.Context(), name)
		want := name + ":2: not a JSON object, skipped\n" + name + ":3: no delivery id, skipped\n"
		if o.status != 0 || o.stderr != want {
			t.Errorf("status %d, %q", o.status, o.stderr)
		}
		o.wantRows(t, map[string]int{"deliveries read": 2, "lines skipped": 2, "handled": 2})
	})
}

func TestAnEmptyFileIsFine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := running(t.Context(), fileOf(t, ""))
		if o.status != 0 || o.stderr != "" {
			t.Errorf("status %d, %q", o.status, o.stderr)
		}
		o.wantRows(t, map[string]int{"deliveries read": 0, "distinct ids": 0, "handled": 0, "task_started": 0})
	})
}

func TestAnInterruptedRunEndsWithItsTable(t *testing.T) {
	file := lean(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second+time.Millisecond)
		defer cancel()
		start := time.Now()
		o := running(ctx, "-work", "1s", "-fail-rate", "0", "-workers", "4", file)
		if o.status != 130 || !strings.Contains(o.stderr, "interrupted with ") {
			t.Errorf("status %d, %q", o.status, o.stderr)
		}
		if took := time.Since(start); took != 3*time.Second+time.Millisecond {
			t.Errorf("it ended after %v", took)
		}
		// Four workers for three seconds; the four calls under way then fail.
		o.wantRows(t, map[string]int{
			"handled": 12, "failed": 4, "idempotency_claimed": 16, "idempotency_completed": 12, "given up": 0,
		})
	})
}

func TestFlagsThatAreNoGoodAreExplained(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-workers", "0"}, "-workers must be at least 1"},
		{[]string{"-workers", "many"}, "-workers"},
		{[]string{"-fail-rate", "-0.1"}, "-fail-rate must be from 0 to 1"},
		{[]string{"-fail-rate", "1.1"}, "-fail-rate must be from 0 to 1"},
		{[]string{"-fail-rate", "NaN"}, "-fail-rate must be from 0 to 1"},
		{[]string{"-work", "-1s"}, "-work must be from 0 to 1m0s"},
		{[]string{"-work", "61s"}, "-work must be from 0 to 1m0s"},
		{[]string{"-seed", "x"}, "-seed"},
		{[]string{"-redeliveries", "-1"}, "-redeliveries must not be negative"},
		{[]string{"-unheard-of"}, "-unheard-of"},
		{[]string{"a.jsonl", "b.jsonl"}, "one file"},
		{[]string{"a.jsonl", "-workers"}, "one file, after the flags"},
		{[]string{""}, "the name of the file is empty"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if status := run(c.args, &stdout, &stderr); status != 2 {
				t.Errorf("status %d", status)
			}
			if text := stderr.String(); !strings.Contains(text, c.want) || !strings.Contains(text, "usage: webhooks") {
				t.Errorf("it says %q", text)
			}
			if stdout.Len() > 0 {
				t.Errorf("it prints %q", &stdout)
			}
		})
	}
}

func TestAMissingFileIsExplained(t *testing.T) {
	var stdout, stderr bytes.Buffer
	missing := filepath.Join(t.TempDir(), "missing.jsonl")
	status := run([]string{missing}, &stdout, &stderr)
	if text := stderr.String(); status != 2 || !strings.Contains(text, missing) || strings.Contains(text, "usage") {
		t.Errorf("status %d, %q", status, text)
	}
}

func TestHelpIsNoMistake(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"-h"}, &stdout, &stderr); status != 0 || !strings.Contains(stderr.String(), "-fail-rate") {
		t.Errorf("status %d, %q", status, &stderr)
	}
}

func TestTheProgramRunsToItsEnd(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := run([]string{"-work", "0", "-fail-rate", "0", fileOf(t, "{\"delivery\":\"id-1\"}\n{\"delivery\":\"id-1\"}\n")}, &stdout, &stderr)
	o := outcome{status, stdout.String(), stderr.String()}
	if o.status != 0 || o.stderr != "" {
		t.Errorf("status %d, %q", o.status, o.stderr)
	}
	o.wantRows(t, map[string]int{"deliveries read": 2, "distinct ids": 1, "handled": 1})
}
