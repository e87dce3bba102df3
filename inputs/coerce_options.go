package inputs

import "slices"

// Base reads the text of an [Integer] in another base than ten, 2 to 36, with
// or without the prefix that Go gives 2, 8 and 16. Base 0 lets the prefix 0x,
// 0o or 0b decide; without one the text is decimal, leading zeros or not.
// Numbers are what they are in any base. Another base, and a Base for an input
// that is no integer, are definition errors.
func Base(n int) Option {
	return option(func(d *Declaration) { d.base = &n })
}

// Layout reads the text of a [Date], [DateTime] or [Time] by layouts of package
// time, the first that fits, instead of the usual ones. Text without a zone is
// UTC; a zone that is only named is refused, unless it is UTC or GMT, because
// its name does not tell the offset. No layout, one that asks for no part of a
// time, and a Layout for another input are definition errors.
func Layout(layouts ...string) Option {
	list := append([]string{}, layouts...)
	return option(func(d *Declaration) { d.layouts = list })
}

// based is a coercion that Base changes.
type based interface{ withBase(base int) Coercion }

// laidOut is a coercion that Layout changes.
type laidOut interface {
	withLayouts(layouts []string) Coercion
}

// adjusted applies the options to the coercions that they are for.
func (c *compilation) adjusted(list []Coercion, d Declaration) []Coercion {
	list = slices.Clone(list)
	taken := false
	for i, coercion := range list {
		if b, ok := coercion.(based); ok && d.base != nil {
			list[i], taken = b.withBase(*d.base), true
		}
	}
	if d.base != nil {
		c.checkBase(d, taken)
	}
	taken = false
	for i, coercion := range list {
		if l, ok := coercion.(laidOut); ok && d.layouts != nil {
			list[i], taken = l.withLayouts(d.layouts), true
		}
	}
	if d.layouts != nil {
		c.checkLayouts(d, taken)
	}
	return list
}

func (c *compilation) checkBase(d Declaration, taken bool) {
	if base := *d.base; base != 0 && (base < 2 || base > 36) {
		c.refuse("Give it a base from 2 to 36, or 0 for the prefix.", "the input %q has the base %d", d.name, base)
	}
	if !taken {
		c.refuse("Add inputs.Coerce(inputs.Integer), or leave the base out.", "the input %q has a base and is no integer", d.name)
	}
}

func (c *compilation) checkLayouts(d Declaration, taken bool) {
	const fix = `Write one as package time does, such as inputs.Layout("02.01.2006").`
	if len(d.layouts) == 0 {
		c.refuse(fix, "the input %q has a Layout without layouts", d.name)
	}
	for _, layout := range d.layouts {
		if !isLayout(layout) {
			c.refuse(fix, "the input %q has the layout %q, which asks for no part of a time", d.name, layout)
		}
	}
	if !taken {
		c.refuse("Add inputs.Coerce(inputs.Date), inputs.DateTime or inputs.Time, or leave the layout out.",
			"the input %q has a layout and is no time", d.name)
	}
}
