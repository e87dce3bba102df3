package cmdxctx_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/gomega"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

func TestWritesAfterTheEndAreIgnoredWithOneWarning(t *testing.T) {
	g := NewWithT(t)
	var life cmdxctx.Life
	var log bytes.Buffer
	life.SetLogger(slog.New(slog.NewTextHandler(&log, nil)))
	var c, other cmdxctx.Context
	c.Begin(map[string]any{"a": 1, "deep": map[string]any{}}, &life, false)
	other.Begin(nil, &life, false)
	branch := c.Branch()
	c.Set("b", 2)
	g.Expect(log.String()).To(BeEmpty())
	g.Expect(c.Ended()).To(BeFalse())

	life.End()
	life.End()
	c.Set("b", "late-value")
	c.Set("c", 3)
	c.Delete("a")
	g.Expect(c.Merge(map[string]any{"d": 4})).To(Succeed())
	g.Expect(c.DeepMerge(map[string]any{"d": 4})).To(Succeed())
	other.Set("x", 1)
	branch.Set("x", 1)

	g.Expect(c.Ended()).To(BeTrue())
	g.Expect(c.Life()).To(BeIdenticalTo(&life))
	g.Expect(c.ToMap()).To(Equal(map[string]any{"a": 1, "b": 2, "deep": map[string]any{}}))
	g.Expect(other.Len()).To(BeZero())
	g.Expect(branch.Has("x")).To(BeFalse())
	g.Expect(strings.Count(log.String(), "level=WARN")).To(Equal(1))
	g.Expect(log.String()).NotTo(ContainSubstring("late-value"))

	clone := c.Clone()
	clone.Set("b", 3)
	g.Expect(clone.MustGet("b")).To(Equal(3), "a clone belongs to no run")
}

func TestSilentAndNilLives(t *testing.T) {
	g := NewWithT(t)
	var none *cmdxctx.Life
	none.End()
	none.SetLogger(slog.Default())
	g.Expect(none.Ended()).To(BeFalse())
	g.Expect(none.Logger()).To(BeNil())

	var life cmdxctx.Life
	life.End()
	var c cmdxctx.Context
	c.Begin(nil, &life, false)
	c.Set("a", 1)
	g.Expect(c.Len()).To(BeZero())
}

type panicking struct{ slog.Handler }

func (panicking) Enabled(context.Context, slog.Level) bool { panic("handler") }

func TestAHandlerThatPanicsDoesNoHarm(t *testing.T) {
	var life cmdxctx.Life
	life.SetLogger(slog.New(panicking{slog.DiscardHandler}))
	life.End()
	var c cmdxctx.Context
	c.Begin(nil, &life, false)
	c.Set("a", 1)
	NewWithT(t).Expect(c.Len()).To(BeZero())
}

func TestLateWritersAtOnce(t *testing.T) {
	var life cmdxctx.Life
	var log bytes.Buffer
	life.SetLogger(slog.New(slog.NewTextHandler(&log, nil)))
	var c cmdxctx.Context
	c.Begin(map[string]any{"a": 1}, &life, false)
	life.End()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { c.Set("a", 2) })
	}
	wg.Wait()
	g := NewWithT(t)
	g.Expect(c.MustGet("a")).To(Equal(1))
	g.Expect(strings.Count(log.String(), "level=WARN")).To(Equal(1))
}
