package inputs

import (
	"slices"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Option is a part of a [Declaration], made by the functions of this package.
// A nil Option says nothing.
type Option interface{ declare(*Declaration) }

// option is the Option that most functions make.
type option func(*Declaration)

func (o option) declare(d *Declaration) { o(d) }

// Coerce says what the value is made into. Several coercions are tried in
// order, and the first that takes the value wins. Given twice in one
// declaration, the last list counts. Without any, the coercion is that of the
// bound field's type.
func Coerce(coercions ...Coercion) Option {
	list := slices.Clone(coercions)
	return option(func(d *Declaration) { d.coercions = list })
}

// Condition is made by [If] and [Unless]. It fits declarations, where it says
// in which runs an input is required.
type Condition struct {
	gate   run.Gate
	unless bool
}

func (c Condition) declare(d *Declaration) {
	if c.unless {
		d.unless = c.gate
	} else {
		d.ifGate = c.gate
	}
}

// If makes a required input required only in runs that the gate lets through;
// in others it is optional. The gate is asked when the input's turn comes: what
// was declared before it has been resolved and bound. Given twice, the last
// gate counts; a nil gate lets every run through. For an optional input it
// would change nothing and is a definition error.
func If(gate run.Gate) Condition { return Condition{gate: gate} }

// Unless makes a required input optional in runs that the gate lets through.
// Otherwise it is as [If].
func Unless(gate run.Gate) Condition { return Condition{gate: gate, unless: true} }
