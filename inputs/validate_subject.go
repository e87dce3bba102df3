package inputs

import "reflect"

// refuse is the problem of a rule that a type of the subject does not suit; nil
// when all suit, or when nobody can tell the types.
func (s subject) refuse(rule string, suits func(reflect.Type) bool) []Problem {
	for _, t := range s.types {
		if t.Kind() != reflect.Interface && !suits(t) {
			return failing("Use a rule for this type, or another coercion.", "the rule %q cannot check a value of type %s", rule, t)
		}
	}
	return nil
}

// behindPointerType is the type that values of t lead to.
func behindPointerType(t reflect.Type) reflect.Type {
	for range maxPointers {
		if t.Kind() != reflect.Pointer {
			break
		}
		t = t.Elem()
	}
	return t
}
