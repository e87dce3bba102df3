package inputs

import (
	"context"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx/internal/run"
)

func bigInt(text string) *big.Int { n, _ := new(big.Int).SetString(text, 10); return n }

// noRun is a walk for checks that ask nothing of the run.
func noRun() walk { return walk{ctx: context.Background(), run: &run.Run{}} }

func TestTagRules(t *testing.T) {
	for _, r := range []struct {
		tag     string
		holds   any
		breaks  any
		message string
	}{
		{"gt=0", int64(1), int64(0), "must be greater than 0"},
		{"gt=-1", uint64(math.MaxUint64), int64(-1), "must be greater than -1"},
		{"gte=5", int64(5), int64(4), "must be at least 5"},
		{"min=-5", int64(-5), int64(-6), "must be at least -5"},
		{"lt=18446744073709551615", int64(5), uint64(math.MaxUint64), "must be less than 18446744073709551615"},
		{"lte=0x10", int64(16), int64(17), "must be at most 0x10"},
		{"max=5", int64(-9), int64(6), "must be at most 5"},
		{"eq=5", int64(5), int64(-5), "must be 5"},
		{"ne=5", int64(-5), int64(5), "must not be 5"},
		{"len=5", int64(5), int64(6), "must be 5"},
		{"gt=0.5", 0.6, 0.5, "must be greater than 0.5"},
		{"gt=0", 1.0, math.NaN(), "must be greater than 0"},
		{"max=3", "äöü", "abcd", "length must be at most 3"},
		{"min=2", "äö", "a", "length must be at least 2"},
		{"gt=1", "ab", "a", "length must be greater than 1"},
		{"len=3", "abc", "ab", "length must be 3"},
		{"eq=a", "a", "b", "must be a"},
		{"ne=a", "b", "a", "must not be a"},
		{"eq=true", true, false, "must be true"},
		{"min=1", []string{"a"}, []string{}, "length must be at least 1"},
		{"eq=1", []string{"a"}, []string{}, "length must be 1"},
		{"gt=1s", 2 * time.Second, time.Second, "must be greater than 1s"},
		{"gt", time.Now().Add(time.Hour), time.Unix(0, 0), "must be in the future"},
		{"oneof=a b 'c d'", "c d", "e", "must be one of: a, b, c d"},
		{"oneof=1 2", int64(2), int64(3), "must be one of: 1, 2"},
		{"noneof=a b", "c", "a", "must not be one of: a, b"},
		{"required", "a", "", "cannot be empty"},
		{"required", int64(1), int64(0), "cannot be zero"},
		{"required", true, false, "must be true"},
		{"required", time.Unix(5, 0), time.Time{}, "cannot be empty"},
		{"isdefault", "", "a", "must be empty"},
		{"email", "a@example.org", "a", "must be an email address"},
		{"url", "https://example.org", "x", "must be a URL"},
		{"uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "x", "must be a UUID"},
		{"alpha", "abc", "a1", "must contain only letters from a to z"},
		{"alphanum", "a1", "a-", "must contain only letters from a to z and digits"},
		{"numeric", "-1.5", "x", "must be numeric"},
		{"number", int64(5), "x", "must contain only digits"},
		{"startswith=ab", "abc", "bc", "must start with ab"},
		{"endswith=bc", "abc", "ab", "must end with bc"},
		{"contains=0x2C", "a,b", "ab", "must contain ,"},
		{"excludes=0x7C", "ab", "a|b", "must not contain |"},
		{"ip", "10.0.0.1", "10", "must be an IP address"},
		{"ipv4", "10.0.0.1", "::1", "must be an IPv4 address"},
		{"hostname", "example", "a b", "must be a host name"},
		{"iscolor", "#00ff00", "green?", "must be a colour"},
		{"lowercase", "ab", "Ab", "must be in lower case"},
		{"datetime=2006-01-02", "2026-01-02", "x", "must be a date or time written as 2006-01-02"},
		{"isbn", "978-0-545-01022-1", "x", "is invalid (isbn)"},
		{"email|ip", "10.0.0.1", "x", "must be an email address or must be an IP address"},
		{"omitempty,email", "", "x", "must be an email address"},
		{"omitempty,gt=5", int64(0), int64(3), "must be greater than 5"},
		{"required,email", "a@example.org", "", "cannot be empty"},
		{"gt=0,lt=10", int64(5), int64(10), "must be less than 10"},
		{"unique", []string{"a", "b"}, []string{"a", "a"}, "must not contain anything twice"},
		{"min=1,dive,email", []string{"a@example.org"}, []string{"a@example.org", "x"}, "element 1 must be an email address"},
		{"dive,gt=0", map[string]int{"a": 1}, map[string]int{"secret": 0}, "an element must be greater than 0"},
		{"dive,dive,gt=0", [][]int{{1}}, [][]int{{1}, {1, 0}}, "element 1 element 1 must be greater than 0"},
		{"omitnil,email", (*string)(nil), pointer("x"), "must be an email address"},
		{"gt=5", pointer(7), pointer(5), "must be greater than 5"},
		{"gt=0", json.Number("1e-400"), json.Number("0"), "must be greater than 0"},
		{"lte=18446744073709551616", bigInt("18446744073709551616"), bigInt("18446744073709551617"), "must be at most 18446744073709551616"},
		{"gte=0.1", big.NewRat(1, 10), big.NewRat(99, 1000), "must be at least 0.1"},
		{"oneof=1 2.50", json.Number("2.5"), json.Number("2.51"), "must be one of: 1, 2.50"},
		{"noneof=1 2.50", json.Number("2.51"), json.Number("2.5"), "must not be one of: 1, 2.50"},
		{"required", json.Number("0.1"), json.Number("0.0"), "cannot be zero"},
		{"-", "x", nil, ""},
	} {
		t.Run(r.tag, func(t *testing.T) {
			g := gomega.NewWithT(t)
			check, problems := tagRule(r.tag).prepare(subject{types: []reflect.Type{reflect.TypeOf(r.holds)}})
			g.Expect(problems).To(gomega.BeEmpty())
			if r.tag == "-" {
				g.Expect(check).To(gomega.BeNil())
				return
			}
			g.Expect(check.test(noRun(), r.holds).English()).To(gomega.BeEmpty())
			g.Expect(check.test(noRun(), r.breaks).English()).To(gomega.Equal(r.message))
		})
	}
}

func TestTagsThatAreRefused(t *testing.T) {
	type pair struct{ A int }
	for _, r := range []struct {
		tag  string
		typ  reflect.Type
		text string
	}{
		{"", typeOf[string](), "its validate tag is empty"},
		{"gt=0,", typeOf[int64](), "its validate tag has an empty rule"},
		{"gt=0, lt=5", typeOf[int64](), `its validate tag has blanks around the rule "lt"`},
		{"email||ip", typeOf[string](), "its validate tag has an empty rule"},
		{"nosuchrule", typeOf[string](), `there is no rule "nosuchrule"`},
		{"=5", typeOf[string](), "its validate tag has an empty rule"},
		{"email", typeOf[int64](), `the rule "email" cannot check a value of type int64`},
		{"email", typeOf[bool](), `the rule "email" cannot check a value of type bool`},
		{"eqcsfield=Other", typeOf[string](), `the rule "eqcsfield" works inside structs only, and an input is checked alone`},
		{"gt=0", typeOf[bool](), `the rule "gt" cannot check a value of type bool`},
		{"email", typeOf[json.Number](), `the rule "email" cannot check a value of type json.Number`},
		{"gt=0", typeOf[*big.Float](), `the rule "gt" cannot check a value of type *big.Float`},
		{"gt=x", typeOf[*big.Int](), `the rule "gt" needs a number for its parameter`},
		{"oneof=1 x", typeOf[json.Number](), `the rule "oneof" lists what is no number`},
		{"latitude", typeOf[json.Number](), `the rule "latitude" cannot check a value of type json.Number`},
		{"gt=0", typeOf[pair](), `the rule "gt" cannot check a value of type inputs.pair`},
		{"min=5", typeOf[time.Time](), `the rule "min" cannot check a value of type time.Time`},
		{"oneof=1.5", typeOf[float64](), `the rule "oneof" cannot check a value of type float64`},
		{"unique", typeOf[string](), `the rule "unique" cannot check a value of type string`},
		{"gt=0.5", typeOf[int64](), `the rule "gt" needs a whole number for its parameter`},
		{"gt", typeOf[int64](), `the rule "gt" needs a whole number for its parameter`},
		{"lt=18446744073709551616", typeOf[int64](), `the rule "lt" needs a whole number for its parameter`},
		{"gt=x", typeOf[float64](), `the rule "gt" needs a number for its parameter`},
		{"email,max=x", typeOf[string](), `the rule "max=x" cannot check a value of type string with this parameter`},
		{"startswith", typeOf[string](), `the rule "startswith" has no parameter`},
		{"oneof=", typeOf[string](), `the rule "oneof" has no parameter`},
		{"eqfield=Other", typeOf[string](), `the rule "eqfield" compares with the input "Other", and there is none before this one`},
		{"required_if=A b", typeOf[string](), `the rule "required_if" works inside structs only, and an input is checked alone`},
		{"structonly", typeOf[pair](), `the rule "structonly" works inside structs only, and an input is checked alone`},
		{"omitempty|email", typeOf[string](), `"omitempty" is part of the rule "omitempty", where it means nothing`},
		{"dive,gt=0", typeOf[int64](), `"dive" needs a collection, and a value of type int64 is none`},
		{"dive,email", nil, `"dive" needs a collection, and nobody can tell the type of this value`},
		{"dive,email", typeOf[[]int](), `the rule "email" cannot check a value of type int`},
		{"dive,gt=0", typeOf[[]any](), `the rule "gt" means the size of a number or the length of a text, and nobody can tell what the value will be`},
		{"dive", typeOf[[]int](), `there are no rules behind "dive"`},
		{"dive,keys,email,endkeys", typeOf[map[string]int](), `the rule "keys" works inside structs only, and an input is checked alone`},
		{"gt=0", nil, `the rule "gt" means the size of a number or the length of a text, and nobody can tell what the value will be`},
	} {
		t.Run(r.tag, func(t *testing.T) {
			g := gomega.NewWithT(t)
			var types []reflect.Type
			if r.typ != nil {
				types = []reflect.Type{r.typ}
			}
			check, problems := tagRule(r.tag).prepare(subject{types: types})
			g.Expect(check).To(gomega.BeNil())
			g.Expect(problems).NotTo(gomega.BeEmpty())
			g.Expect(problems[0].Text).To(gomega.Equal(r.text))
			g.Expect(problems[0].Fix).NotTo(gomega.BeEmpty())
		})
	}
}

// A rule about text holds for no value that is something else.
func TestTextRulesForUntypedValues(t *testing.T) {
	g := gomega.NewWithT(t)
	check, problems := tagRule("email").prepare(subject{})
	g.Expect(problems).To(gomega.BeEmpty())
	g.Expect(check.test(noRun(), "a@example.org").English()).To(gomega.BeEmpty())
	for _, v := range []any{nil, 5, true, []string{"a@example.org"}, map[any]any{}, json.Number("5"), panicking{}} {
		g.Expect(check.test(noRun(), v).English()).To(gomega.Equal("must be an email address"))
	}
}

func FuzzTagRule(f *testing.F) {
	for _, s := range []string{"gt=0", "omitempty,email|ip", "dive,gt=0", "oneof=a b", ",", "|", "=", "len=x", "datetime=x", "required_if=A"} {
		f.Add(s, "value", int64(5))
	}
	f.Fuzz(func(t *testing.T, tag, text string, n int64) {
		for _, v := range []any{text, n, uint64(n), []string{text}, n > 0} {
			if check, problems := tagRule(tag).prepare(subject{types: []reflect.Type{reflect.TypeOf(v)}}); len(problems) == 0 && check != nil {
				check.test(noRun(), v)
			}
		}
		tagRule(tag).prepare(subject{})
	})
}

func TestPresence(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, v := range []any{nil, "", " \t\n\u00a0", namedText(" "), (*string)(nil), pointer(" "), []string{}, []string(nil), map[string]int{}, [0]int{}} {
		g.Expect(presenceRule{}.test(noRun(), v).English()).To(gomega.Equal("cannot be empty"))
	}
	for _, v := range []any{"a", 0, false, 0.0, pointer("a"), []string{""}, map[string]int{"": 0}, struct{}{}, cyclic()} {
		g.Expect(presenceRule{}.test(noRun(), v).English()).To(gomega.BeEmpty())
	}
}
