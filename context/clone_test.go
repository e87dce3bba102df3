package cmdxctx_test

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

type (
	tags  []string
	index map[string]tags
)

func TestCloneIsDeepForMapsAndSlices(t *testing.T) {
	g := NewWithT(t)
	shared, now := &struct{ N int }{1}, time.Now()
	original := cmdxctx.New(map[string]any{
		"index":  index{"a": {"x", "y"}},
		"list":   []any{map[string]int{"n": 1}, nil, []byte("ab")},
		"ptr":    shared,
		"time":   now,
		"nil":    nil,
		"nilmap": map[string]int(nil),
		"empty":  []int{},
	})
	clone := original.Clone()
	g.Expect(clone.ToMap()).To(Equal(original.ToMap()))

	i, _ := cmdxctx.Get[index](clone, "index")
	i["a"][0] = "changed"
	i["b"] = nil
	list, _ := cmdxctx.Get[[]any](clone, "list")
	list[0].(map[string]int)["n"] = 2
	list[2].([]byte)[0] = 'z'
	clone.Set("new", 1)

	g.Expect(original.MustGet("index")).To(Equal(index{"a": {"x", "y"}}))
	g.Expect(original.MustGet("list")).To(Equal([]any{map[string]int{"n": 1}, nil, []byte("ab")}))
	g.Expect(original.Has("new")).To(BeFalse())
	g.Expect(clone.MustGet("ptr")).To(BeIdenticalTo(shared))
	g.Expect(clone.MustGet("nilmap")).To(BeNil())
	g.Expect(clone.MustGet("empty")).NotTo(BeNil())
}

func TestCloneOfCyclicData(t *testing.T) {
	g := NewWithT(t)
	m := map[string]any{"n": 1}
	m["self"] = m
	list := []any{nil, m}
	list[0] = list
	clone := cmdxctx.New(map[string]any{"m": m, "list": list}).Clone()

	copied := clone.MustGet("m").(map[string]any)
	copied["n"] = 2
	g.Expect(m["n"]).To(Equal(1))
	g.Expect(copied["self"].(map[string]any)["n"]).To(Equal(2), "the cycle comes out as a cycle")
	copiedList := clone.MustGet("list").([]any)
	copiedList[1] = "changed"
	g.Expect(copiedList[0].([]any)[1]).To(Equal("changed"))
	g.Expect(list[1]).To(HaveKey("self"))
}

func TestCloneKeepsStrictness(t *testing.T) {
	var c cmdxctx.Context
	c.Begin(map[string]any{"a": 1}, nil, true)
	g := NewWithT(t)
	g.Expect(c.Clone().Strict()).To(BeTrue())
	g.Expect(c.Branch().Strict()).To(BeTrue())
}
