package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/cmdx-go/cmdx/stores"
)

// judgeBound is how long the judging of one key's calls may take.
const judgeBound = 20 * time.Second

// explain looks for an order of each key's calls that the rules allow, and
// shows those of the first key for which there is none; "" when all have one.
func (h *history) explain(rules keyRules) string {
	for _, key := range h.keys {
		result, info := porcupine.CheckOperationsVerbose(rules.model(), h.calls[key], judgeBound)
		switch result {
		case porcupine.Unknown:
			return fmt.Sprintf("the %d calls of one key were not judged within %s: let fewer workers make fewer steps", len(h.calls[key]), judgeBound)
		case porcupine.Illegal:
			return describeHistory(h.calls[key], longest(info))
		}
	}
	return ""
}

// longest is the longest order that the rules allow.
func longest(info porcupine.LinearizationInfo) []porcupine.Operation {
	var found []porcupine.Operation
	for _, partition := range info.PartialLinearizationsOperations() {
		for _, order := range partition {
			if len(order) > len(found) {
				found = order
			}
		}
	}
	return found
}

// describeHistory tells how far an explanation comes, and which answers stay
// unexplained.
func describeHistory(calls, explained []porcupine.Operation) string {
	var text strings.Builder
	fmt.Fprintf(&text, "no order of the calls explains all answers. The longest that the rules allow (%d of %d calls):\n", len(explained), len(calls))
	placed := map[int64]bool{}
	for _, call := range explained {
		placed[call.Call] = true
		text.WriteString(describeCall(call))
	}
	text.WriteString("what it leaves out:\n")
	left := slices.DeleteFunc(slices.Clone(calls), func(c porcupine.Operation) bool { return placed[c.Call] })
	slices.SortFunc(left, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	for _, call := range left {
		text.WriteString(describeCall(call))
	}
	return text.String()
}

func describeCall(c porcupine.Operation) string {
	call, answer := c.Input.(historyCall), c.Output.(historyAnswer)
	when := fmt.Sprintf("%s to %s", time.Duration(call.began), time.Duration(answer.ended))
	words := answer.text
	if answer.lost {
		when = fmt.Sprintf("from %s on", time.Duration(call.began))
		words = "no answer"
	}
	if answer.left > 0 {
		words += fmt.Sprintf(", %s left", time.Duration(answer.left))
	}
	return fmt.Sprintf("\t%s: worker %d: %s: %s\n", when, c.ClientId, call, words)
}

// String tells what was asked, and by which run.
func (c historyCall) String() string {
	text := c.op.String()
	switch c.op {
	case opRestart:
		return "restart"
	case OpSet:
		text += " " + c.value
		if c.nx {
			text += " NX"
		}
	case OpLeave:
		text = c.part.String()
	}
	if c.run != nobody {
		text += fmt.Sprintf(" by run %d", c.run)
	}
	if c.lifetime > 0 && (c.op != OpLeave || c.part == stores.PartComplete) {
		text += " for " + time.Duration(c.lifetime).String()
	}
	return text
}
