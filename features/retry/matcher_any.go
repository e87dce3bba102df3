package retry

// Unretryable is what an error says of itself that a retry cannot mend:
// signals, panics, lost leases, and the faults of nested runs that were
// decided rather than raised. Errors of an application may say so too.
type Unretryable interface {
	// Unretryable is true when [AnyError] must leave the error alone.
	Unretryable() bool
}

type anyError bool

// AnyError matches every error but those that are, or wrap by a single error
// at each step, an [Unretryable] that says so. Beside a sibling, as errors.Join
// puts it, it does not count: something else went wrong too.
const AnyError anyError = true

// Match does not match nil.
func (anyError) Match(err error) bool {
	if err == nil {
		return false
	}
	for depth := deepest; err != nil && depth > 0; depth-- {
		if guarded(err, unretryable) {
			return false
		}
		several, one := unwrap(err)
		if one == nil {
			one = only(several)
		}
		err = one
	}
	return true
}

// only is the one error in a list that has no other; nil otherwise.
func only(list []error) (one error) {
	for _, err := range list {
		if err == nil {
			continue
		}
		if one != nil {
			return nil
		}
		one = err
	}
	return one
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
