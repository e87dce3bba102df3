package inputs

import "slices"

// Option is a part of a [Declaration], made by the functions of this package.
// A nil Option says nothing.
type Option func(*Declaration)

// Coerce says what the value is made into. Several coercions are tried in
// order, and the first that takes the value wins. Given twice in one
// declaration, the last list counts. Without any, the coercion is that of the
// bound field's type.
func Coerce(coercions ...Coercion) Option {
	list := slices.Clone(coercions)
	return func(d *Declaration) { d.coercions = list }
}

// Default is the value of an optional input that is missing or nil. It is
// coerced and checked like a caller's. A map or slice is copied for every run,
// so that no run sees what another wrote. nil means no default.
func Default(v any) Option {
	return func(d *Declaration) {
		d.constant, d.fallback = v, nil
		if v != nil {
			d.fallback = func() any { return v }
		}
	}
}

// DefaultFunc is a [Default] that is made when it is needed. f may be called by
// several runs at once; a map or slice that it returns is copied. A nil f
// means no default.
func DefaultFunc(f func() any) Option {
	return func(d *Declaration) { d.constant, d.fallback = nil, f }
}

// Presence refuses nil, "", text of white space only and empty collections:
// "cannot be empty". Zero and false are values.
func Presence() Option { return withRule(presenceRule{}) }

// Validate checks the coerced value by a tag of validator/v10, such as
// "gt=0,lte=100" or "omitempty,email". The first rule of the tag that does not
// hold is reported. Rules that look at other fields, that do not know the
// value's type or that are written wrongly are definition errors. In such a
// tag "required" means "not zero"; that the key must be there is what
// [Required] says.
func Validate(tag string) Option { return withRule(tagRule(tag)) }

func withRule(r rule) Option {
	return func(d *Declaration) { d.rules = append(slices.Clip(d.rules), r) }
}
