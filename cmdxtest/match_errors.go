package cmdxtest

import (
	"fmt"
	"strings"

	"github.com/cmdx-go/cmdx"
)

// HaveErrorOn matches a result whose Errors have a message under the key, such
// as the name of an input, and, when messages are given, each of these: a
// string, or a [Matcher] that one of them fits. Other messages do not matter.
//
//	Expect(result).To(cmdxtest.HaveErrorOn("amount_cents", "is required"))
func HaveErrorOn(key string, messages ...any) ResultMatcher {
	return ResultMatcher{}.with(errorsCheck{key, messages})
}

type errorsCheck struct {
	key      string
	messages []any
}

func (c errorsCheck) fits(r *cmdx.Result) (bool, error) {
	if !r.Errors().Has(c.key) {
		return false, nil
	}
	for _, want := range c.messages {
		if found, err := c.has(r, want); err != nil || !found {
			return false, err
		}
	}
	return true, nil
}

func (c errorsCheck) has(r *cmdx.Result, want any) (bool, error) {
	for _, text := range r.Errors().Get(c.key) {
		if fits, err := equal(want, text); err != nil || fits {
			return fits, err
		}
	}
	return false, nil
}

func (c errorsCheck) want() string {
	text := fmt.Sprintf("have an error on %q", c.key)
	if len(c.messages) == 0 {
		return text
	}
	var list []string
	for _, m := range c.messages {
		if isMatcher(m) {
			list = append(list, "one that fits")
			continue
		}
		list = append(list, shown(m))
	}
	return text + ": " + strings.Join(list, ", ")
}

func (c errorsCheck) got(r *cmdx.Result) string {
	texts := r.Errors().Get(c.key)
	if len(texts) == 0 {
		return fmt.Sprintf("there is none on %q", c.key)
	}
	return fmt.Sprintf("on %q there is %s", c.key, shown(texts))
}
