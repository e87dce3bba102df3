package stores

import (
	"errors"
	"strings"
	"testing"
)

func TestCompose(t *testing.T) {
	for _, c := range []struct{ namespace, task, segment, want string }{
		{"cmdx:idem", "ChargeCustomer", "pay_123", "cmdx:idem:ChargeCustomer:pay_123"},
		{"n", "t", " ", "n:t: "},
		{"n", "t", "a:b{c}", "n:t:a:b{c}"},
		{"n", "t", strings.Repeat("k", 10_000), "n:t:" + strings.Repeat("k", 10_000)},
	} {
		if got, err := Compose(c.namespace, c.task, c.segment); got != c.want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, c.want)
		}
	}
}

func TestComposeRefusesEmptyParts(t *testing.T) {
	for _, c := range []struct {
		namespace, task, segment string
		part                     KeyPart
	}{
		{"", "t", "s", KeyNamespace},
		{"n", "", "s", KeyTask},
		{"n", "t", "", KeySegment},
		{"", "", "", KeyNamespace},
	} {
		got, err := Compose(c.namespace, c.task, c.segment)
		refused, ok := errors.AsType[*KeyError](err)
		if got != "" || !ok || refused.Part != c.part {
			t.Errorf("got %q, %v, want a *KeyError of the %s", got, err, c.part)
		} else if !strings.Contains(err.Error(), string(c.part)) {
			t.Errorf("the text does not name the %s: %s", c.part, err)
		}
	}
}

func TestReservedNamespaces(t *testing.T) {
	for namespace, reserved := range map[string]bool{
		"cmdx-owner": true, "cmdx-owner:2": true, "cmdx-void": true, "cmdx-void:x": true,
		"cmdx-failed": true, "cmdx-told": true, "cmdx-probing": true,
		"cmdx-owners": false, "cmdx:idem": false, "app:once": false,
	} {
		if IsReserved(namespace) != reserved {
			t.Errorf("%s: %t", namespace, !reserved)
		}
	}
}
