package task

import (
	"fmt"
	"runtime"
	"strings"
)

// Functions of this package as they stand in a stack.
const (
	invokeFunction = "github.com/cmdx-go/cmdx/task.invoke"
	configMethod   = "github.com/cmdx-go/cmdx/task.(*Config)."
)

// callers gives the whole stack from its caller's caller outward.
func callers() *runtime.Frames {
	for size := 64; ; size *= 4 {
		pcs := make([]uintptr, size)
		if n := runtime.Callers(3, pcs); n < size {
			return runtime.CallersFrames(pcs[:n])
		}
	}
}

// declarationSite tells where user code stands that calls a method of Config,
// which Configure methods lie between it and the builder, and whether there is
// a builder: there is none in another goroutine.
func declarationSite() (site string, configures []string, inside bool) {
	frames := callers()
	for {
		frame, more := frames.Next()
		if frame.Function == invokeFunction {
			return site, configures, true
		}
		if site == "" && !strings.HasPrefix(frame.Function, configMethod) {
			site = fmt.Sprintf("%s:%d", frame.File, frame.Line)
		}
		if strings.HasSuffix(frame.Function, ".Configure") {
			configures = append(configures, frame.Function)
		}
		if !more {
			return site, configures, false
		}
	}
}

// insideConfigure tells whether the current goroutine runs a Configure.
func insideConfigure() bool {
	frames := callers()
	for {
		frame, more := frames.Next()
		if frame.Function == invokeFunction {
			return true
		}
		if !more {
			return false
		}
	}
}
