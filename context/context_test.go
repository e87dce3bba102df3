package cmdxctx_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"unsafe"

	. "github.com/onsi/gomega"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/halt"
)

func TestContextReadsAndWrites(t *testing.T) {
	g := NewWithT(t)
	given := map[string]any{"b": 2, "a": nil}
	c := cmdxctx.New(given)
	c.Set("c", "three")
	c.Delete("b")
	c.Delete("unknown")

	g.Expect(c.Keys()).To(Equal([]string{"a", "c"}))
	g.Expect(c.Len()).To(Equal(2))
	g.Expect(c.Has("a")).To(BeTrue(), "a nil is there")
	g.Expect(c.Has("b")).To(BeFalse())
	value, ok := c.Get("c")
	g.Expect(ok).To(BeTrue())
	g.Expect(value).To(Equal("three"))
	g.Expect(given).To(Equal(map[string]any{"b": 2, "a": nil}), "the caller's map is never changed")

	handed := c.ToMap()
	handed["c"] = "changed"
	g.Expect(c.MustGet("c")).To(Equal("three"))
}

func TestNilContextReadsAsEmpty(t *testing.T) {
	g := NewWithT(t)
	var c *cmdxctx.Context
	c.Set("a", 1)
	c.Delete("a")
	c.Begin(map[string]any{"a": 1}, nil, true)
	g.Expect(c.Merge(map[string]any{"a": 1})).To(Succeed())
	g.Expect(c.DeepMerge(map[string]any{"a": 1})).To(Succeed())
	g.Expect(c.MustGet("a")).To(BeNil())
	g.Expect(c.Keys()).To(BeEmpty())
	g.Expect(c.Len()).To(BeZero())
	g.Expect(c.Has("a")).To(BeFalse())
	g.Expect(c.ToMap()).To(Equal(map[string]any{}))
	g.Expect(c.Clone().Len()).To(BeZero())
	g.Expect(c.Branch().Len()).To(BeZero())
	g.Expect(c.Ended()).To(BeFalse())
	g.Expect(c.Life()).To(BeNil())
	g.Expect(c.String()).To(Equal("context of 0 keys"))
	g.Expect(c.MarshalJSON()).To(MatchJSON(`{}`))
	target := struct{ A int }{5}
	g.Expect(c.Decode(&target)).To(Succeed())
	g.Expect(target.A).To(BeZero())
	_, ok := cmdxctx.Get[int](c, "a")
	g.Expect(ok).To(BeFalse())
}

func TestZeroContextCostsNoMap(t *testing.T) {
	var c cmdxctx.Context
	values := map[string]any{}
	if n := testing.AllocsPerRun(100, func() {
		c.Begin(values, nil, false)
		c.Get("a")
		c.Len()
		c.Keys()
	}); n != 0 {
		t.Errorf("an empty context allocates %v times", n)
	}
	c.Set("a", 1)
	NewWithT(t).Expect(c.MustGet("a")).To(Equal(1))
}

func TestSizes(t *testing.T) {
	g := NewWithT(t)
	g.Expect(int(unsafe.Sizeof(cmdxctx.Context{}))).To(BeNumerically("<=", 24))
	var life cmdxctx.Life
	g.Expect(int(unsafe.Sizeof(life))).To(BeNumerically("<=", 16))
}

func TestTypedGet(t *testing.T) {
	g := NewWithT(t)
	c := cmdxctx.New(map[string]any{"n": 3, "nil": nil, "e": errors.New("e")})

	n, ok := cmdxctx.Get[int](c, "n")
	g.Expect(n).To(Equal(3))
	g.Expect(ok).To(BeTrue())
	_, ok = cmdxctx.Get[int64](c, "n")
	g.Expect(ok).To(BeFalse(), "another number type is not converted")
	_, ok = cmdxctx.Get[error](c, "e")
	g.Expect(ok).To(BeTrue())
	_, ok = cmdxctx.Get[any](c, "nil")
	g.Expect(ok).To(BeTrue())
	_, ok = cmdxctx.Get[*int](c, "nil")
	g.Expect(ok).To(BeFalse(), "an untyped nil is no pointer")
	_, ok = cmdxctx.Get[any](c, "missing")
	g.Expect(ok).To(BeFalse())
}

func TestMustGetStopsAStrictRun(t *testing.T) {
	g := NewWithT(t)
	g.Expect(cmdxctx.New(nil).MustGet("missing")).To(BeNil())

	var c cmdxctx.Context
	c.Begin(map[string]any{"there": nil}, nil, true)
	g.Expect(c.MustGet("there")).To(BeNil())
	_, ok := c.Get("missing")
	g.Expect(ok).To(BeFalse())

	defer func() {
		stop, ok := recover().(halt.Stop)
		g.Expect(ok).To(BeTrue())
		var unknown *cmdxctx.UnknownKeyError
		g.Expect(errors.As(stop.Err, &unknown)).To(BeTrue())
		g.Expect(unknown.Key).To(Equal("missing"))
		g.Expect(unknown.Error()).To(ContainSubstring(`"missing"`))
	}()
	c.MustGet("missing")
	t.Error("MustGet returned")
}

func TestPrintingShowsNoValue(t *testing.T) {
	g := NewWithT(t)
	c := cmdxctx.New(map[string]any{"card": "4111-secret"})
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", c), c.LogValue().String()} {
		g.Expect(text).To(Equal("context of 1 keys"))
	}
}

type failing struct{}

func (failing) MarshalJSON() ([]byte, error) { panic("no") }

func TestJSONNeverFails(t *testing.T) {
	g := NewWithT(t)
	c := cmdxctx.New(map[string]any{"n": 1, "e": errors.New("went wrong"), "bad": failing{}, "ch": make(chan int)})
	c.Set("self", c)
	data, err := json.Marshal(c)
	g.Expect(err).NotTo(HaveOccurred())
	var back map[string]any
	g.Expect(json.Unmarshal(data, &back)).To(Succeed())
	g.Expect(back).To(HaveKeyWithValue("n", 1.0))
	g.Expect(back).To(HaveKeyWithValue("e", "went wrong"))
	g.Expect(back["self"]).To(BeAssignableToTypeOf(""))
	g.Expect(back).To(HaveLen(5))
}
