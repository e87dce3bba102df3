package cmdxctx_test

import (
	"errors"
	"testing"

	. "github.com/onsi/gomega"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

func TestMerge(t *testing.T) {
	g := NewWithT(t)
	c := cmdxctx.New(map[string]any{"a": 1, "deep": map[string]any{"x": 1}})
	g.Expect(c.Merge(
		map[string]any{"a": 2, "deep": map[string]any{"y": 2}},
		cmdxctx.New(map[string]any{"a": 3}),
		nil,
		struct{ Name string }{"n"},
		c,
	)).To(Succeed())
	g.Expect(c.ToMap()).To(Equal(map[string]any{"a": 3, "deep": map[string]any{"y": 2}, "Name": "n"}))
}

func TestMergeOfSomethingElseWritesNothing(t *testing.T) {
	g := NewWithT(t)
	c := cmdxctx.New(nil)
	err := c.Merge(map[string]any{"a": 1}, "secret-text")
	var bad *cmdxctx.ArgsError
	g.Expect(errors.As(err, &bad)).To(BeTrue())
	g.Expect(bad.Type).To(Equal("string"))
	g.Expect(err.Error()).NotTo(ContainSubstring("secret"))
	g.Expect(c.Len()).To(BeZero())
}

func TestDeepMerge(t *testing.T) {
	type named map[string]int
	cases := map[string]struct{ mine, theirs, want any }{
		"maps meet":               {map[string]any{"x": 1, "y": 1}, map[string]any{"y": 2}, map[string]any{"x": 1, "y": 2}},
		"at every depth":          {map[string]any{"d": map[string]any{"x": 1}}, map[string]any{"d": map[string]any{"y": 2}}, map[string]any{"d": map[string]any{"x": 1, "y": 2}}},
		"equal types stay":        {named{"x": 1}, named{"y": 2}, named{"x": 1, "y": 2}},
		"unequal types meet":      {named{"x": 1}, map[string]any{"y": "z"}, map[string]any{"x": 1, "y": "z"}},
		"slices are replaced":     {[]int{1, 2}, []int{3}, []int{3}},
		"a map replaces a value":  {1, map[string]any{"x": 1}, map[string]any{"x": 1}},
		"a value replaces a map":  {map[string]any{"x": 1}, 1, 1},
		"nil replaces":            {map[string]any{"x": 1}, nil, nil},
		"a nil map adds nothing":  {named{"x": 1}, named(nil), named{"x": 1}},
		"inner nil in typed maps": {map[string]any{"x": nil}, map[string]any{"y": nil}, map[string]any{"x": nil, "y": nil}},
		"typed maps of maps": {
			map[string]map[string]any{"d": {"x": 1}}, map[string]map[string]any{"d": {"y": 2}},
			map[string]map[string]any{"d": {"x": 1, "y": 2}},
		},
		"inner types that no longer fit": {
			map[string]any{"d": map[string]int{"x": 1}}, map[string]any{"d": map[string]string{"y": "z"}},
			map[string]any{"d": map[string]any{"x": 1, "y": "z"}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			bag := cmdxctx.New(map[string]any{"v": c.mine})
			g.Expect(bag.DeepMerge(map[string]any{"v": c.theirs})).To(Succeed())
			g.Expect(bag.ToMap()).To(Equal(map[string]any{"v": c.want}))
		})
	}
}

func TestDeepMergeChangesNobodysMap(t *testing.T) {
	g := NewWithT(t)
	mine, theirs := map[string]any{"x": 1}, map[string]any{"y": 2}
	c := cmdxctx.New(map[string]any{"v": mine})
	g.Expect(c.DeepMerge(map[string]any{"v": theirs})).To(Succeed())
	g.Expect(c.DeepMerge(map[string]any{"v": map[string]any{"z": 3}})).To(Succeed())
	g.Expect(mine).To(Equal(map[string]any{"x": 1}))
	g.Expect(theirs).To(Equal(map[string]any{"y": 2}))
	g.Expect(c.MustGet("v")).To(HaveLen(3))
}

func TestDeepMergeOfCyclicMapsEnds(t *testing.T) {
	g := NewWithT(t)
	mine, theirs := map[string]any{"a": 1}, map[string]any{"b": 2}
	mine["self"], theirs["self"] = mine, theirs
	c := cmdxctx.New(map[string]any{"v": mine})
	g.Expect(c.DeepMerge(map[string]any{"v": theirs})).To(Succeed())
	g.Expect(c.DeepMerge(c)).To(Succeed())
	g.Expect(c.MustGet("v")).To(And(HaveKeyWithValue("a", 1), HaveKeyWithValue("b", 2)))
}
