package cmdxctx_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	. "github.com/onsi/gomega"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

type address struct {
	City string `json:"city"`
	Zip  int    `json:"zip"`
}

func TestDecodeByName(t *testing.T) {
	g := NewWithT(t)
	var target struct {
		Common
		*Deeper
		ID     string `cmdx:"payment_id,required" json:"other"`
		Amount int64  `json:"amount,omitempty"`
		Plain  string
		Kept   string `cmdx:"-"`
	}
	target.Kept = "kept"
	err := cmdxctx.New(map[string]any{
		"payment_id": "p", "other": "wrong", "amount": 5, "Amount": 6, "plain": "folded", "PLAIN": "folded",
		"RequestID": "r", "Below": "b", "Kept": "wrong", "-": "wrong",
	}).Decode(&target)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(target.ID).To(Equal("p"))
	g.Expect(target.Amount).To(BeEquivalentTo(5))
	g.Expect(target.Plain).To(BeEmpty(), "keys are not folded")
	g.Expect(target.RequestID).To(Equal("r"))
	g.Expect(target.Below).To(Equal("b"))
	g.Expect(target.Kept).To(Equal("kept"))
}

func TestDecodeKeepsWhatItHolds(t *testing.T) {
	g := NewWithT(t)
	when, id, amount := time.Now(), uuid.New(), big.NewInt(math.MaxInt64)
	link := &url.URL{Scheme: "https", Host: "example.org"}
	type held struct {
		When, Text time.Time
		Many       []time.Time
		ID, FromID uuid.UUID
		IDs        []uuid.UUID
		Big        *big.Int
		Copied     big.Int
		Digits     *big.Int
		Link       *url.URL
		Wait       time.Duration
		Any        any
	}
	var target held
	err := cmdxctx.New(map[string]any{
		"When": when, "Text": "2026-01-02T03:04:05Z", "Many": []any{when}, "ID": id, "FromID": id.String(), "IDs": []any{id},
		"Big": amount, "Copied": *amount, "Digits": json.Number("12345678901234567890123"), "Link": link, "Wait": time.Minute, "Any": when,
	}).Decode(&target)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(target.When).To(Equal(when))
	g.Expect(target.Text).To(BeTemporally("==", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)))
	g.Expect(target.Many).To(Equal([]time.Time{when}))
	g.Expect(target.ID).To(Equal(id))
	g.Expect(target.FromID).To(Equal(id))
	g.Expect(target.IDs).To(Equal([]uuid.UUID{id}))
	g.Expect(target.Big).To(BeIdenticalTo(amount))
	g.Expect(target.Copied.Cmp(amount)).To(BeZero())
	g.Expect(target.Digits.String()).To(Equal("12345678901234567890123"))
	g.Expect(target.Link).To(BeIdenticalTo(link))
	g.Expect(target.Wait).To(Equal(time.Minute))
	g.Expect(target.Any).To(Equal(when))
}

func TestDecodeReshapes(t *testing.T) {
	g := NewWithT(t)
	type kind string
	var target struct {
		Address  address
		Ptr      *address
		List     []address
		Ptrs     []*address
		ByName   map[string]address
		Numbers  []int
		Kind     kind
		Back     map[string]any
		Optional *int
		FromPtr  int
		Flag     bool
	}
	n := 7
	m := map[string]any{"city": "c", "zip": 1.0, "CITY": "wrong"}
	err := cmdxctx.New(map[string]any{
		"Address": m, "Ptr": m, "List": []any{m, nil}, "Ptrs": []map[string]any{m, nil}, "ByName": map[string]any{"a": m},
		"Numbers": []any{1, int8(2), 3.0, json.Number("4")}, "Kind": "k", "Back": address{"c", 1}, "Optional": 5, "FromPtr": &n, "Flag": true,
	}).Decode(&target)
	want := address{"c", 1}
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(target.Address).To(Equal(want))
	g.Expect(target.Ptr).To(Equal(&want))
	g.Expect(target.List).To(Equal([]address{want, {}}))
	g.Expect(target.Ptrs).To(Equal([]*address{&want, nil}))
	g.Expect(target.ByName).To(Equal(map[string]address{"a": want}))
	g.Expect(target.Numbers).To(Equal([]int{1, 2, 3, 4}))
	g.Expect(target.Kind).To(Equal(kind("k")))
	g.Expect(target.Back).To(Equal(map[string]any{"city": "c", "zip": 1}))
	g.Expect(target.Optional).To(HaveValue(Equal(5)))
	g.Expect(target.FromPtr).To(Equal(7))
	g.Expect(target.Flag).To(BeTrue())
}

func TestDecodeReplaces(t *testing.T) {
	g := NewWithT(t)
	type used struct {
		Name   string
		Tags   map[string]int
		List   []int
		Nested address
		Any    any
		Gone   string
		Ptr    *address
	}
	old := &address{City: "old", Zip: 9}
	target := used{"old", map[string]int{"old": 1}, []int{1, 2, 3}, address{"old", 9}, map[string]any{"old": 1}, "old", old}
	c := cmdxctx.New(map[string]any{
		"Name": nil, "Tags": map[string]any{"new": 2}, "List": []any{4}, "Nested": map[string]any{"city": "new"},
		"Any": map[string]any{"new": 1}, "Ptr": map[string]any{"city": "new"},
	})
	g.Expect(c.Decode(&target)).To(Succeed())
	g.Expect(target).To(Equal(used{
		Tags: map[string]int{"new": 2}, List: []int{4}, Nested: address{City: "new"}, Any: map[string]any{"new": 1}, Ptr: &address{City: "new"},
	}))
	g.Expect(old.City).To(Equal("old"), "what others point to is not changed")
}

func TestDecodeSharesNoMapOrSlice(t *testing.T) {
	g := NewWithT(t)
	var target struct {
		M map[string]any
		L []any
	}
	c := cmdxctx.New(map[string]any{"M": map[string]any{"a": []int{1}}, "L": []map[string]int{{"n": 1}}})
	g.Expect(c.Decode(&target)).To(Succeed())
	target.M["a"].([]int)[0] = 2
	target.L[0].(map[string]int)["n"] = 2
	g.Expect(c.ToMap()).To(Equal(map[string]any{"M": map[string]any{"a": []int{1}}, "L": []map[string]int{{"n": 1}}}))
}

func TestDecodeIntoAMap(t *testing.T) {
	g := NewWithT(t)
	target := map[stringish]int8{"old": 1}
	g.Expect(cmdxctx.New(map[string]any{"a": 1, "b": 2.0}).Decode(&target)).To(Succeed())
	g.Expect(target).To(Equal(map[stringish]int8{"a": 1, "b": 2}))
	g.Expect(cmdxctx.New(map[string]any{"a": 300}).Decode(&target)).NotTo(Succeed())
	g.Expect(target).To(HaveLen(2), "a failure leaves the target as it was")
}

type (
	angry  struct{ X int }
	listed []listed
)

func (*angry) UnmarshalText([]byte) error { panic("4111 secret") }

func TestDecodeErrorsHoldNoValue(t *testing.T) {
	cyclic := map[string]any{}
	cyclic["Next"] = cyclic
	round := []any{nil}
	round[0] = round
	type node struct{ Next *node }
	type number struct{ N int8 }
	cases := map[string]struct {
		value, target any
		path          string
	}{
		"text into a number":       {map[string]any{"N": "4111 secret"}, &number{}, "N"},
		"too large":                {map[string]any{"N": 4111}, &number{}, "N"},
		"text into a bool":         {map[string]any{"B": "secret"}, &struct{ B bool }{}, "B"},
		"a number into text":       {map[string]any{"S": 4111}, &struct{ S string }{}, "S"},
		"a map into text":          {map[string]any{"S": map[string]any{"secret": 1}}, &struct{ S string }{}, "S"},
		"text into a slice":        {map[string]any{"L": "secret"}, &struct{ L []int }{}, "L"},
		"text in a slice":          {map[string]any{"L": []any{1, "secret"}}, &struct{ L []int }{}, "L"},
		"text into bytes":          {map[string]any{"L": "secret"}, &struct{ L []byte }{}, "L"},
		"text into a map":          {map[string]any{"M": "secret"}, &struct{ M map[string]int }{}, "M"},
		"secret keys":              {map[string]any{"M": map[string]any{"secret": "4111"}}, &struct{ M map[string]int }{}, "M"},
		"text into a struct":       {map[string]any{"A": "secret"}, &struct{ A address }{}, "A"},
		"a field of a struct":      {map[string]any{"A": map[string]any{"zip": "secret"}}, &struct{ A address }{}, "A.zip"},
		"a field in a slice":       {map[string]any{"A": []any{map[string]any{"zip": 1.5}}}, &struct{ A []address }{}, "A.zip"},
		"bad time":                 {map[string]any{"T": "secret"}, &struct{ T time.Time }{}, "T"},
		"a number into time":       {map[string]any{"T": 4111}, &struct{ T time.Time }{}, "T"},
		"a map into time":          {map[string]any{"T": map[string]any{"secret": 1}}, &struct{ T time.Time }{}, "T"},
		"a panicking method":       {map[string]any{"A": "secret"}, &struct{ A angry }{}, "A"},
		"a function":               {map[string]any{"F": "secret"}, &struct{ F func() }{}, "F"},
		"an interface":             {map[string]any{"E": "secret"}, &struct{ E error }{}, "E"},
		"a channel":                {map[string]any{"C": "secret"}, &struct{ C chan int }{}, "C"},
		"cyclic data":              {cyclic, &node{}, "Next"},
		"a type without an end":    {map[string]any{"L": round}, &struct{ L listed }{}, "L"},
		"uncomparable arrays":      {map[string]any{"A": []any{"secret"}}, &struct{ A [1][]int }{}, "A"},
		"two fields of one name":   {map[string]any{"same": 4111}, &clash{}, ""},
		"a nil target":             {map[string]any{"secret": 1}, nil, ""},
		"a nil pointer":            {map[string]any{"secret": 1}, (*number)(nil), ""},
		"a struct by value":        {map[string]any{"secret": 1}, number{}, ""},
		"a pointer to a number":    {map[string]any{"secret": 1}, new(int), ""},
		"an unexported nil struct": {map[string]any{"Visible": 1}, &struct{ *hidden }{}, "Visible"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			before := describe(c.target)
			err := cmdxctx.New(c.value.(map[string]any)).Decode(c.target)
			var bad *cmdxctx.DecodeError
			g.Expect(errors.As(err, &bad)).To(BeTrue())
			g.Expect(bad.Path).To(Equal(c.path))
			g.Expect(bad.Want).NotTo(BeEmpty())
			g.Expect(bad.Problem).NotTo(BeEmpty())
			g.Expect(err.Error()).NotTo(Or(ContainSubstring("secret"), ContainSubstring("4111")))
			g.Expect(errors.Unwrap(err)).To(BeNil())
			g.Expect(describe(c.target)).To(Equal(before), "the target is as it was")
		})
	}
}

// describe tells whether what target points to is zero.
func describe(target any) string {
	v := reflect.ValueOf(target)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return "none"
	}
	if v.Elem().IsZero() {
		return "zero"
	}
	return "filled"
}

func TestDecodeThroughUnexportedStructs(t *testing.T) {
	g := NewWithT(t)
	var byValue struct{ hidden }
	byPointer := struct{ *hidden }{&hidden{}}
	c := cmdxctx.New(map[string]any{"Visible": 3})
	g.Expect(c.Decode(&byValue)).To(Succeed())
	g.Expect(c.Decode(&byPointer)).To(Succeed())
	g.Expect(byValue.Visible).To(Equal(3))
	g.Expect(byPointer.Visible).To(Equal(3))
}
