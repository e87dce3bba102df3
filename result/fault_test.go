package result

import (
	"errors"
	"testing"
)

func TestFault(t *testing.T) {
	raised := made("Charge", Outcome{Status: StatusFailed, Reason: "no funds", Metadata: Metadata{"code": "x"}, Cause: errDeclined, Raised: true})
	fault, ok := raised.Err().(*Fault)
	if !ok || fault.Result() != raised || fault.Error() != "Charge failed: no funds" || !errors.Is(fault, errDeclined) {
		t.Errorf("%v", raised.Err())
	}
	fault.Metadata()["code"] = "y"
	if raised.Metadata()["code"] != "x" {
		t.Error("the fault's metadata are the result's own")
	}
	if fault.Unretryable() {
		t.Error("a raised error cannot be retried")
	}

	signalled := (*Fault)(made("Charge", Outcome{Status: StatusFailed, Signalled: true}))
	if signalled.Error() != "Charge failed" || signalled.Unwrap() != nil || !signalled.Unretryable() {
		t.Errorf("%v", signalled)
	}

	for _, status := range []Status{StatusSuccess, StatusSkipped} {
		if err := made("Charge", Outcome{Status: status}).Err(); err != nil {
			t.Errorf("%s: %v", status, err)
		}
	}

	var none *Fault
	if none.Error() == "" || none.Unwrap() != nil || none.Metadata() != nil || !none.Unretryable() {
		t.Error("a nil fault")
	}
}

func TestFailures(t *testing.T) {
	leaf := made("Leaf", Outcome{Status: StatusFailed})
	middle := made("Middle", Outcome{Status: StatusFailed, Origin: leaf})
	root := made("Root", Outcome{Status: StatusFailed, Origin: middle})
	if root.Origin() != middle || root.ThrewFailure() != middle || root.CausedFailure() != leaf {
		t.Error("the root")
	}
	if leaf.Origin() != nil || leaf.ThrewFailure() != leaf || leaf.CausedFailure() != leaf {
		t.Error("the leaf")
	}
	fine := made("Fine", Outcome{Status: StatusSkipped})
	if fine.ThrewFailure() != nil || fine.CausedFailure() != nil {
		t.Error("a skip has a failure")
	}
}

func TestSealedOnce(t *testing.T) {
	r := made("Charge", Outcome{Status: StatusSkipped})
	if Draft(r) != nil {
		t.Error("a sealed result can be drafted")
	}
	duration := r.Duration()
	Seal(r, Record{Retries: 3})
	if r.Retries() != 0 || r.Duration() != duration {
		t.Error("a second sealing changed the result")
	}
}
