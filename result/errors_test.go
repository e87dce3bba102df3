package result_test

import (
	"sync"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx/result"
)

func TestErrorsKeepEachMessageOncePerKeyInOrder(t *testing.T) {
	g := NewWithT(t)
	var e result.Errors
	e.Add("port", "could not coerce into an integer")
	e.Add("environment", "is required")
	e.Add("port", "must be at least 1")
	e.Add("port", "could not coerce into an integer")
	e.Add("environment", "must be at least 1")

	g.Expect(e.Get("port")).To(Equal([]string{"could not coerce into an integer", "must be at least 1"}))
	g.Expect(e.Get("unknown")).To(BeEmpty())
	g.Expect(e.Has("port")).To(BeTrue())
	g.Expect(e.Has("unknown")).To(BeFalse())
	g.Expect(e.Keys()).To(Equal([]string{"port", "environment"}))
	g.Expect(e.Len()).To(Equal(2))
	g.Expect(e.Count()).To(Equal(4))
	g.Expect(e.FullMessages()).To(Equal([]string{
		"port could not coerce into an integer", "port must be at least 1", "environment is required", "environment must be at least 1",
	}))
	g.Expect(e.String()).To(Equal("port could not coerce into an integer. port must be at least 1. environment is required. environment must be at least 1"))
	g.Expect(e.ToMap()).To(Equal(map[string][]string{
		"port":        {"could not coerce into an integer", "must be at least 1"},
		"environment": {"is required", "must be at least 1"},
	}))
	g.Expect(e.MarshalJSON()).To(MatchJSON(`{"port":["could not coerce into an integer","must be at least 1"],"environment":["is required","must be at least 1"]}`))
}

func TestErrorsHandOutCopies(t *testing.T) {
	g := NewWithT(t)
	var e result.Errors
	e.Add("a", "is bad")
	e.Get("a")[0] = "changed"
	e.Keys()[0] = "changed"
	e.FullMessages()[0] = "changed"
	e.ToMap()["a"][0] = "changed"
	g.Expect(e.FullMessages()).To(Equal([]string{"a is bad"}))
}

func TestEmptyAndNilErrors(t *testing.T) {
	for name, e := range map[string]*result.Errors{"nil": nil, "zero": {}} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			g.Expect(e.Get("a")).To(BeEmpty())
			g.Expect(e.Has("a")).To(BeFalse())
			g.Expect(e.Keys()).To(BeEmpty())
			g.Expect(e.Len()).To(BeZero())
			g.Expect(e.Count()).To(BeZero())
			g.Expect(e.FullMessages()).To(BeEmpty())
			g.Expect(e.String()).To(BeEmpty())
			g.Expect(e.ToMap()).To(Equal(map[string][]string{}))
			g.Expect(e.MarshalJSON()).To(MatchJSON(`{}`))
			mark := e.Mark()
			e.Merge(nil)
			e.Reset(mark)
			g.Expect(e.Count()).To(BeZero())
		})
	}
	var none *result.Errors
	none.Add("a", "b")
}

func TestZeroErrorsAllocateNothing(t *testing.T) {
	var e result.Errors
	if n := testing.AllocsPerRun(100, func() {
		e.Count()
		e.Len()
		e.Has("a")
		e.Reset(e.Mark())
	}); n != 0 {
		t.Errorf("empty errors allocate %v times", n)
	}
}

func TestErrorsMerge(t *testing.T) {
	g := NewWithT(t)
	var a, b result.Errors
	a.Add("x", "one")
	b.Add("y", "two")
	b.Add("x", "one")
	a.Merge(&b)
	a.Merge(&a)
	g.Expect(a.FullMessages()).To(Equal([]string{"x one", "y two"}))
	g.Expect(b.Count()).To(Equal(2))
}

func TestAMessageUnderNoKeyStandsAlone(t *testing.T) {
	var e result.Errors
	e.Add("", "the payment was refused")
	NewWithT(t).Expect(e.String()).To(Equal("the payment was refused"))
}

func TestResetDropsWhatWasAddedSince(t *testing.T) {
	g := NewWithT(t)
	var e result.Errors
	start := e.Mark()
	e.Add("a", "kept")
	mark := e.Mark()
	e.Add("a", "dropped")
	e.Add("b", "dropped")
	e.Add("a", "kept")
	e.Reset(mark)
	e.Reset(mark)
	g.Expect(e.FullMessages()).To(Equal([]string{"a kept"}))
	e.Add("b", "dropped")
	g.Expect(e.Has("b")).To(BeTrue(), "what was dropped can be added again")
	e.Reset(start)
	g.Expect(e.Count()).To(BeZero())
	e.Reset(mark)
	g.Expect(e.Count()).To(BeZero(), "a mark beyond the end drops nothing and adds nothing")
}

func TestErrorsFromManyGoroutines(t *testing.T) {
	var a, b result.Errors
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				a.Add("key", "message")
				b.Merge(&a)
				a.Merge(&b)
				_ = a.String()
				a.Reset(a.Mark())
			}
		})
	}
	wg.Wait()
	NewWithT(t).Expect(a.Count()).To(Equal(1))
}
