//go:build !race

package retry

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"
)

func TestMatchAndPauseAllocateNothing(t *testing.T) {
	err := fmt.Errorf("charging: %w", errors.Join(errOther, &net.OpError{Err: io.EOF}))
	policies := map[string]Policy{
		"AnyError":  Policy{}.With(AnyError),
		"ErrorIs":   Policy{}.With(ErrorIs(errBusy, errReset)),
		"ErrorType": Policy{}.With(ErrorType[*net.DNSError]()),
		"ErrorFunc": Policy{}.With(ErrorFunc(func(err error) bool { return err == nil })),
		"none":      {},
	}
	for name, p := range policies {
		if n := testing.AllocsPerRun(100, func() { p.Match(err) }); n != 0 {
			t.Errorf("Match with %s allocates %v times", name, n)
		}
	}
	for name, jitter := range map[string]Jitter{
		"NoJitter": NoJitter, "Exponential": Exponential, "Linear": Linear, "Fibonacci": Fibonacci,
		"HalfRandom": HalfRandom, "FullRandom": FullRandom, "BoundedRandom": BoundedRandom, "DecorrelatedJitter": DecorrelatedJitter,
	} {
		o := Options{Delay: time.Second, Jitter: jitter}
		if n := testing.AllocsPerRun(100, func() { o.Pause(2, time.Second) }); n != 0 {
			t.Errorf("Pause with %s allocates %v times", name, n)
		}
	}
	o := Options{If: WhenError((*charge).worthIt)}
	task := &charge{live: true}
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() { o.Allowed(ctx, task, err, 1) }); n != 0 {
		t.Errorf("Allowed allocates %v times", n)
	}
}
