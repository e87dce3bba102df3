// Package shapes holds what the specs of layers share with parents that lie in
// another package. Nothing but specs uses it.
package shapes

import "github.com/cmdx-go/cmdx"

// Layer declares a layer that can be seen twice: as a tag, and at the end of
// the idempotency namespace.
func Layer(c *cmdx.Config, name string) {
	c.Tags(name)
	c.IdempotentBy(cmdx.PerTask, cmdx.Idempotency{Namespace: c.Idempotency().Namespace + "/" + name})
}
