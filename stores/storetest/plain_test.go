package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

func TestPlainHidesTheGuards(t *testing.T) {
	inner := stores.NewMemory()
	for _, s := range []stores.Store{Plain(inner), Plain(nil)} {
		if _, err := stores.AsGuards(s); !errors.Is(err, stores.ErrUnsupported) {
			t.Errorf("got %v, want ErrUnsupported", err)
		}
		if stored, err := s.Set(ctx, "a", "1", stores.SetOptions{TTL: time.Minute}); !stored || err != nil {
			t.Errorf("got %t, %v", stored, err)
		}
	}
	if value, found, _ := inner.Get(ctx, "a"); value != "1" || !found {
		t.Error("the store inside was not written to")
	}
}
