package stores

// String names the kind; "unknown kind" for one that has no name.
func (k Kind) String() string {
	switch k {
	case KindClaim:
		return "claim"
	case KindLock:
		return "lock"
	case KindPlace:
		return "place"
	case KindRate:
		return "rate"
	case KindBreaker:
		return "breaker"
	}
	return "unknown kind"
}

// String names the part; "unknown part" for one that has no name.
func (p Part) String() string {
	switch p {
	case PartNone:
		return "none"
	case PartComplete:
		return "complete"
	case PartRelease:
		return "release"
	case PartTakeBack:
		return "take back"
	case PartSuccess:
		return "success"
	case PartFailure:
		return "failure"
	}
	return "unknown part"
}

// String names the verdict; "no verdict" for the zero value.
func (v Verdict) String() string {
	switch v {
	case VerdictEntered:
		return "entered"
	case VerdictRefused:
		return "refused"
	case VerdictWaiting:
		return "waiting"
	case VerdictError:
		return "error"
	}
	return "no verdict"
}

// String names the outcome; "no outcome" for the zero value.
func (o Outcome) String() string {
	switch o {
	case OutcomeDone:
		return "done"
	case OutcomeLost:
		return "lost"
	case OutcomeError:
		return "error"
	}
	return "no outcome"
}
