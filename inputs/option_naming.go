package inputs

// As gives the input another name to be read by: in Base.Input, in field tags,
// in [FromInput] and for its errors. Callers go on passing the declared key. It
// wins over [Prefix] and [Suffix].
func As(name string) Option {
	return option(func(d *Declaration) { d.as = &name })
}

// Prefix puts text before the name by which the input is read and its errors
// are kept, not before the key that callers pass.
func Prefix(text string) Option {
	return option(func(d *Declaration) { d.prefix = text })
}

// Suffix puts text behind the name by which the input is read and its errors
// are kept, not behind the key that callers pass.
func Suffix(text string) Option {
	return option(func(d *Declaration) { d.suffix = text })
}

// Description says in a sentence what the input means, for people who read the
// task's schema.
func Description(text string) Option {
	return option(func(d *Declaration) { d.description = text })
}
