package retry

import "github.com/cmdx-go/cmdx/internal/run"

// CheckMatcher tells what is wrong with a matcher as it was written; nil for
// nothing. Matchers of an application are not judged.
func CheckMatcher(match run.ErrorMatcher) *run.Problem {
	switch m := match.(type) {
	case funcMatcher:
		if m == nil {
			return &run.Problem{Text: "the function of ErrorFunc is nil", Fix: "Give ErrorFunc a function that tells which errors are tried again."}
		}
	case isMatcher:
		if len(m.targets) == 0 {
			return &run.Problem{Text: "ErrorIs() names no error, so it would match nothing", Fix: "Name the errors, such as ErrorIs(ErrBusy), or write AnyError."}
		}
		for _, target := range m.targets {
			if target == nil {
				return &run.Problem{Text: "ErrorIs was given a nil error, which nothing is", Fix: "Name errors that exist when Configure runs."}
			}
		}
	}
	return nil
}
