package inputs

import "github.com/cmdx-go/cmdx/internal/messages"

// Absence refuses everything that [Presence] lets through: "must be empty". A
// number and false are never empty.
func Absence(options ...RuleOption) Option { return withRule(absenceRule{}, options) }

// absenceRule is its own check: it fits every type.
type absenceRule struct{}

var mustBeEmpty = messages.Of(messages.KeyAbsence)

func (r absenceRule) prepare(subject) (check, []Problem) { return r, nil }
func (absenceRule) describe() Validation                 { return Validation{Rule: "absence"} }

func (absenceRule) test(_ walk, v any) *messages.Text {
	if isEmpty(v) {
		return nil
	}
	return mustBeEmpty
}
