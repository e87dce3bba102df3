package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestOnlyATerminalIsWatched(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if isTerminal(file) || isTerminal(&bytes.Buffer{}) {
		t.Error("a file or a buffer passes for a terminal")
	}
	device, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	if !isTerminal(device) {
		t.Error("a character device does not pass for a terminal")
	}
}

func TestProgressIsOneLineThatVanishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		tally := &Tally{}
		stop := showProgress(&out, tally, 12)
		tally.Settled.Add(1)
		time.Sleep(progressEvery + time.Millisecond)
		tally.Settled.Add(9)
		time.Sleep(progressEvery)
		stop()
		text := out.String()
		for _, want := range []string{"\r1 of 12 settled", "\r10 of 12 settled"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %q", want, text)
			}
		}
		if strings.Contains(text, "\n") || !strings.HasSuffix(text, " \r") {
			t.Errorf("%q leaves something behind", text)
		}
	})
}

func TestProgressThatEndsBeforeItBeganWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		showProgress(&out, &Tally{}, 12)()
		if out.Len() > 0 {
			t.Errorf("wrote %q", &out)
		}
	})
}
