package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/internal/redistest"
)

// built is the program as somebody else runs it.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "webhooks.exe")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("it does not build: %v\n%s", err, out)
	}
	return program
}

// process is a run of the built program that has begun.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

func begin(t *testing.T, program string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(t.Context(), program, args...)}
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *process) end() outcome {
	_ = p.Wait() // the status tells
	return outcome{p.ProcessState.ExitCode(), p.stdout.String(), p.stderr.String()}
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestTwoProcessesHandleEveryIdOnceBetweenThem(t *testing.T) {
	server, program := redistest.Start(t), built(t)
	file, ledger := lean(t), filepath.Join(t.TempDir(), "ledger.jsonl")
	var processes []*process
	var gates []*redistest.Hold
	for range 2 {
		// Each has a way of its own to the server, with a gate at which it
		// waits for the other.
		proxy := redistest.StartProxy(t, server.Addr())
		gates = append(gates, proxy.Stall(1))
		processes = append(processes, begin(t, program, "-store", "redis://"+proxy.Addr(), "-ledger", ledger, "-redeliveries", "50", file))
	}
	for _, gate := range gates {
		select {
		case <-gate.Held():
		case <-time.After(time.Minute):
			t.Fatal("a process has not come to the server")
		}
	}
	for _, gate := range gates {
		gate.Release()
	}

	handled := 0
	for _, p := range processes {
		o := p.end()
		if o.status != 0 || o.stderr != "" || !strings.Contains(o.stdout, "every id was handled exactly once") {
			t.Fatalf("status %d, %s\n%s", o.status, o.stderr, o.stdout)
		}
		o.wantRows(t, map[string]int{"deliveries read": 324, "distinct ids": 204, "idempotency_lost": 0, "given up": 0})
		o.wantConsistent(t)
		handled += o.row(t, "handled")
	}
	if there := lines(t, ledger); handled != 204 || len(there) != 204 {
		t.Errorf("both handled %d, and the ledger has %d lines", handled, len(there))
	}

	// One that comes later finds nothing left to do and says so.
	late := begin(t, program, "-store", "redis://"+server.Addr(), "-ledger", ledger, file).end()
	if late.status != 0 || late.row(t, "handled") != 0 || late.row(t, "idempotency_claimed") != 0 {
		t.Errorf("status %d, %s\n%s", late.status, late.stderr, late.stdout)
	}
}

func TestAStoreThatKnowsMoreThanTheLedgerIsExplained(t *testing.T) {
	store := "redis://" + redistest.Start(t).Addr()
	file := fileOf(t, "{\"delivery\":\"id-1\"}\n")
	if o := running(t.Context(), "-store", store, "-fail-rate", "0", "-work", "0", file); o.status != 0 {
		t.Fatalf("status %d, %s", o.status, o.stderr)
	}
	o := running(t.Context(), "-store", store, "-work", "0", file)
	if o.status != 1 || !strings.Contains(o.stderr, "id-1 was never handled\n") || !strings.Contains(o.stderr, "-ledger FILE joins what they did\n") {
		t.Errorf("status %d, %q", o.status, o.stderr)
	}
}

func TestWhatTwoProcessesBothHandledIsPrinted(t *testing.T) {
	file := fileOf(t, "{\"delivery\":\"id-1\"}\n{\"delivery\":\"id-2\"}\n")
	ledger := filepath.Join(t.TempDir(), "ledger.jsonl")
	args := []string{"-ledger", ledger, "-fail-rate", "0", "-work", "0", file}
	if o := running(t.Context(), args...); o.status != 0 {
		t.Fatalf("status %d, %s", o.status, o.stderr)
	}
	// Memory of its own: nothing keeps it from handling them again.
	o := running(t.Context(), args...)
	if o.status != 1 || !strings.Contains(o.stderr, "id-1 was handled 2 times\n") || !strings.Contains(o.stderr, "id-2 was handled 2 times\n") {
		t.Errorf("status %d, %q", o.status, o.stderr)
	}
}
