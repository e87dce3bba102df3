package task

import "github.com/cmdx-go/cmdx/internal/run"

func init() { run.DescribeBy(describe) }

// describe gives what the schemas of inputs and outputs are made of.
func describe(t run.Task) (inputs, outputs any) {
	refuseInsideConfigure("Schema")
	structType, problem := structOfFast(t)
	if problem != nil {
		return nil, nil
	}
	d := definitionOf(structType)
	if d.problem() != nil || d.plan == nil {
		return nil, nil
	}
	return d.plan, d.outputs
}
