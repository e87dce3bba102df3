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

// callers gives the stack from its caller's caller outward.
func callers() *runtime.Frames {
	pcs := make([]uintptr, 64)
	return runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
}

// declarationSite tells where user code stands that calls a method of Config,
// and which Configure methods lie between it and the builder.
func declarationSite() (site string, configures []string) {
	frames := callers()
	for {
		frame, more := frames.Next()
		if frame.Function == invokeFunction {
			return site, configures
		}
		if site == "" && !strings.HasPrefix(frame.Function, configMethod) {
			site = fmt.Sprintf("%s:%d", frame.File, frame.Line)
		}
		if strings.HasSuffix(frame.Function, ".Configure") {
			configures = append(configures, frame.Function)
		}
		if !more {
			return site, configures
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
