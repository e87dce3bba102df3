package task

import (
	"slices"
	"testing"
)

func TestBeginningsEndInAColonAndAreProper(t *testing.T) {
	for prefix, want := range map[string][]string{
		"":           nil,
		":":          nil,
		"a:":         nil,
		"a:b:":       {"a:"},
		"a::b:":      {"a:", "a::"},
		"::":         {":"},
		"a:b:c:":     {"a:", "a:b:"},
		"a b:ü:c:d:": {"a b:", "a b:ü:", "a b:ü:c:"},
	} {
		if got := beginnings(prefix); !slices.Equal(got, want) {
			t.Errorf("the beginnings of %q are %q, want %q", prefix, got, want)
		}
	}
}
