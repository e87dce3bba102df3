package result

// Outcome is how a run ends.
type Outcome struct {
	// Status is empty while nothing has decided.
	Status Status
	// Reason and Metadata are the result's.
	Reason   string
	Metadata Metadata
	// Cause is the error behind a failure.
	Cause error
	// Origin is the nested result that the run echoes.
	Origin *Result
	// Raised tells that an error that is no signal stands behind it, here or
	// in the nested run that is echoed.
	Raised bool
	// Signalled tells that a signal of the run itself decided.
	Signalled bool
}

// Raise is the outcome of a raised error.
func Raise(err error) Outcome {
	return Outcome{Status: StatusFailed, Reason: Describe(err), Cause: err, Raised: true}
}

// Refuse is the failure of a run that did not begin its work, with err as its
// cause; nested in another task's Work it is not retried as an accident.
func Refuse(err error) Outcome {
	return Outcome{Status: StatusFailed, Reason: Describe(err), Cause: err}
}
