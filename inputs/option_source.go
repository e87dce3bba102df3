package inputs

// FromInput takes the value of another input, by its reading name, by the key
// that callers pass, or by the path of a nested one ("address.zip"), instead
// of the caller's. The other must be declared before. What it became is taken:
// coerced, transformed and checked. nil counts as missing; where the other
// input is wrong, this one is left out, so that one mistake is told once.
func FromInput(name string) Option {
	return option(func(d *Declaration) { d.source, d.sourceInput = nil, name })
}

// FromFunc takes the value from a method of the task, or of a struct that it
// embeds, instead of the caller's: FromFunc((*ChargeCustomer).Tenant). The
// method sees what was declared before resolved and bound. nil counts as
// missing.
func FromFunc[T any](f func(*T) any) Option {
	method := methodOf(f)
	return option(func(d *Declaration) { d.source, d.sourceInput = method, "" })
}
