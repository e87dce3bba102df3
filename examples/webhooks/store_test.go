package main

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/internal/redistest"
)

func TestAStoreThatIsNoGoodIsExplained(t *testing.T) {
	for _, c := range []struct{ store, want string }{
		{"", "-store must be memory or a URL"},
		{"redis", "-store must be memory or a URL"},
		{"http://localhost", "invalid URL scheme: http"},
		{"redis://localhost/zero", "invalid database number"},
		{"redis://localhost?unheard-of=1", "unexpected option: unheard-of"},
		{"redis://:se%cret@localhost", "this is no URL"},
		{"redis://:sec/ret@localhost", "this is no URL"},
	} {
		t.Run(c.store, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := run([]string{"-store", c.store}, &stdout, &stderr)
			text := stderr.String()
			if status != 2 || !strings.Contains(text, c.want) || strings.Contains(text, "cret") || strings.Contains(text, ":sec") {
				t.Errorf("status %d, %q", status, text)
			}
			if stdout.Len() > 0 {
				t.Errorf("it prints %q", &stdout)
			}
		})
	}
}

func TestAServerThatIsNotThereIsExplained(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	status := run([]string{"-store", "redis://:secret@" + nobody}, &stdout, &stderr)
	text := stderr.String()
	if status != 2 || !strings.Contains(text, "no redis answers at "+nobody) || strings.Contains(text, "secret") {
		t.Errorf("status %d, %q", status, text)
	}
}

func TestAServerThatWantsAnotherPasswordIsExplained(t *testing.T) {
	server := redistest.Start(t)
	server.Config("requirepass", "another")
	var stdout, stderr bytes.Buffer
	status := run([]string{"-store", "redis://:secret@" + server.Addr()}, &stdout, &stderr)
	if text := stderr.String(); status != 2 || !strings.Contains(text, "no redis answers at "+server.Addr()) || strings.Contains(text, "secret") {
		t.Errorf("status %d, %q", status, text)
	}
}

// A server that takes the connection and says nothing must not hold up
// somebody who gives up.
func TestAServerThatSaysNothingIsLeft(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		t.Cleanup(func() { _ = connection.Close() })
		_, _ = connection.Read(make([]byte, 1))
	}()
	start := time.Now()
	o := running(ctx, "-store", "redis://"+listener.Addr().String(), lean(t))
	if o.status != 130 || !strings.Contains(o.stderr, "before it began") || o.stdout != "" {
		t.Errorf("status %d, %q", o.status, o.stderr)
	}
	if took := time.Since(start); took >= storeWithin {
		t.Errorf("it ended after %v", took)
	}
}
