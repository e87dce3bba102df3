package outputs

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/onsi/gomega"

	cmdxctx "github.com/cmdx-go/cmdx/context"
	"github.com/cmdx-go/cmdx/internal/run"
)

type task struct{ run.Anchor }

func (*task) Work(context.Context) error { return nil }

type sealed struct {
	run.Task
}

type report []string

func (r *report) Add(key, message string) { *r = append(*r, key+" "+message) }

type gate func(run.Task) bool

func (g gate) Allow(_ context.Context, t run.Task) bool { return g(t) }

func verify(values map[string]any, declarations ...Declaration) (*cmdxctx.Context, []string) {
	var s Set
	for _, d := range declarations {
		s = s.With(d)
	}
	bag, messages := cmdxctx.New(values), report{}
	s.Verify(context.Background(), sealed{}, bag, &messages)
	return bag, messages
}

func TestVerify(t *testing.T) {
	const missing = "x must be set in the context"
	for _, r := range []struct {
		name        string
		values      map[string]any
		declaration Declaration
		want        any
		message     string
	}{
		{"there", map[string]any{"x": 5}, New("x"), 5, ""},
		{"zero is there", map[string]any{"x": 0}, New("x"), 0, ""},
		{"empty text is there", map[string]any{"x": ""}, New("x"), "", ""},
		{"there, default", map[string]any{"x": 5}, New("x", Default(9)), 5, ""},
		{"missing", nil, New("x"), nil, missing},
		{"nil", map[string]any{"x": nil}, New("x"), nil, missing},
		{"nil pointer", map[string]any{"x": (*int)(nil)}, New("x", Default(9)), 9, ""},
		{"missing, default", nil, New("x", Default(9)), 9, ""},
		{"nil, default", map[string]any{"x": nil}, New("x", Default(9)), 9, ""},
		{"missing, default func", nil, New("x", DefaultFunc(func() any { return "made" })), "made", ""},
		{"missing, default func of nil", nil, New("x", DefaultFunc(func() any { return nil })), nil, missing},
		{"missing, default nil", nil, New("x", Default(nil)), nil, missing},
		{"default taken back", nil, New("x", Default(9), DefaultFunc(nil)), nil, missing},
		{"missing, gate shut", nil, New("x", If(run.Never)), nil, ""},
		{"missing, gate open", nil, New("x", If(run.Always)), nil, missing},
		{"missing, unless", nil, New("x", Unless(run.Always), Default(9)), nil, ""},
		{"missing, unless not", nil, New("x", Unless(run.Never)), nil, missing},
		{"missing, one gate shut", nil, New("x", If(run.Always), Unless(run.Always)), nil, ""},
		{"nil options", nil, New("x", nil, If(nil), Unless(nil)), nil, missing},
	} {
		t.Run(r.name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			bag, messages := verify(r.values, r.declaration)
			got, _ := bag.Get("x")
			g.Expect(strings.Join(messages, "|")).To(gomega.Equal(r.message))
			if r.want == nil {
				g.Expect(got).To(gomega.BeNil())
			} else {
				g.Expect(got).To(gomega.Equal(r.want))
			}
		})
	}
}

func TestAllErrorsInOrder(t *testing.T) {
	_, messages := verify(nil, New("b"), New("a"), New("c", Default(1)))
	gomega.NewWithT(t).Expect(messages).To(gomega.Equal([]string{"b must be set in the context", "a must be set in the context"}))
}

func TestGatesAreAskedAboutTheTask(t *testing.T) {
	g := gomega.NewWithT(t)
	subject, messages := &task{}, report{}
	var asked run.Task
	set := Set{}.With(New("x", If(gate(func(t run.Task) bool { asked = t; return false }))))
	set.Verify(context.Background(), subject, cmdxctx.New(nil), &messages)
	g.Expect(asked).To(gomega.BeIdenticalTo(subject))
	g.Expect(messages).To(gomega.BeEmpty())
}

func TestDefaultsAreNotShared(t *testing.T) {
	shared := map[string]any{"list": []int{1}}
	for name, option := range map[string]Option{
		"Default":     Default(shared),
		"DefaultFunc": DefaultFunc(func() any { return shared }),
	} {
		t.Run(name, func(t *testing.T) {
			var runs sync.WaitGroup
			for range 20 {
				runs.Go(func() {
					bag, _ := verify(nil, New("x", option))
					v, _ := bag.Get("x")
					v.(map[string]any)["list"].([]int)[0] = 2
					v.(map[string]any)["new"] = true
				})
			}
			runs.Wait()
			gomega.NewWithT(t).Expect(shared).To(gomega.Equal(map[string]any{"list": []int{1}}))
		})
	}
}

func TestSetNeverChanges(t *testing.T) {
	g := gomega.NewWithT(t)
	names := func(s Set) (list []string) {
		for _, d := range s.All() {
			list = append(list, d.Name())
		}
		return list
	}
	parent := Set{}.With(New("a")).With(New("b"))
	left, right := parent.With(New("l")), parent.With(New("r"))
	replaced := parent.With(New("a", If(run.Never)))
	g.Expect(names(parent)).To(gomega.Equal([]string{"a", "b"}))
	g.Expect(names(left)).To(gomega.Equal([]string{"a", "b", "l"}))
	g.Expect(names(right)).To(gomega.Equal([]string{"a", "b", "r"}))
	g.Expect(names(replaced)).To(gomega.Equal([]string{"a", "b"}))
	ifGate, unless := replaced.All()[0].Gates()
	g.Expect(ifGate).To(gomega.Equal(run.Never))
	g.Expect(unless).To(gomega.BeNil())
	ifGate, _ = parent.All()[0].Gates()
	g.Expect(ifGate).To(gomega.BeNil())
	g.Expect(Set{}.Len()).To(gomega.Equal(0))
}
