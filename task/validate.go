package task

import (
	"errors"
	"reflect"

	"github.com/cmdx-go/cmdx/internal/run"
)

// Validate builds the definitions of the tasks' types and returns every
// [*DefinitionError] of them, joined; nil when all are sound. A clash of keys
// is reported for both types.
func Validate(tasks ...run.Task) error {
	refuseInsideConfigure("Validate")
	var errs []error
	var definitions []*Definition
	seen := map[reflect.Type]bool{}
	for _, t := range tasks {
		structType, err := structOf(t)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if !seen[structType] {
			seen[structType] = true
			definitions = append(definitions, definitionOf(structType))
		}
	}
	for _, d := range definitions {
		errs = append(errs, asErrors(d.allMistakes())...)
	}
	return errors.Join(errs...)
}

func asErrors(mistakes []*DefinitionError) []error {
	errs := make([]error, len(mistakes))
	for i, m := range mistakes {
		errs[i] = m
	}
	return errs
}

func joinMistakes(mistakes []*DefinitionError) error {
	if len(mistakes) == 1 {
		return mistakes[0]
	}
	return errors.Join(asErrors(mistakes)...)
}
