package redistest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

func TestClusterSharesTheKeys(t *testing.T) {
	leavesNothing(t)
	c := StartCluster(t)
	client := c.Client(nil)
	for i := range 100 {
		key := fmt.Sprint("key-", i)
		set(t, client, key, "v")
	}
	total := 0
	for i, node := range c.Nodes() {
		size, err := node.ask("DBSIZE")
		if err != nil || size == "0" {
			t.Errorf("node %d holds %s keys, %v, want its share", i, size, err)
		}
		n := 0
		if _, err := fmt.Sscan(size, &n); err != nil {
			t.Error(err)
		}
		total += n
	}
	if total != 100 {
		t.Errorf("the nodes hold %d keys, want 100", total)
	}
}

func TestClusterWithoutANode(t *testing.T) {
	leavesNothing(t)
	// The limit makes the others notice soon that a node has gone.
	c := StartCluster(t, Setting("cluster-node-timeout", "1000"))
	away, other := c.Nodes()[2], c.Nodes()[0]
	away.Kill()
	if c.nodes[2].clusterOK() {
		t.Error("a killed node is ok")
	}
	awaitRefusal(t, other)

	away.Restart()
	c.AwaitOK()
	client := c.Client(&redis.ClusterOptions{MaxRedirects: 8})
	for i := range 20 {
		set(t, client, fmt.Sprint("key-", i), "v")
	}
}

// awaitRefusal returns when a node answers that the cluster is down.
func awaitRefusal(t *testing.T, s *Server) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	bound := time.After(receiveBound)
	for {
		// The key's slot is 0, which the first node serves.
		if _, err := s.ask("GET", "{06S}"); err != nil && strings.Contains(err.Error(), "CLUSTERDOWN") {
			return
		}
		select {
		case <-bound:
			t.Fatal("the node does not notice that another one has gone")
		case <-tick.C:
		}
	}
}

func TestClusterNodesAreACopy(t *testing.T) {
	leavesNothing(t)
	c := &Cluster{t: t, nodes: make([]*Server, clusterSize)}
	c.Nodes()[0] = &Server{}
	if c.nodes[0] != nil {
		t.Error("the caller's slice is the cluster's own")
	}
}
