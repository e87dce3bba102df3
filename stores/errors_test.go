package stores

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestAsGuards(t *testing.T) {
	m := NewMemory()
	if got, err := AsGuards(m); got != Guards(m) || err != nil {
		t.Errorf("got %v, %v, want the store itself", got, err)
	}
	got, err := AsGuards(struct{ Store }{m})
	if got != nil || !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "stores.Store") {
		t.Errorf("got %v, %v, want ErrUnsupported with the type's name", got, err)
	}
	if got, err := AsGuards(nil); got != nil || !errors.Is(err, ErrUnsupported) {
		t.Errorf("got %v, %v, want ErrUnsupported", got, err)
	}
}

func TestErrorTexts(t *testing.T) {
	for _, c := range []struct {
		err  error
		says string
	}{
		{&TTLError{TTL: -time.Second}, "must be positive, got -1s"},
		{&NumberError{}, "not a whole number"},
		{&NumberError{Overflow: true}, "largest"},
		{(&Entry{Kind: 77}).check(), "kind 77"},
		{(&Entry{Kind: KindClaim}).checkPart(77), "part 77"},
	} {
		if !strings.Contains(c.err.Error(), c.says) || !strings.HasPrefix(c.err.Error(), "stores: ") {
			t.Errorf("got %q, want a text of this package with %q", c.err, c.says)
		}
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		KindClaim.String():      "claim",
		Kind(0).String():        "unknown kind",
		PartNone.String():       "none",
		PartComplete.String():   "complete",
		PartRelease.String():    "release",
		PartTakeBack.String():   "take back",
		Part(99).String():       "unknown part",
		VerdictEntered.String(): "entered",
		VerdictRefused.String(): "refused",
		VerdictWaiting.String(): "waiting",
		VerdictError.String():   "error",
		Verdict(0).String():     "no verdict",
		OutcomeDone.String():    "done",
		OutcomeLost.String():    "lost",
		Outcome(0).String():     "no outcome",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if OutcomeError.String() != "error" {
		t.Errorf("got %q", OutcomeError)
	}
}

func TestToken(t *testing.T) {
	if !(Token{}).IsZero() || NewToken().IsZero() {
		t.Error("only the zero token is zero")
	}
	if a, b := NewToken(), NewToken(); a == b {
		t.Error("two tokens are equal")
	}
	if got, want := (Token{0x0a, 15: 0xff}).String(), "0a0000000000000000000000000000ff"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
