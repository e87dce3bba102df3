package run

// SensitiveKeyError says that a guard's key would have shown the value of a
// sensitive input.
type SensitiveKeyError struct {
	// Task is the task's name.
	Task string
}

// Error tells what to write instead.
func (e *SensitiveKeyError) Error() string {
	return "a key of task " + e.Task + " would hold the value of a sensitive input: let cmdx.Hashed make it of the resolver"
}

// exposes tells whether a segment would show what must not be shown. Inputs
// that are asked for by name were looked at when the task was defined, so that
// a value which only happens to be equal does no harm.
func exposes(task Task, resolver KeyResolver, segment string) bool {
	r := Of(task)
	if r == nil {
		return false
	}
	switch k := resolver.(type) {
	case Hashed, Literal:
		return false
	case FromContext:
		if _, declared := r.Input(string(k)); declared {
			return false
		}
	}
	return r.Context.Conceals(segment)
}

// Exposed gives the name by which a resolver asks for a value as it is; "" for
// one that hashes, or of which nobody can tell.
func Exposed(k KeyResolver) string {
	if name, ok := k.(FromContext); ok {
		return string(name)
	}
	return ""
}
