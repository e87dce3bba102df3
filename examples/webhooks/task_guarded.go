package main

import (
	"time"

	"github.com/cmdx-go/cmdx"
)

// GuardedDelivery is HandleDelivery behind all guards that there are. What
// they refuse comes again later; the claim still decides what is done.
type GuardedDelivery struct{ HandleDelivery }

// Configure adds to what the parent declares. The service that the work calls
// allows two hundred deliveries per second, and six at a time.
func (*GuardedDelivery) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{Scope: "service", Limit: 200, Per: time.Second})

	// Kept away from a service that is down. A delivery counts once, after
	// all its retries.
	c.CircuitBreaker(nil, cmdx.Breaker{
		Scope: "service", Threshold: 2, CoolOff: 250 * time.Millisecond,
		CountIf: cmdx.ErrorIs(ErrUnavailable),
	})

	// A place is renewed while work takes, so that a short ttl is enough.
	c.LimitConcurrency(cmdx.PerTask, cmdx.Concurrency{
		Scope: "service", Limit: 6, TTL: 10 * time.Second, Renew: cmdx.On,
	})

	// A second delivery of an id that is under way waits a little for the
	// first: then it mostly finds the work done, and is thanked.
	c.LockWith(cmdx.FromContext("delivery"), cmdx.Lock{
		TTL: 10 * time.Second, Renew: cmdx.On, Wait: 50 * time.Millisecond,
	})
}
