package inputs

import (
	"context"
	"reflect"
)

// rule is a declared validation.
type rule interface {
	// prepare makes the check for values of the given types; none given
	// means that nobody can tell. The check is nil when there are problems
	// or nothing to check.
	prepare(types []reflect.Type) (check, []Problem)
}

// check is a rule made ready for running.
type check interface {
	// test returns the message for a value that breaks the rule, "" for one
	// that keeps it.
	test(ctx context.Context, v any) string
}
