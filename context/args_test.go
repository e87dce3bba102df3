package cmdxctx_test

import (
	"errors"
	"math/big"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	. "github.com/onsi/gomega"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

type (
	inner   struct{ City string }
	Common  struct{ RequestID string }
	hidden  struct{ Visible int }
	Deeper  struct{ Below string }
	selfish struct {
		*selfish
		N int
	}
	clash struct {
		A int `cmdx:"same"`
		B int `json:"same"`
	}
	shadow struct {
		Common
		RequestID string
	}
	stringish string
)

func TestValuesOfArguments(t *testing.T) {
	when, id := time.Now(), uuid.New()
	amount, link := big.NewInt(7), url.URL{Host: "example.org"}
	type args struct {
		Common
		*Deeper
		hidden
		time.Time
		PaymentID string `cmdx:"payment_id,required" json:"ignored"`
		Amount    int    `json:"amount,omitempty"`
		Plain     bool
		Left      int `cmdx:"-"`
		Out       int `json:"-"`
		secret    int
		Nested    inner
		When      time.Time
		ID        uuid.UUID
		Big       *big.Int
		Link      url.URL
	}
	given := args{
		Common: Common{"r"}, hidden: hidden{5}, Time: when, PaymentID: "p", secret: 1,
		Nested: inner{"c"}, When: when, ID: id, Big: amount, Link: link,
	}
	want := map[string]any{
		"RequestID": "r", "Visible": 5, "Time": when, "payment_id": "p", "amount": 0, "Plain": false,
		"Nested": inner{"c"}, "When": when, "ID": id, "Big": amount, "Link": link,
	}
	cases := map[string]struct{ args, want any }{
		"nil":              {nil, map[string]any(nil)},
		"a nil map":        {map[string]any(nil), map[string]any(nil)},
		"a nil named map":  {map[stringish]int(nil), map[string]any(nil)},
		"a nil pointer":    {(*args)(nil), map[string]any(nil)},
		"a nil context":    {(*cmdxctx.Context)(nil), map[string]any(nil)},
		"named keys":       {map[stringish]int{"a": 1}, map[string]any{"a": 1}},
		"a struct":         {given, want},
		"a pointer":        {&given, want},
		"an empty struct":  {struct{}{}, map[string]any{}},
		"embedding itself": {selfish{N: 1}, map[string]any{"N": 1}},
		"a struct of none": {struct {
			A int `cmdx:"-"`
		}{1}, map[string]any{}},
		"embedded and full": {struct{ *Deeper }{&Deeper{"x"}}, map[string]any{"Below": "x"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			values, shared, err := cmdxctx.Values(c.args)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(shared).To(BeNil())
			g.Expect(values).To(Equal(c.want))
		})
	}
}

func TestValuesHandsAMapThrough(t *testing.T) {
	g := NewWithT(t)
	given := map[string]any{"a": 1}
	values, _, err := cmdxctx.Values(given)
	g.Expect(err).NotTo(HaveOccurred())
	values["b"] = 2
	g.Expect(given).To(HaveKey("b"), "it is the same map")
	if n := testing.AllocsPerRun(100, func() { _, _, _ = cmdxctx.Values(given) }); n != 0 {
		t.Errorf("a map costs %v allocations", n)
	}
}

func TestValuesOfAContext(t *testing.T) {
	g := NewWithT(t)
	var life cmdxctx.Life
	var c cmdxctx.Context
	c.Begin(map[string]any{"a": 1}, &life, false)
	values, shared, err := cmdxctx.Values(&c)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(values).To(BeNil())
	g.Expect(shared).To(BeIdenticalTo(&c))

	life.End()
	values, shared, err = cmdxctx.Values(&c)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(values).To(Equal(map[string]any{"a": 1}))
	g.Expect(shared).To(BeNil())
}

func TestWhatIsNoArguments(t *testing.T) {
	for name, args := range map[string]any{
		"text": "secret", "a number": 4111, "int keys": map[int]string{1: "secret"}, "a slice": []string{"secret"},
		"time": time.Now(), "a big number": big.NewInt(4111), "a function": func() {}, "a channel": make(chan int),
		"a pointer to a pointer": new(*inner), "a pointer to a number": new(int), "any keys": map[any]any{"a": 1},
		"two of one name": clash{4111, 4111}, "a hidden name": shadow{}, "a copied context": *cmdxctx.New(nil),
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			_, _, err := cmdxctx.Values(args)
			var bad *cmdxctx.ArgsError
			g.Expect(errors.As(err, &bad)).To(BeTrue())
			g.Expect(bad.Type).NotTo(BeEmpty())
			g.Expect(err.Error()).To(And(ContainSubstring("map with string keys"), Not(ContainSubstring("secret")), Not(ContainSubstring("4111"))))
		})
	}
}
