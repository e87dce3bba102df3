package inputs

// Default is the value of an optional input that is missing or nil. It is
// coerced, transformed and checked like a caller's. A map or slice is copied
// for every run, so that no run sees what another wrote. nil means no default.
// Of [Default], [DefaultFunc] and [DefaultFrom] the last one counts.
func Default(v any) Option {
	return option(func(d *Declaration) {
		d.constant, d.fallback, d.fallbackOf = v, nil, nil
		if v != nil {
			d.fallback = func() any { return v }
		}
	})
}

// DefaultFunc is a [Default] that is made when it is needed. f may be called by
// several runs at once; a map or slice that it returns is copied. A nil f
// means no default.
func DefaultFunc(f func() any) Option {
	return option(func(d *Declaration) { d.constant, d.fallback, d.fallbackOf = nil, f, nil })
}

// DefaultFrom is a [Default] that a method of the task makes, or one of a
// struct that it embeds: DefaultFrom((*ChargeCustomer).DefaultCurrency). The
// method sees what was declared before resolved and bound. A map or slice that
// it returns is copied; nil means no default in that run.
func DefaultFrom[T any](f func(*T) any) Option {
	method := methodOf(f)
	return option(func(d *Declaration) { d.constant, d.fallback, d.fallbackOf = nil, nil, method })
}
