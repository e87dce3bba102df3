package task

import "strings"

// DefinitionError says that a task type is declared wrongly, as a small help
// page. Executing such a task fails with it as cause, the same each time, and
// runs nothing; [Validate] finds all of them at once.
type DefinitionError struct {
	// Task is the Go type concerned.
	Task string
	// Problem says what is wrong and why it cannot be.
	Problem string
	// Where is the file and line of the declaration, where it is known.
	Where string
	// Fix says what to write instead.
	Fix string
	// Anchor is the heading in docs/definition-errors.md.
	Anchor string
	// Err is the error behind it, if there is one.
	Err error
}

// Error is the whole page.
func (e *DefinitionError) Error() string {
	var b strings.Builder
	b.WriteString("cmdx: " + e.Task + " is declared wrongly: " + e.Problem + ".")
	if e.Where != "" {
		b.WriteString("\n  where: " + e.Where)
	}
	b.WriteString("\n  fix:   " + e.Fix)
	b.WriteString("\n  docs:  docs/definition-errors.md#" + e.Anchor)
	return b.String()
}

// Unwrap gives the error behind it.
func (e *DefinitionError) Unwrap() error { return e.Err }

// Unretryable is true: the declaration does not mend itself.
func (e *DefinitionError) Unretryable() bool { return true }
