package spec

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.uber.org/goleak"
)

// suite is the test that runs all specs; bubbles are made of it.
var suite *testing.T

func TestSpecs(t *testing.T) {
	suite = t
	before := goleak.IgnoreCurrent()
	handler := goleak.IgnoreAnyFunction("github.com/onsi/ginkgo/v2/internal/interrupt_handler.(*InterruptHandler).registerForInterrupts.func2")
	RegisterFailHandler(Fail)
	RunSpecs(t, "cmdx")
	goleak.VerifyNone(t, before, handler) // whatever a spec started has ended
}
