package cmdxtest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cmdx-go/cmdx"
)

// HaveChain matches a result whose chain holds exactly these executions in
// this order: the root, then the nested ones in the order in which they ended.
// Each is a task's name, or a [Matcher] of its result:
//
//	Expect(result).To(cmdxtest.HaveChain("Checkout", "Reserve", cmdxtest.BeSkipped()))
func HaveChain(executions ...any) ResultMatcher {
	return ResultMatcher{}.with(chainCheck{executions})
}

type chainCheck struct{ executions []any }

func (c chainCheck) fits(r *cmdx.Result) (bool, error) {
	if len(c.executions) == 0 {
		return false, errors.New("name the tasks, the root first")
	}
	results := r.Chain().Results()
	for i, want := range c.executions {
		if _, isName := want.(string); !isName && !isMatcher(want) {
			return false, fmt.Errorf("a task's name or a matcher can stand at place %d, not a value of type %T", i, want)
		}
	}
	if len(results) != len(c.executions) {
		return false, nil
	}
	for i := range results {
		if fits, err := c.fitsAt(i, results[i]); err != nil || !fits {
			return false, err
		}
	}
	return true, nil
}

func (c chainCheck) fitsAt(i int, r *cmdx.Result) (bool, error) {
	if m, ok := c.executions[i].(Matcher); ok {
		return m.Match(r)
	}
	return c.executions[i] == r.TaskName(), nil
}

func (c chainCheck) want() string {
	var list []string
	for _, want := range c.executions {
		switch want := want.(type) {
		case string:
			list = append(list, want)
		case ResultMatcher:
			list = append(list, "("+want.String()+")")
		default:
			list = append(list, "(one that fits)")
		}
	}
	return "have the chain " + strings.Join(list, ", ")
}

func (c chainCheck) got(r *cmdx.Result) string {
	results := r.Chain().Results()
	if len(results) != len(c.executions) {
		return fmt.Sprintf("its chain has %d executions, not %d", len(results), len(c.executions))
	}
	for i, at := range results {
		if fits, err := c.fitsAt(i, at); err == nil && !fits {
			if m, ok := c.executions[i].(Matcher); ok {
				return fmt.Sprintf("at place %d of its chain:\n%s", i, indented(m.FailureMessage(at)))
			}
			return fmt.Sprintf("at place %d of its chain is %s", i, name(at))
		}
	}
	return "its chain is another one"
}
