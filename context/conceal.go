package cmdxctx

import (
	"maps"
	"slices"
)

// Redacted is what stands for a value that must not be shown.
const Redacted = "[redacted]"

// Hidden says by where they lie which values must not be shown. It never
// changes. A nil *Hidden hides nothing.
type Hidden struct {
	all  bool
	keys map[string]*Hidden
	each *Hidden
}

// HideAll hides the value that it stands for, whatever lies in it.
func HideAll() *Hidden { return &Hidden{all: true} }

// HideKey hides under a key of a map or struct what below hides in there.
func HideKey(key string, below *Hidden) *Hidden {
	if below == nil {
		return nil
	}
	return &Hidden{keys: map[string]*Hidden{key: below}}
}

// HideEach hides in every element of a list what below hides in it.
func HideEach(below *Hidden) *Hidden {
	if below == nil {
		return nil
	}
	return &Hidden{each: below}
}

// And hides what either hides.
func (h *Hidden) And(other *Hidden) *Hidden {
	switch {
	case h == nil || other != nil && other.all:
		return other
	case other == nil || h.all || h == other:
		return h
	}
	both := &Hidden{keys: maps.Clone(h.keys), each: h.each.And(other.each)}
	for key, below := range other.keys {
		if both.keys == nil {
			both.keys = map[string]*Hidden{}
		}
		both.keys[key] = both.keys[key].And(below)
	}
	return both
}

func (h *Hidden) under(key string) *Hidden {
	if h == nil {
		return nil
	}
	return h.keys[key]
}

// traits are what a Context rarely has. They never change, but are replaced.
type traits struct {
	strict bool
	hidden *Hidden
	// texts are the forms of hidden values, so that copies are known.
	texts []string
}

var strictOnly = &traits{strict: true}

func traitsOf(strict bool) *traits {
	if strict {
		return strictOnly
	}
	return nil
}

// Conceal lets [Context.ToShow], and with it JSON, leave out what h hides. What
// was hidden before stays so. It may be called from several goroutines.
func (c *Context) Conceal(h *Hidden) {
	if h != nil {
		c.alter(func(t *traits) { t.hidden = t.hidden.And(h) })
	}
}

// ConcealValue lets copies of v, and of the texts and numbers in it, be left
// out too, wherever they lie. What is too short to be told from other values
// is not looked for. It may be called from several goroutines.
func (c *Context) ConcealValue(v any) {
	texts := textsIn(v)
	if len(texts) == 0 {
		return
	}
	c.alter(func(t *traits) {
		list := slices.Clip(t.texts)
		for _, text := range texts {
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
		t.texts = list
	})
}

// Inherit lets what from conceals be concealed by c too.
func (c *Context) Inherit(from *Context) {
	if from == nil || c == from {
		return
	}
	theirs := from.traits.Load()
	if theirs == nil || theirs.hidden == nil && len(theirs.texts) == 0 {
		return
	}
	c.alter(func(t *traits) {
		t.hidden = t.hidden.And(theirs.hidden)
		t.texts = append(slices.Clip(t.texts), theirs.texts...)
	})
}

func (c *Context) alter(change func(*traits)) {
	if c == nil {
		return
	}
	for {
		before, after := c.traits.Load(), &traits{}
		if before != nil {
			*after = *before
		}
		change(after)
		if c.traits.CompareAndSwap(before, after) {
			return
		}
	}
}

// Conceals tells whether a text is a concealed value, or holds one. Values too
// short to be told from others are not looked for.
func (c *Context) Conceals(text string) bool {
	if c == nil {
		return false
	}
	t := c.traits.Load()
	return t != nil && holdsAny(text, t.texts)
}

// Scrub returns the text with [Redacted] in the place of every concealed value.
func (c *Context) Scrub(text string) string {
	if !c.Conceals(text) {
		return text
	}
	return scrubbed(text, c.traits.Load().texts)
}

// ToShow returns the data as a map for people to see: a shallow copy in which
// [Redacted] stands for every value that is concealed, and for copies of it.
func (c *Context) ToShow() map[string]any {
	if !c.concealing() {
		return c.ToMap()
	}
	shown, _ := c.shown().(map[string]any)
	return shown
}

// shown is the data as [Context.ToShow] gives it, or itself when nothing in it
// is concealed.
func (c *Context) shown() any {
	if !c.concealing() {
		return c.values
	}
	t := c.traits.Load()
	shown := make(map[string]any, len(c.values))
	for key, value := range c.values {
		r := redaction{texts: t.texts}
		if t.hidden != nil && t.hidden.all {
			shown[key] = Redacted
		} else {
			shown[key] = r.value(value, t.hidden.under(key))
		}
	}
	return shown
}

// Show returns v, or a copy of it in which [Redacted] stands for copies of
// concealed values.
func (c *Context) Show(v any) any {
	if !c.concealing() {
		return v
	}
	return redaction{texts: c.traits.Load().texts}.value(v, nil)
}

func (c *Context) concealing() bool {
	if c == nil {
		return false
	}
	t := c.traits.Load()
	return t != nil && (t.hidden != nil || len(t.texts) > 0)
}
