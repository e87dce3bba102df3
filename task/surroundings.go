package task

import (
	"context"
	"time"
)

// surroundings is what an execution keeps when its type or its runtime
// declares something around the pipeline; a bare one has none.
type surroundings struct {
	ctx            context.Context // what the pipeline was given
	began          time.Time       // when the inside of the middlewares began
	callbackErrors []error
	called         bool // the callbacks behind the outcome were called
	deprecated     bool
	rolledBack     bool
}

func (e *execution) around() *surroundings {
	if e.surrounded == nil {
		e.surrounded = &surroundings{}
	}
	return e.surrounded
}

// pipelineContext is what the pipeline was given, with the values of
// middlewares and around callbacks.
func (e *execution) pipelineContext() context.Context {
	if s := e.surrounded; s != nil && s.ctx != nil {
		return s.ctx
	}
	return &e.carrier
}

// carry leads ctx, which user code made, to the execution, also when that code
// began with another one.
func (e *execution) carry(ctx, otherwise context.Context) context.Context {
	if ctx == nil {
		return otherwise
	}
	if inside, _ := carried(ctx); inside == e {
		return ctx
	}
	return &carrier{Context: ctx, execution: e}
}
