package run

import (
	"strconv"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// Checks collects what is wrong with options as they were written. Zero is
// never wrong: it inherits.
type Checks []Problem

// Add notes a problem and what to write instead.
func (c *Checks) Add(text, fix string) { *c = append(*c, Problem{Text: text, Fix: fix}) }

// Duration asks for a millisecond at least.
func (c *Checks) Duration(field string, d time.Duration) {
	if d != 0 && d < time.Millisecond {
		c.Add(field+" is "+d.String(), "Write at least one millisecond, or leave "+field+" out to inherit it.")
	}
}

// Count asks for a positive number.
func (c *Checks) Count(field string, n int) {
	if n < 0 {
		c.Add(field+" is "+strconv.Itoa(n), "Write a positive number, or leave "+field+" out to inherit it.")
	}
}

// Policy asks for one of the policies that the field knows.
func (c *Checks) Policy(field string, p Policy, allowed ...Policy) {
	if p == 0 {
		return
	}
	names := ""
	for i, a := range allowed {
		if p == a {
			return
		}
		if i > 0 {
			names += " or "
		}
		names += a.String()
	}
	c.Add(field+" is "+p.String()+", which it does not know", "Write "+names+".")
}

// Namespace refuses the store's own.
func (c *Checks) Namespace(namespace string) {
	if stores.IsReserved(namespace) {
		c.Add("Namespace begins as the store's own keys do", "Choose another beginning, such as app:once.")
	}
}

// Settle asks for a moment that there is.
func (c *Checks) Settle(field string, s Settle) {
	if s > AfterMiddlewares {
		c.Add(field+" is "+s.String(), "Write AfterPipeline or AfterMiddlewares.")
	}
}

// Switch asks for a position that there is.
func (c *Checks) Switch(field string, s Switch) {
	if s != 0 && s != On && s != Off {
		c.Add(field+" is an unknown position", "Write On or Off.")
	}
}

// StorePolicy asks for one of the two.
func (c *Checks) StorePolicy(field string, p StorePolicy) {
	if p != 0 && p != FailClosed && p != FailOpen {
		c.Add(field+" is an unknown policy", "Write FailClosed or FailOpen.")
	}
}

// Problems are what was found; nil for nothing.
func (c Checks) Problems() []Problem { return c }
