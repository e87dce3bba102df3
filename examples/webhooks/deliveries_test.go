package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func reading(t *testing.T, text string) ([]Delivery, []string) {
	t.Helper()
	deliveries, bad, err := read(strings.NewReader(text), "in.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, b := range bad {
		lines = append(lines, b.String())
	}
	return deliveries, lines
}

func TestTheExamplesFileHas324DeliveriesOf204Ids(t *testing.T) {
	deliveries, bad, err := load("")
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	if got := len(deliveries); got != 324 {
		t.Errorf("%d deliveries", got)
	}
	if got := len(distinct(deliveries)); got != 204 {
		t.Errorf("%d distinct ids", got)
	}
	first := deliveries[0]
	if first.ID != "d69ccbf2-3c64-49ce-8257-5cb4ccd62a21" || first.Event != "ping" || !strings.HasPrefix(string(first.Body), `{"zen":`) {
		t.Errorf("the first delivery is %+v", first)
	}
}

func TestALineThatIsNoDeliveryIsReportedWithItsNumberAndSkipped(t *testing.T) {
	for name, c := range map[string]struct{ line, problem string }{
		"no JSON":              {`{"delivery":"b"`, "not a JSON object"},
		"rubbish behind":       {`{"delivery":"b"} x`, "not a JSON object"},
		"another kind of JSON": {`["b"]`, "not a JSON object"},
		"nothing":              {``, "not a JSON object"},
		"no UTF-8":             {"{\"delivery\":\"\xff\"}", "not a JSON object"},
		"null":                 {`null`, "no delivery id"},
		"no id":                {`{"event":"ping"}`, "no delivery id"},
		"an empty id":          {`{"delivery":""}`, "no delivery id"},
		"a null id":            {`{"delivery":null}`, "no delivery id"},
		"an id of other case":  {`{"Delivery":"b"}`, "no delivery id"},
		"a number as id":       {`{"delivery":7}`, "the delivery id is not a string"},
	} {
		t.Run(name, func(t *testing.T) {
			deliveries, bad := reading(t, `{"delivery":"a"}`+"\n"+c.line+"\n"+`{"delivery":"c"}`+"\n")
			if got := distinct(deliveries); !slices.Equal(got, []string{"a", "c"}) {
				t.Errorf("read %q", got)
			}
			if want := []string{"in.jsonl:2: " + c.problem + ", skipped"}; !slices.Equal(bad, want) {
				t.Errorf("reported %q, not %q", bad, want)
			}
		})
	}
}

func TestTheLastLineNeedsNoLineEnd(t *testing.T) {
	for _, text := range []string{"{\"delivery\":\"a\"}\n{\"delivery\":\"b\"}", "{\"delivery\":\"a\"}\r\n{\"delivery\":\"b\"}\r\n"} {
		deliveries, bad := reading(t, text)
		if got := distinct(deliveries); !slices.Equal(got, []string{"a", "b"}) || len(bad) > 0 {
			t.Errorf("%q gives %q and %q", text, got, bad)
		}
	}
}

func TestALineMayHaveAnyLength(t *testing.T) {
	body := `"` + strings.Repeat("x", 1<<20) + `"`
	deliveries, bad := reading(t, `{"delivery":"a","body":`+body+"}\n"+`{"delivery":"b"}`)
	if len(deliveries) != 2 || len(bad) > 0 {
		t.Fatalf("%d deliveries, %q", len(deliveries), bad)
	}
	if string(deliveries[0].Body) != body {
		t.Error("the body is another one")
	}
}

func TestAnEmptyFileHasNoDeliveries(t *testing.T) {
	deliveries, bad := reading(t, "")
	if len(deliveries) > 0 || len(bad) > 0 {
		t.Errorf("%v, %q", deliveries, bad)
	}
}

func TestAnEventOfAnotherKindDoesNotKeepADeliveryBack(t *testing.T) {
	deliveries, bad := reading(t, `{"delivery":"a","event":{"x":1}}`)
	if len(deliveries) != 1 || len(bad) > 0 {
		t.Errorf("%v, %q", deliveries, bad)
	}
}

func TestAFileThatCannotBeReadIsAnErrorThatNamesIt(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.jsonl")
	if _, _, err := load(missing); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("a missing file: %v", err)
	}
	if _, _, err := load(t.TempDir()); err == nil {
		t.Error("a folder is read as a file")
	}
	broken := io.MultiReader(strings.NewReader("{\"delivery\":\"a\"}\n{\"deli"), iotest.ErrReader(io.ErrClosedPipe))
	if _, _, err := read(broken, "in.jsonl"); !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(err.Error(), "after line 1") {
		t.Errorf("a broken file: %v", err)
	}
}
