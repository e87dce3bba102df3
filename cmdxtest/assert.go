package cmdxtest

import "github.com/cmdx-go/cmdx"

// Assert lets the test fail, and go on, when the result does not fit the
// matcher; it tells whether it does. It needs nothing but the testing package:
//
//	cmdxtest.Assert(t, result, cmdxtest.BeFailed().WithReason("card declined"))
func Assert(t TB, r *cmdx.Result, m Matcher) bool {
	t.Helper()
	fits, err := m.Match(r)
	switch {
	case err != nil:
		t.Errorf("%s", err)
		return false
	case !fits:
		t.Errorf("%s", m.FailureMessage(r))
	}
	return fits
}

// AssertNot is [Assert] for a result that must not fit the matcher.
func AssertNot(t TB, r *cmdx.Result, m Matcher) bool {
	t.Helper()
	fits, err := m.Match(r)
	switch {
	case err != nil:
		t.Errorf("%s", err)
		return false
	case fits:
		t.Errorf("%s", m.NegatedFailureMessage(r))
	}
	return !fits
}

// AssertSuccess is [Assert] with [BeSuccess].
func AssertSuccess(t TB, r *cmdx.Result) bool {
	t.Helper()
	return Assert(t, r, BeSuccess())
}

// AssertSkipped is [Assert] with [BeSkipped].
func AssertSkipped(t TB, r *cmdx.Result) bool {
	t.Helper()
	return Assert(t, r, BeSkipped())
}

// AssertFailed is [Assert] with [BeFailed].
func AssertFailed(t TB, r *cmdx.Result) bool {
	t.Helper()
	return Assert(t, r, BeFailed())
}

// AssertDuplicate is [Assert] with [BeDuplicate].
func AssertDuplicate(t TB, r *cmdx.Result) bool {
	t.Helper()
	return Assert(t, r, BeDuplicate())
}
