package retry

// The bounds of a walk through an error's chain: how deep one branch is
// followed, and how many errors are looked at in all. Chains that come back
// to themselves end there; no honest chain comes near.
const (
	deepest = 1_000
	widest  = 10_000
)

// chain walks through an error and what it wraps, an error before what it
// wraps, in the order of errors.Is.
type chain struct{ left int }

// has tells whether found holds for err or for something that it wraps. A
// panicking method of an error ends its own branch only.
func has(err error, found func(error) bool) bool {
	c := chain{left: widest}
	return c.has(err, found, deepest)
}

func (c *chain) has(err error, found func(error) bool, depth int) bool {
	for ; err != nil && depth > 0 && c.left > 0; depth-- {
		c.left--
		if guarded(err, found) {
			return true
		}
		several, next := unwrap(err)
		for _, e := range several {
			if c.has(e, found, depth-1) {
				return true
			}
		}
		err = next
	}
	return false
}

// guarded asks found; a panic, as a typed nil's method may raise, is a no.
func guarded(err error, found func(error) bool) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	return found(err)
}

// unwrap gives what err wraps: several errors, one, or nothing.
func unwrap(err error) (several []error, one error) {
	defer func() {
		if recover() != nil {
			several, one = nil, nil
		}
	}()
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return nil, e.Unwrap()
	case interface{ Unwrap() []error }:
		return e.Unwrap(), nil
	}
	return nil, nil
}
