package inputs

import (
	"reflect"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// Absence refuses everything that [Presence] lets through: "must be empty". A
// number and false are never empty, so that for their types it is a definition
// error.
func Absence(options ...RuleOption) Option { return withRule(absenceRule{}, options) }

// absenceRule is its own check.
type absenceRule struct{}

var mustBeEmpty = messages.Of(messages.KeyAbsence)

func (r absenceRule) prepare(s subject) (check, []Problem) {
	if p := s.refuse("absence", canBeEmpty); p != nil {
		return nil, p
	}
	return r, nil
}

func (absenceRule) describe() Validation { return Validation{Rule: "absence"} }

// canBeEmpty tells the types of which some values are empty.
func canBeEmpty(t reflect.Type) bool {
	switch behindPointerType(t).Kind() {
	case reflect.String, reflect.Map, reflect.Slice, reflect.Array:
		return true
	}
	return false
}

func (absenceRule) test(_ walk, v any) *messages.Text {
	if isEmpty(v) {
		return nil
	}
	return mustBeEmpty
}
