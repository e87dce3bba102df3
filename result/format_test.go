package result

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestToMapKeys(t *testing.T) {
	common := []string{
		"cid", "context", "deprecated", "duration", "index", "metadata", "reason", "retried", "retries",
		"root", "state", "status", "strict", "tags", "task", "tid", "type", "xid",
	}
	failed := slices.Sorted(slices.Values(append(slices.Clone(common), "cause", "origin", "threw_failure", "caused_failure", "rolled_back")))
	for status, want := range map[Status][]string{StatusSuccess: common, StatusSkipped: common, StatusFailed: failed} {
		got := slices.Sorted(maps.Keys(made("Charge", Outcome{Status: status}).ToMap()))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", status, got)
		}
	}
}

func TestTextsOfAResult(t *testing.T) {
	nested := made("Nested", Outcome{Status: StatusFailed})
	r := made("Charge", Outcome{
		Status: StatusFailed, Reason: "no funds", Metadata: Metadata{"code": "x", "nested": nested},
		Cause: errDeclined, Origin: nested,
	})
	for _, text := range []string{r.String(), fmt.Sprint(r.LogValue())} {
		for _, part := range []string{"Charge", "failed", "interrupted", "no funds", `code`, nested.TID(), "Nested"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %s", text, part)
			}
		}
		if strings.Contains(text, `"context"`) {
			t.Errorf("%s holds a context", text)
		}
	}
	if !strings.Contains(fmt.Sprint(r.LogValue()), "card declined") {
		t.Error("the log value lacks the cause")
	}
}

func TestJSONOfAResultInItself(t *testing.T) {
	inner := map[string]any{}
	r := made("Charge", Outcome{Status: StatusFailed, Metadata: Metadata{"inner": inner}, Cause: &explodes{}})
	inner["result"] = r
	data, err := json.Marshal(r)
	if err != nil || !json.Valid(data) || !strings.Contains(string(data), `"status":"failed"`) {
		t.Errorf("%s, %v", data, err)
	}
	if r.String() == "" || r.LogValue().String() == "" {
		t.Error("a result in itself has no text")
	}
}

func TestAZeroResult(t *testing.T) {
	r := &Result{}
	if data, err := json.Marshal(r); err != nil || !json.Valid(data) {
		t.Errorf("%s, %v", data, err)
	}
	if r.Task() != nil || r.Tags() != nil || r.Context() != nil || r.Err() != nil || r.IsRoot() || r.String() == "" {
		t.Error("a zero result is not readable")
	}
	r.On("odd", func(*Result) { t.Error("an unknown word matched") })
}
