package result

import (
	"slices"
	"sync"
	"sync/atomic"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

// Chain holds the results of one root execution and everything nested in it.
// It may be read and added to from many goroutines.
type Chain struct {
	life   cmdxctx.Life
	root   *Result // its placed is guarded by mu
	id     atomic.Pointer[string]
	xid    string
	mu     sync.Mutex
	nested []*Result
}

// StartChain makes c, which lies inside an execution, the chain of root.
func StartChain(c *Chain, root *Result, xid string) { c.root, c.xid = root, xid }

// Life is the life of the root run, which contexts of the chain share.
func (c *Chain) Life() *cmdxctx.Life { return &c.life }

// ID identifies the chain: a UUIDv7 of the root's start.
func (c *Chain) ID() string {
	if c == nil || c.root == nil {
		return ""
	}
	return lazyID(&c.id, c.root.start)
}

// XID is the correlation id that the root asked for; "" without one.
func (c *Chain) XID() string {
	if c == nil {
		return ""
	}
	return c.xid
}

// Len is the number of finished executions.
func (c *Chain) Len() int {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.nested)
	if c.rootPlaced() {
		n++
	}
	return n
}

// Results returns the results of finished executions: the root first, once it
// has finished, then the nested ones in order of completion.
func (c *Chain) Results() []*Result {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.rootPlaced() {
		return slices.Clone(c.nested)
	}
	return append([]*Result{c.root}, c.nested...)
}

func (c *Chain) rootPlaced() bool { return c.root != nil && c.root.placed }

// Add puts a finished result into its chain and gives it its index. A result
// that comes after the root's end changes nothing in a closed chain.
func (c *Chain) Add(r *Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r == c.root {
		r.placed = true
		return
	}
	if c.life.Ended() {
		return // the chain is closed
	}
	c.nested = append(c.nested, r)
	r.index = int32(len(c.nested))
}
