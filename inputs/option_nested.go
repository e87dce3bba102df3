package inputs

import "slices"

// Nested declares what lies in the input: children are read from its map or
// struct, or from the text of a JSON object, each through all the steps of an
// input, when the parent is there and not nil. They are declared by [Required]
// and [Optional] and may have children themselves. The parent's value is a map
// of its own with every child under its reading name, or what a bound field
// makes of it.
//
// A child is read by its path, "address.zip": in Base.Input, in field tags, in
// [FromInput], which finds the child's siblings by their names alone, and for
// its errors. A parent of another kind is one error, without its children's.
func Nested(children ...Declaration) Option {
	return option(func(d *Declaration) { d.children, d.each = slices.Clone(children), false })
}

// Each declares what lies in every element of an input that is a list: children
// are read from each element as [Nested] reads them from the input. Errors have
// the element's index in their path, "lines[1].sku". The children of elements
// have no values to be read by name and bind no fields; they are in the
// elements of the list.
func Each(children ...Declaration) Option {
	return option(func(d *Declaration) { d.children, d.each = slices.Clone(children), true })
}
