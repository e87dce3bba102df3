package redistest

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	clusterSize  = 3
	clusterSlots = 16_384
	// clusterBound is how long the nodes may take to agree; two seconds are
	// the rule, since a master waits so long before it takes commands.
	clusterBound = 60 * time.Second
)

// Cluster is three masters without replicas that share all slots evenly.
type Cluster struct {
	t     testing.TB
	nodes []*Server
}

// StartCluster starts a cluster and returns when every node says that it is
// ok, which takes about two seconds. The options go to every node; one that
// is away for five seconds counts as failed, which
// Setting("cluster-node-timeout", …) changes. The rest is as for [Start].
func StartCluster(t testing.TB, options ...Option) *Cluster {
	t.Helper()
	c := &Cluster{t: t}
	for range clusterSize {
		c.nodes = append(c.nodes, start(t, freePort, true, options))
	}
	if err := c.join(); err != nil {
		t.Fatalf("redistest: the cluster was not built: %v", err)
	}
	if err := c.awaitOK(); err != nil {
		t.Fatalf("redistest: %v", err)
	}
	return c
}

// Nodes returns the masters, in the order of their slots.
func (c *Cluster) Nodes() []*Server { return slices.Clone(c.nodes) }

// Client returns a client of the cluster that is closed at the test's
// clean-up; closing it earlier is fine. The options are copied, their
// addresses are replaced; nil means go-redis's defaults.
func (c *Cluster) Client(options *redis.ClusterOptions) *redis.ClusterClient {
	var own redis.ClusterOptions
	if options != nil {
		own = *options
	}
	own.Addrs = nil
	for _, node := range c.nodes {
		own.Addrs = append(own.Addrs, node.Addr())
	}
	client := redis.NewClusterClient(&own)
	c.t.Cleanup(func() { closed(c.t, client.Close()) })
	return client
}

// AwaitOK returns when every node says that the cluster is ok, for example
// after a node was restarted. A cluster that does not become ok within a
// minute marks the test as failed.
func (c *Cluster) AwaitOK() {
	c.t.Helper()
	if err := c.awaitOK(); err != nil {
		c.t.Errorf("redistest: %v", err)
	}
}

// join gives each node its share of the slots and makes it known to the
// others.
func (c *Cluster) join() error {
	for i, node := range c.nodes {
		first, last := share(i)
		for _, command := range [][]string{
			{"CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(first), strconv.Itoa(last)},
			// Nodes of one epoch would first have to settle who is right.
			{"CLUSTER", "SET-CONFIG-EPOCH", strconv.Itoa(i + 1)},
		} {
			if _, err := node.ask(command...); err != nil {
				return err
			}
		}
	}
	// Each meets each: rumours would spread more slowly.
	for _, node := range c.nodes {
		for _, other := range c.nodes {
			if node == other {
				continue
			}
			if _, err := node.ask("CLUSTER", "MEET", host, strconv.Itoa(other.port)); err != nil {
				return err
			}
		}
	}
	return nil
}

// share is the range of slots of the i-th node, both ends included.
func share(i int) (first, last int) {
	return i * clusterSlots / clusterSize, (i+1)*clusterSlots/clusterSize - 1
}

func (c *Cluster) awaitOK() error {
	bound := time.NewTimer(clusterBound)
	defer bound.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if !slices.ContainsFunc(c.nodes, func(s *Server) bool { return !s.clusterOK() }) {
			return nil
		}
		select {
		case <-bound.C:
			return fmt.Errorf("the cluster has not become ok within %s", clusterBound)
		case <-tick.C:
		}
	}
}

// clusterOK tells whether a node serves its slots and knows who serves all
// others.
func (s *Server) clusterOK() bool {
	info, err := s.ask("CLUSTER", "INFO")
	return err == nil &&
		infoField(info, "cluster_state") == "ok" &&
		infoField(info, "cluster_slots_ok") == strconv.Itoa(clusterSlots) &&
		infoField(info, "cluster_known_nodes") == strconv.Itoa(clusterSize)
}
