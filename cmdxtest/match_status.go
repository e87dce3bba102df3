package cmdxtest

import "github.com/cmdx-go/cmdx"

// BeSuccess matches a result that succeeded.
func BeSuccess() ResultMatcher { return beStatus(cmdx.StatusSuccess) }

// BeSkipped matches a result that was skipped.
func BeSkipped() ResultMatcher { return beStatus(cmdx.StatusSkipped) }

// BeFailed matches a result that failed.
func BeFailed() ResultMatcher { return beStatus(cmdx.StatusFailed) }

// BeDuplicate matches a result that its task's idempotency refused because the
// key was held, whether that was a skip or a failure. Whether the other run was
// still at work stands in its metadata:
//
//	cmdxtest.BeDuplicate().WithMetadata("state", "completed")
//
// A result that echoes a nested duplicate is none itself.
func BeDuplicate() ResultMatcher { return ResultMatcher{}.with(duplicateCheck{}) }

func beStatus(status cmdx.Status) ResultMatcher {
	return ResultMatcher{}.with(statusCheck(status))
}

type statusCheck cmdx.Status

func (c statusCheck) fits(r *cmdx.Result) (bool, error) { return r.Status() == cmdx.Status(c), nil }
func (c statusCheck) want() string                      { return "be " + string(c) }

func (c statusCheck) got(r *cmdx.Result) string {
	if r.Status() == "" {
		return "it has no status: no execution made it"
	}
	return "it is " + string(r.Status())
}

type duplicateCheck struct{}

func (duplicateCheck) fits(r *cmdx.Result) (bool, error) {
	return r.Metadata()["code"] == cmdx.CodeDuplicate && r.Origin() == nil && !r.IsSuccess(), nil
}

func (duplicateCheck) want() string { return "be a duplicate" }

func (duplicateCheck) got(r *cmdx.Result) string {
	switch code, found := r.Metadata()["code"]; {
	case r.IsSuccess():
		return "it is a success"
	case !found:
		return `its metadata has no "code"`
	case code == cmdx.CodeDuplicate:
		return "it only echoes one, of " + name(r.Origin())
	default:
		return `its metadata "code" is ` + shown(code)
	}
}
