package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx"
)

// With -load the process executes tasks under each kind of guard until
// standard input ends, many at once. Work itself writes down when it was at
// it, by the server's clock and in a plain list, so that a spec can count
// without the framework. Lines of the list "audit", times in microseconds:
//
//	begin <guard> <key> <id> <before Execute> <in Work>
//	end <id> <still in Work>
var (
	load   = flag.Bool("load", false, "work under guards until standard input ends")
	lease  = flag.Duration("lease", 2*time.Second, "how long a lock or a place lives")
	places = flag.Int("places", 2, "how many runs have a place at once")
	limit  = flag.Int("limit", 5, "how many calls pass in per")
	per    = flag.Duration("per", 500*time.Millisecond, "the window of the limit")
	cool   = flag.Duration("cool", 300*time.Millisecond, "how long a circuit stays open")
	probes = flag.Int("probes", 2, "how many calls pass at once while it is half open")
)

const (
	loadKeys    = 2 // of every guard
	loadCallers = 3 // of every guard in every process
	loadWork    = 20 * time.Millisecond
	loadWait    = 200 * time.Millisecond // for a lock
)

var audit *redis.Client

// serverTime is in microseconds.
func serverTime() int64 {
	now, err := audit.Time(context.Background()).Result()
	if err != nil {
		panic(err)
	}
	return now.UnixMicro()
}

func note(words ...any) {
	if err := audit.RPush(context.Background(), "audit", fmt.Sprintln(words...)).Err(); err != nil {
		panic(err)
	}
}

// audited is a task that tells when it was at work.
type audited struct {
	cmdx.Base
	Guard, Name string
	Asked       int64
	Err         error
}

func (a *audited) key() string { return a.Name }

// Work takes its time.
func (a *audited) Work(context.Context) error {
	id := rand.Uint64()
	note("begin", a.Guard, a.Name, id, a.Asked, serverTime())
	time.Sleep(time.Duration(rand.Int64N(int64(loadWork))))
	note("end", id, serverTime())
	return a.Err
}

type lockedWork struct{ audited }

// Configure declares a lock that is waited for.
func (*lockedWork) Configure(c *cmdx.Config) {
	c.LockWith(cmdx.KeyFunc((*lockedWork).key), cmdx.Lock{TTL: *lease, Wait: loadWait})
}

type placedWork struct{ audited }

// Configure declares a few places.
func (*placedWork) Configure(c *cmdx.Config) {
	c.LimitConcurrency(cmdx.KeyFunc((*placedWork).key), cmdx.Concurrency{Limit: *places, TTL: *lease})
}

type limitedWork struct{ audited }

// Configure declares a limit.
func (*limitedWork) Configure(c *cmdx.Config) {
	c.RateLimit(cmdx.KeyFunc((*limitedWork).key), cmdx.Rate{Limit: *limit, Per: *per})
}

type failingWork struct{ audited }

// Configure declares a circuit that the task's failures keep open.
func (*failingWork) Configure(c *cmdx.Config) {
	c.CircuitBreaker(cmdx.KeyFunc((*failingWork).key), cmdx.Breaker{Threshold: 3, CoolOff: *cool, Probes: *probes})
}

var errLoad = errors.New("the work fails")

// underLoad executes until standard input ends.
func underLoad(runtime *cmdx.Runtime) {
	audit = redis.NewClient(&redis.Options{Addr: *addr})
	tasks := []func(audited) cmdx.Task{
		func(a audited) cmdx.Task { a.Guard = "lock"; return &lockedWork{a} },
		func(a audited) cmdx.Task { a.Guard = "place"; return &placedWork{a} },
		func(a audited) cmdx.Task { a.Guard = "rate"; return &limitedWork{a} },
		func(a audited) cmdx.Task { a.Guard, a.Err = "breaker", errLoad; return &failingWork{a} },
	}
	var over atomic.Bool
	var callers sync.WaitGroup
	for _, task := range tasks {
		for range loadCallers {
			callers.Go(func() {
				for !over.Load() {
					a := audited{Name: fmt.Sprint("key", rand.IntN(loadKeys)), Asked: serverTime()}
					runtime.Execute(context.Background(), task(a), nil)
					time.Sleep(time.Duration(rand.Int64N(int64(loadWork))))
				}
			})
		}
	}
	say("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
	}
	over.Store(true)
	callers.Wait()
}
