package cmdxctx

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"testing"
)

func TestToShowLeavesOutWhatIsHiddenAndCopiesOfIt(t *testing.T) {
	type card struct{ Number, Kind string }
	const secret = "4929<1234>5678"
	cyclic := map[string]any{"a": "b"}
	cyclic["self"] = cyclic
	hidden := HideKey("card", HideAll()).
		And(HideKey("payer", HideKey("pin", HideAll()))).
		And(HideKey("payer", HideKey("lines", HideEach(HideKey("token", HideAll()))))).
		And(HideKey("as_struct", HideKey("Number", HideAll()))).
		And(nil)
	for name, row := range map[string]struct{ value, shown any }{
		"card":      {map[string]any{"any": 1}, Redacted},
		"payer":     {map[string]any{"pin": 1, "name": "Ann", "lines": []map[string]any{{"token": 1, "n": 2}}}, map[string]any{"pin": Redacted, "name": "Ann", "lines": []any{map[string]any{"token": Redacted, "n": 2}}}},
		"as_struct": {&card{"1", "visa"}, map[string]any{"Number": Redacted, "Kind": "visa"}},
		"plain":     {"r1", "r1"},
		"nil":       {nil, nil},
		"alone":     {secret, Redacted},
		"within":    {"Bearer " + secret, "Bearer " + Redacted},
		"bytes":     {[]byte(secret), Redacted},
		"list":      {[]string{"a", secret}, []any{"a", Redacted}},
		"map":       {map[string]string{"a": secret, "b": "c"}, map[string]any{"a": Redacted, "b": "c"}},
		"key":       {map[string]any{"of " + secret: secret}, map[string]any{"of " + Redacted: Redacted}},
		"numbers":   {map[int]string{1: secret}, Redacted},
		"struct":    {card{secret, "visa"}, Redacted},
		"pointer":   {&card{secret, "visa"}, Redacted},
		"raw":       {json.RawMessage(`{"n":"` + secret + `"}`), Redacted},
		"kept":      {card{"1", "visa"}, card{"1", "visa"}},
		"integer":   {int32(987654), Redacted},
		"other":     {987655, 987655},
		"short":     {"yes", "yes"},
	} {
		c := New(map[string]any{name: row.value})
		c.Conceal(hidden)
		c.ConcealValue(secret)
		c.ConcealValue(map[string]any{"n": []any{987654, true, "yes"}})
		if shown := c.ToShow()[name]; !reflect.DeepEqual(shown, row.shown) {
			t.Errorf("%s: %#v", name, shown)
		}
		if data, _ := c.MarshalJSON(); strings.Contains(string(data), "4929") {
			t.Errorf("%s: %s", name, data)
		}
		if got := c.ToMap()[name]; !reflect.DeepEqual(got, row.value) {
			t.Errorf("%s: ToMap holds %#v", name, got)
		}
	}
	c := New(map[string]any{"cyclic": cyclic})
	c.ConcealValue("b, and more")
	c.ToShow() // ends
	c.ConcealValue(cyclic)
}

func TestWhatIsConcealedStaysSoInCopiesOfAContext(t *testing.T) {
	c := New(map[string]any{"card": "4929123456"})
	c.Conceal(HideKey("card", HideAll()))
	merged, inherited := New(nil), New(c.ToMap())
	if err := merged.Merge(c); err != nil {
		t.Fatal(err)
	}
	inherited.Inherit(c)
	for name, copied := range map[string]*Context{"clone": c.Clone(), "branch": c.Branch(), "merge": merged, "inherit": inherited} {
		if copied.ToShow()["card"] != Redacted {
			t.Errorf("%s shows it", name)
		}
	}
}

func TestConcealingFromManyGoroutinesLosesNothing(t *testing.T) {
	c := New(nil)
	var all sync.WaitGroup
	for _, text := range []string{"one-secret", "two-secrets", "three-secrets", "four-secrets"} {
		all.Go(func() { c.ConcealValue(text) })
	}
	all.Wait()
	if got := c.Scrub("one-secret two-secrets three-secrets four-secrets"); strings.Contains(got, "secret") {
		t.Error(got)
	}
}

func TestNothingConcealedCostsNothing(t *testing.T) {
	c := New(map[string]any{"a": 1})
	if n := testing.AllocsPerRun(100, func() { _ = c.Scrub("text"); _ = c.Show(c) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	var none *Context
	none.Conceal(HideAll())
	none.ConcealValue("secret")
	if none.Scrub("text") != "text" || len(none.ToShow()) != 0 {
		t.Error("a nil context")
	}
}
