package safejson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx/internal/safejson"
)

type (
	Base   struct{ ID, Hidden string }
	middle struct{ Promoted int }
	plain  struct {
		Base
		*middle
		Hidden  string
		Renamed int `json:"renamed"`
		Left    int `json:"-"`
		//lint:ignore SA5008 a key of that name is what is asked about
		Dash   int       `json:"-,"`
		Empty  string    `json:"empty,omitempty"`
		Zero   time.Time `json:"zero,omitzero"`
		Quoted int64     `json:",string"`
		secret int
		Bytes  []byte
		Any    any
		Nil    *int
		When   time.Time
		Dur    time.Duration
		F32    float32
		Keys   map[int]string
		Array  [2]bool
		HTML   string
		Number json.Number
		Raw    json.RawMessage
	}
	panics  struct{ N int }
	refuses struct{ N int }
	rubbish struct{ N int }
	named   struct{ N int }
	node    struct {
		Name string
		Next *node
	}
	badText struct{}
	ptrOnly struct{ N int }
)

func (panics) MarshalJSON() ([]byte, error)   { panic("boom") }
func (panics) String() string                 { panic("boom") }
func (refuses) MarshalJSON() ([]byte, error)  { return nil, errors.New("no") }
func (refuses) String() string                { return "a refusal" }
func (rubbish) MarshalJSON() ([]byte, error)  { return []byte(`{"half`), nil }
func (named) String() string                  { return "named" }
func (badText) MarshalText() ([]byte, error)  { panic("boom") }
func (*ptrOnly) MarshalJSON() ([]byte, error) { return []byte(`"by pointer"`), nil }

func TestMarshalReadsAsTheStandardLibraryWrites(t *testing.T) {
	n := 3
	for name, v := range map[string]any{
		"nil": nil, "text": "a\"\u2028<b>\xff", "numbers": []any{1, int8(-2), uint64(math.MaxUint64), 1.5, float32(0.1), 1e21, 1e-9},
		"map": map[string]any{"b": []int{1}, "a": nil, "z": map[string]bool{"t": true}}, "nil map": map[string]int(nil), "nil slice": []int(nil),
		"empty": []int{}, "bytes": []byte("abc"), "byte array": [2]byte{1, 2}, "pointer": &n, "pointer to pointer": func() any { p := &n; return &p }(),
		"struct": plain{
			Base: Base{"id", "inner"}, middle: &middle{4}, Hidden: "outer", Renamed: 1, Left: 2, Dash: 3, Quoted: 5, secret: 6, Bytes: []byte{1},
			Any: Base{"x", "y"}, When: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Dur: time.Second, F32: 0.1, Keys: map[int]string{2: "b", 10: "a"},
			HTML: "<&>", Number: "12345678901234567890", Raw: json.RawMessage(`{"a": [1, 2]}`),
		},
		"by pointer": &struct{ P ptrOnly }{}, "not addressable": struct{ P ptrOnly }{}, "time": time.Unix(0, 0).UTC(), "named type": []time.Duration{1},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			want, err := json.Marshal(v)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(safejson.Marshal(v)).To(MatchJSON(want))
		})
	}
}

func TestMarshalKeepsTheRestIntact(t *testing.T) {
	cyclic := map[string]any{"n": 1}
	cyclic["self"] = cyclic
	list := []any{1, nil}
	list[1] = list
	ring := &node{Name: "a"}
	ring.Next = &node{Name: "b", Next: ring}
	for name, c := range map[string]struct {
		v    any
		want string
	}{
		"infinity":         {[]any{1, math.Inf(1), math.NaN()}, `[1,"+Inf","NaN"]`},
		"complex":          {complex(1, 2), `"(1+2i)"`},
		"channel":          {struct{ C any }{make(chan int)}, `{"C":"(chan int)"}`},
		"function":         {map[string]any{"f": func() {}, "n": 1}, `{"f":"(func())","n":1}`},
		"panicking":        {[]any{panics{}, 1}, `["(safejson_test.panics)",1]`},
		"refusing":         {[]any{refuses{}, 1}, `["a refusal",1]`},
		"rubbish":          {[]any{rubbish{}, 1}, `["(safejson_test.rubbish)",1]`},
		"bad text":         {[]any{badText{}, 1}, `["(safejson_test.badText)",1]`},
		"bad key":          {map[any]any{badText{}: 1, 1: 2, "1": 3, nil: 4}, `{"(safejson_test.badText)":1,"1":2,"1 (2)":3,"null":4}`},
		"an error":         {struct{ Err error }{fmt.Errorf("outer: %w", errors.New("inner"))}, `{"Err":"outer: inner"}`},
		"typed nil error":  {[]error{(*typedError)(nil)}, `[null]`},
		"a far year":       {time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC), `"20000-01-01 00:00:00 +0000 UTC"`},
		"no number":        {[]any{json.Number("x"), json.Number(""), json.Number("null")}, `["x","","null"]`},
		"raw rubbish":      {[]any{json.RawMessage(`{`), 1}, `["(json.RawMessage)",1]`},
		"cyclic map":       {cyclic, `{"n":1,"self":"(map[string]interface {} in itself)"}`},
		"cyclic slice":     {list, `[1,"([]interface {} in itself)"]`},
		"cyclic pointers":  {ring, `{"Name":"a","Next":{"Name":"b","Next":"(*safejson_test.node in itself)"}}`},
		"twice, no cycle":  {[]any{ring.Name, &node{Name: "x"}, &node{Name: "x"}}, `["a",{"Name":"x","Next":null},{"Name":"x","Next":null}]`},
		"stringers as is":  {named{1}, `{"N":1}`},
		"stringers as key": {map[named]int{{1}: 2}, `{"named":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			data := safejson.Marshal(c.v)
			g := NewWithT(t)
			if name == "bad key" { // 1 and "1" may come in either order
				g.Expect(string(data)).To(Or(MatchJSON(c.want), MatchJSON(strings.NewReplacer("2,", "3,", "3,", "2,").Replace(c.want))))
				return
			}
			g.Expect(data).To(MatchJSON(c.want))
		})
	}
}

type typedError struct{ text string }

func (e *typedError) Error() string { return e.text }

type loop struct{ inner map[string]any }

func (l loop) MarshalJSON() ([]byte, error) { return safejson.Marshal(l.inner), nil }

type structured struct{ v any }

func (s *structured) JSONValue() any {
	if s.v == nil {
		panic("boom")
	}
	return s.v
}

func TestMarshalOfMethodsThatComeBack(t *testing.T) {
	g := NewWithT(t)
	inner := map[string]any{"n": 1}
	inner["loop"] = loop{inner}
	g.Expect(json.Valid(safejson.Marshal(inner))).To(BeTrue())

	s := &structured{}
	s.v = []any{1, s}
	g.Expect(safejson.Marshal(s)).To(MatchJSON(`[1,"(*safejson_test.structured in itself)"]`))
	g.Expect(safejson.Marshal([]any{&structured{}, 1})).To(MatchJSON(`["(*safejson_test.structured)",1]`))
}

func TestMarshalOfDeepData(t *testing.T) {
	g := NewWithT(t)
	var deep any
	for range 100_000 {
		deep = []any{deep}
	}
	data, err := json.Marshal(json.RawMessage(safejson.Marshal(deep)))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(len(data)).To(BeNumerically(">", 1000))
}

func TestText(t *testing.T) {
	for name, c := range map[string]struct {
		v    any
		want string
	}{
		"nil": {nil, "<nil>"}, "typed nil": {(*typedError)(nil), "<nil>"}, "text": {"a b", "a b"}, "named text": {json.Number("5"), "5"},
		"error": {errors.New("wrong"), "wrong"}, "stringer": {named{1}, "named"}, "number": {1.5, "1.5"}, "bool": {true, "true"},
		"duration": {time.Second, "1s"}, "time as Go prints it": {time.Unix(0, 0).UTC(), "1970-01-01 00:00:00 +0000 UTC"},
		"a panic": {panics{}, "(safejson_test.panics)"}, "map": {map[string]int{"a": 1}, `{"a":1}`}, "slice": {[]int{1, 2}, "[1,2]"},
		"struct": {node{Name: "n"}, `{"Name":"n","Next":null}`}, "channel": {make(chan int), "(chan int)"},
		"own JSON": {json.RawMessage(`[1]`), "[1]"}, "JSON of its own by pointer": {&ptrOnly{}, "by pointer"}, "rubbish": {rubbish{}, "(safejson_test.rubbish)"},
		"text that fails": {badText{}, "(safejson_test.badText)"},
	} {
		t.Run(name, func(t *testing.T) { NewWithT(t).Expect(safejson.Text(c.v)).To(Equal(c.want)) })
	}
}

func FuzzMarshal(f *testing.F) {
	f.Add("key", "value", `{"a":1}`, 1.5)
	f.Add("\xff", "\x00", `[`, math.Inf(1))
	f.Fuzz(func(t *testing.T, key, value, raw string, n float64) {
		v := map[string]any{key: value, "raw": json.RawMessage(raw), "number": json.Number(raw), "n": n, "any": map[any]any{key: n, n: key}, "err": errors.New(value)}
		if data := safejson.Marshal(v); !json.Valid(data) {
			t.Errorf("not valid: %q", data)
		}
	})
}
