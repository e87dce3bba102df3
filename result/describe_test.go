package result

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/cmdx-go/cmdx/stores"
)

type listed []string

func (listed) Error() string { return "listed" }

func TestDescribe(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{
		{errDeclined, "[errors.errorString] card declined"},
		{fmt.Errorf("charging: %w", errDeclined), "[fmt.wrapError] charging: card declined"},
		{&net.OpError{Op: "dial", Err: errDeclined}, "[net.OpError] dial: card declined"},
		{(*net.OpError)(nil), "[net.OpError] <nil>"},
		{syscall.ENOENT, "[syscall.Errno] no such file or directory"},
		{context.DeadlineExceeded, "[context.deadlineExceededError] context deadline exceeded"},
		{&PanicError{Value: 7}, "[cmdx.PanicError] panic: 7"},
		{&PanicError{Value: errDeclined}, "[cmdx.PanicError] panic: card declined"},
		{listed{}, "[result.listed] listed"}, // nobody could name it cmdx.listed
		{&stores.TTLError{TTL: -1}, "[stores.TTLError] stores: a ttl must be positive, got -1ns"},
		{nil, "[nil] "},
	} {
		if got := Describe(row.err); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

func TestTextOfWhatPanics(t *testing.T) {
	for _, err := range []error{&explodes{}, (*fs.PathError)(nil), &PanicError{Value: &explodes{}}} {
		if text := Text(err); !strings.Contains(text, "panicked") {
			t.Errorf("%T: %q", err, text)
		}
	}
	if Text(nil) != "" {
		t.Error("nil has a text")
	}
	if text := (&PanicError{Value: stringer{}}).Error(); text == "" {
		t.Error("a value that cannot be printed leaves no text")
	}
}

type stringer struct{}

func (stringer) String() string { panic("String") }

func TestRecoveredUnwraps(t *testing.T) {
	err := Recovered(errDeclined, []byte("stack"))
	var p *PanicError
	if !errors.As(err, &p) || !errors.Is(err, errDeclined) || string(p.Stack) != "stack" {
		t.Errorf("%v", err)
	}
	if errors.Unwrap(Recovered("boom", nil)) != nil {
		t.Error("a text is unwrapped")
	}
}
