package storetest

import (
	"math"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// notPositive are lifetimes that hidden meanings are known for: -1 keeps the
// old end in one client library, 0 means no end in another.
var notPositive = []time.Duration{0, -1, -2, -time.Millisecond, -time.Hour, math.MinInt64}

// century is what people write for "never".
const century = 100 * 365 * 24 * time.Hour

func lifetimeCases() []Case {
	return []Case{
		{
			Name:        "ttl/not positive",
			Explanation: "The TTL must be positive: no key is ever written without an end. Any other TTL gives a *TTLError and writes nothing.",
			Check: func(e *Env) {
				e.set(e.Key("there"), "one", 10)
				e.wantIncr(e.Key("number"), e.Units(10), 1)
				for _, ttl := range notPositive {
					for _, o := range []stores.SetOptions{{}, {NX: true}, {XX: true}, {NX: true, XX: true}} {
						o.TTL = ttl
						for _, key := range []string{e.Key("there"), e.Key("absent")} {
							stored, err := e.Store.Set(e.ctx, key, "two", o)
							e.wantTTLError("Set", err, ttl)
							if stored {
								e.Failf("Set with TTL %d ns: stored", ttl)
							}
						}
					}
					for _, key := range []string{e.Key("number"), e.Key("absent")} {
						sum, err := e.Store.Incr(e.ctx, key, ttl)
						e.wantTTLError("Incr", err, ttl)
						if sum != 0 {
							e.Failf("Incr with TTL %d ns: got %d", ttl, sum)
						}
					}
				}
				e.wantValue(e.Key("there"), "one")
				e.wantValue(e.Key("number"), "1")
				e.wantAbsent(e.Key("absent"))
			},
		},
		{
			Name:        "ttl/short",
			Explanation: "A TTL below a millisecond, or with a fraction of one, is rounded up: it is stored and it ends.",
			Check: func(e *Env) {
				for _, ttl := range []time.Duration{1, 999 * time.Microsecond, 1500 * time.Microsecond} {
					e.wantSet(e.Key(ttl.String()), "one", stores.SetOptions{TTL: ttl}, true)
					e.wantIncr(e.Key("number"+ttl.String()), ttl, 1)
				}
				e.Advance(1)
				for _, ttl := range []time.Duration{1, 999 * time.Microsecond, 1500 * time.Microsecond} {
					e.wantAbsent(e.Key(ttl.String()))
					e.wantAbsent(e.Key("number" + ttl.String()))
				}
			},
		},
		{
			Name:        "ttl/huge",
			Explanation: "A huge TTL works: the key is there, now and later.",
			Check: func(e *Env) {
				huge := map[string]time.Duration{"century": century, "most": math.MaxInt64, "almost": math.MaxInt64 - 1}
				for name, ttl := range huge {
					e.wantSet(e.Key(name), "one", stores.SetOptions{TTL: ttl}, true)
					e.wantIncr(e.Key("number "+name), ttl, 1)
				}
				e.Advance(1)
				for name, ttl := range huge {
					e.wantValue(e.Key(name), "one")
					e.wantIncr(e.Key("number "+name), ttl, 2)
					e.wantDelete(e.Key(name), true)
					e.wantDelete(e.Key("number "+name), true)
				}
			},
		},
		{
			Name:        "ttl/expired for every verb",
			Explanation: "Every method treats an expired key as absent.",
			Check: func(e *Env) {
				for _, name := range []string{"get", "nx", "xx", "delete"} {
					e.set(e.Key(name), "one", 2)
				}
				e.wantIncr(e.Key("incr"), e.Units(2), 1)
				e.wantIncr(e.Key("incr"), e.Units(2), 2)
				e.Advance(1)
				e.wantValue(e.Key("get"), "one")
				e.Advance(2)
				e.wantAbsent(e.Key("get"))
				e.wantSet(e.Key("xx"), "two", stores.SetOptions{TTL: e.Units(10), XX: true}, false)
				e.wantAbsent(e.Key("xx"))
				e.wantSet(e.Key("nx"), "two", stores.SetOptions{TTL: e.Units(10), NX: true}, true)
				e.wantValue(e.Key("nx"), "two")
				e.wantDelete(e.Key("delete"), false)
				e.wantIncr(e.Key("incr"), e.Units(10), 1)
			},
		},
		{
			Name:        "ttl/renewed by Set",
			Explanation: "Each Set gives the key the lifetime of its own TTL, counted from this Set: a longer or a shorter one.",
			Check: func(e *Env) {
				e.set(e.Key("longer"), "one", 2)
				e.set(e.Key("shorter"), "one", 100)
				e.set(e.Key("longer"), "two", 10)
				e.set(e.Key("shorter"), "two", 2)
				e.Advance(3)
				e.wantValue(e.Key("longer"), "two")
				e.wantAbsent(e.Key("shorter"))
			},
		},
	}
}
