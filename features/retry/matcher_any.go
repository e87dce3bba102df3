package retry

// Unretryable is what an error says of itself that a retry cannot mend:
// signals, panics, lost leases, and the faults of nested runs that were
// decided rather than raised. Errors of an application may say so too.
type Unretryable interface {
	// Unretryable is true when [AnyError] must leave the error alone.
	Unretryable() bool
}

type anyError bool

// AnyError matches every error but those in whose chain an [Unretryable]
// stands that says so.
const AnyError anyError = true

// Match does not match nil.
func (anyError) Match(err error) bool {
	return err != nil && !has(err, unretryable)
}

// unretryable takes an error that panics over the question at its type's
// word: it is not tried again.
func unretryable(err error) (yes bool) {
	u, ok := err.(Unretryable)
	if !ok {
		return false
	}
	defer func() {
		if recover() != nil {
			yes = true
		}
	}()
	return u.Unretryable()
}
