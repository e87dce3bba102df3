package spec

import (
	"context"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/features/breaker"
	"github.com/cmdx-go/cmdx/features/concurrency"
	"github.com/cmdx-go/cmdx/features/lock"
	"github.com/cmdx-go/cmdx/features/ratelimit"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
	"github.com/cmdx-go/cmdx/telemetry"
)

// The pages of guards: their tables are compared with the code.
var docsGuards = []struct {
	feature, page string
	events        string // their beginning
	options       any
	// defaults that are no plain value of an option
	defaults map[string]string
}{
	{"lock", "docs/locks.md", "lock_", lock.Options{}.WithDefaults(), map[string]string{
		"Wait": "`NoWait`", "OnConflict": "`PolicyFail`",
	}},
	{"ratelimit", "docs/rate-limits.md", "rate_", ratelimit.Options{}.WithDefaults(), map[string]string{
		"Limit": "none", "Per": "none", "Pace": "`PaceWindow`", "OnLimit": "`PolicyFail`",
	}},
	{"breaker", "docs/circuit-breakers.md", "circuit_", breaker.Options{}.WithDefaults(), map[string]string{
		"FailureRate": "none", "CountIf": "`AnyRaised`", "OnOpen": "`PolicyFail`",
	}},
	{"concurrency", "docs/concurrency.md", "concurrency_", concurrency.Options{}.WithDefaults(), map[string]string{
		"Limit": "none", "OnFull": "`PolicyFail`",
	}},
}

// docsDefault writes the default of a field as a table does.
func docsDefault(name string, value any, special map[string]string) string {
	if text, ok := special[name]; ok {
		return text
	}
	switch v := value.(type) {
	case time.Duration:
		return docsSeconds(v.Seconds())
	case int:
		return strconv.Itoa(v)
	case string:
		if name == "Scope" {
			return "the task's name"
		}
		return "`" + strconv.Quote(v) + "`"
	case cmdx.Switch:
		return "`" + map[cmdx.Switch]string{cmdx.On: "On", cmdx.Off: "Off"}[v] + "`"
	case cmdx.Settle:
		return "`" + v.String() + "`"
	case cmdx.StorePolicy:
		return "`" + map[cmdx.StorePolicy]string{cmdx.FailClosed: "FailClosed", cmdx.FailOpen: "FailOpen"}[v] + "`"
	case cmdx.Gate:
		if v == cmdx.Gate(cmdx.Always) {
			return "`Always`"
		}
		return "`Never`"
	}
	return "?"
}

// docsGuarded has all guards and does in Work what a spec wants.
type docsGuarded struct {
	cmdx.Base
	During func() error
}

func (*docsGuarded) Configure(c *cmdx.Config) {
	c.Name("spec.docs.Guarded")
	c.RateLimit(nil, cmdx.Rate{Limit: 2, Per: time.Minute})
	c.CircuitBreaker(nil, cmdx.Breaker{Threshold: 1})
	c.LimitConcurrency(cmdx.PerTask, cmdx.Concurrency{Limit: 1})
	c.LockWith(cmdx.PerTask)
}

func (t *docsGuarded) Work(context.Context) error { return t.During() }

// docsGuardPayloads lets every event of the guards happen and tells the keys
// of its payload.
func docsGuardPayloads() map[string][]string {
	payloads := map[string][]string{}
	memory := stores.NewMemory()
	store := storetest.NewFaulty(memory)
	runtime := cmdx.New(cmdx.Configuration{Store: store})
	for _, name := range telemetry.Names() {
		runtime.Telemetry().Subscribe(name, func(e cmdx.Event) {
			var keys []string
			for key := range e.Payload {
				keys = append(keys, key)
			}
			payloads[string(name)] = keys
		})
	}
	ctx := context.Background()
	key := func(namespace string) string { return namespace + ":spec.docs.Guarded:all" }
	run := func(during func() error) {
		runtime.Execute(ctx, &docsGuarded{During: during}, nil)
		memory.Advance(2 * time.Minute)
	}
	nothing := func() error { return nil }
	take := func(e stores.Entry) {
		e.TTL = time.Minute
		_, err := memory.Enter(ctx, stores.NewToken(), []stores.Entry{e}, 0)
		Expect(err).NotTo(HaveOccurred())
	}
	run(func() error { return errIdemOutage })
	run(nothing) // a probe
	take(stores.Entry{Kind: stores.KindLock, Key: key("cmdx:lock")})
	run(nothing)
	take(stores.Entry{Kind: stores.KindPlace, Key: key("cmdx:slots"), Limit: 1})
	run(nothing)
	for range 2 {
		take(stores.Entry{Kind: stores.KindRate, Key: key("cmdx:rate"), Rate: &stores.RateRule{Limit: 2, Per: time.Minute, Pace: stores.PaceWindow}})
	}
	run(nothing)
	run(func() error { memory.Advance(time.Minute); return errIdemOutage })
	runtime.Execute(ctx, &docsGuarded{During: func() error { return errIdemOutage }}, nil)
	runtime.Execute(ctx, &docsGuarded{During: nothing}, nil)
	memory.Advance(2 * time.Minute)
	store.Fail(storetest.OpLeave, storetest.Always, errStoreAway)
	run(nothing)
	for _, namespace := range []string{"cmdx:rate", "cmdx:breaker", "cmdx:slots", "cmdx:lock"} {
		store.FailEntry(storetest.OpEnter, key(namespace), 1, errStoreAway)
		run(nothing)
	}
	return payloads
}

var _ = Describe("The documentation of guards", func() {
	pages := docsPages()

	for _, guard := range docsGuards {
		It("names every option of "+guard.feature+" in order, with its default", func() {
			var got, want [][]string
			for _, row := range docsPageAt(pages, guard.page).tables["<!-- options: "+guard.feature+" -->"] {
				got = append(got, []string{strings.Trim(row[0], "`"), row[1]})
			}
			options := reflect.ValueOf(guard.options)
			for i := range options.NumField() {
				name := options.Type().Field(i).Name
				want = append(want, []string{name, docsDefault(name, options.Field(i).Interface(), guard.defaults)})
			}
			Expect(got).To(Equal(want))
		})
	}

	It("names every event of the guards, and what each payload holds", bubble(), func() {
		payloads := docsGuardPayloads()
		for _, guard := range docsGuards {
			var names, listed []string
			for _, name := range telemetry.Names() {
				if strings.HasPrefix(string(name), guard.events) {
					names = append(names, string(name))
				}
			}
			for _, row := range docsPageAt(pages, guard.page).tables["<!-- events: "+guard.feature+" -->"] {
				name := strings.Trim(row[0], "`")
				listed = append(listed, name)
				Expect(payloads[name]).To(ConsistOf(regexp.MustCompile("[a-z_]+").FindAllString(row[2], -1)), "the payload of %s", name)
			}
			Expect(listed).To(Equal(names))
		}
	})
})
