// Package cmdxtest helps to test tasks: matchers for results, a recorder of
// events, and a runtime whose store forgets on demand.
//
//	rt := cmdxtest.NewRuntime(t)
//	result := rt.Execute(ctx, &ChargeCustomer{Gateway: gateway}, args)
//	Expect(result).To(cmdxtest.BeFailed().WithReason("card declined"))
//
// The matchers fit Gomega's To and NotTo and everything in Gomega that takes
// a matcher. The package does not import Gomega: with the testing package alone
// write
//
//	cmdxtest.AssertSuccess(t, result)
//	cmdxtest.Assert(t, result, cmdxtest.BeFailed().WithReason("card declined"))
//
// Failure texts show the whole result, with its context: they are written for
// whoever wrote the test. Values of sensitive inputs are left out of them as
// they are left out of Result.ToMap.
package cmdxtest

// TB is what these helpers need of a test: *testing.T, *testing.B, *testing.F
// and Ginkgo's GinkgoT() have it.
type TB interface {
	// Helper leaves the caller out of the places that a failure names.
	Helper()
	// Cleanup lets a function be called when the test has ended.
	Cleanup(func())
	// Errorf lets the test fail and go on.
	Errorf(format string, args ...any)
	// Fatalf lets the test fail and end.
	Fatalf(format string, args ...any)
}

// Matcher is what Gomega calls a GomegaMatcher, under a name that needs no
// Gomega. Wherever this package takes a wanted value, a Matcher may stand in
// its place and is asked about the actual one.
type Matcher interface {
	// Match tells whether actual fits; the error is for what cannot be asked.
	Match(actual any) (fits bool, err error)
	// FailureMessage tells why actual, which did not fit, does not.
	FailureMessage(actual any) string
	// NegatedFailureMessage tells that actual fits and should not.
	NegatedFailureMessage(actual any) string
}
