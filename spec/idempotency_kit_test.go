package spec

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/cmdxtest"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// idemWorker is a parent whose Work does what a spec hands it.
type idemWorker struct {
	cmdx.Base
	Do func(ctx context.Context, w *idemWorker) error
}

func (w *idemWorker) Work(ctx context.Context) error {
	if w.Do == nil {
		return nil
	}
	return w.Do(ctx, w)
}

// idemDoing is a worker that does f.
func idemDoing(f func(ctx context.Context, w *idemWorker) error) idemWorker {
	return idemWorker{Do: f}
}

// idemReturning is a worker that notes its Work in the rig and returns err.
func idemReturning(rig *idemRig, err error) idemWorker {
	return idemDoing(func(context.Context, *idemWorker) error {
		rig.note("work")
		return err
	})
}

// idemRig is a runtime of a spec's own, over a memory store that fails where
// the spec plans it. Work, store and subscribers note in it what they do, so
// that an order can be compared as one list.
type idemRig struct {
	*cmdx.Runtime
	memory *stores.Memory
	store  *storetest.Faulty

	mu     sync.Mutex
	notes  []string
	events []cmdx.Event
	lines  bytes.Buffer
}

// newIdemRig makes a rig with subscribers for these events only.
func newIdemRig(listen ...cmdx.EventName) *idemRig {
	return idemRigOver(nil, listen...)
}

// idemRigOver is newIdemRig with another store between runtime and memory.
func idemRigOver(over func(*storetest.Faulty) stores.Store, listen ...cmdx.EventName) *idemRig {
	r := &idemRig{memory: stores.NewMemory()}
	r.store = storetest.NewFaulty(r.memory)
	var store stores.Store = r.store
	if over != nil {
		store = over(r.store)
	}
	r.Runtime = cmdx.New(cmdx.Configuration{
		Store:  store,
		Logger: slog.New(slog.NewTextHandler(idemLines{r}, nil)),
	})
	for _, name := range listen {
		r.Telemetry().Subscribe(name, func(e cmdx.Event) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.notes = append(r.notes, string(e.Name))
			r.events = append(r.events, e)
		})
	}
	return r
}

// idemLines lets a logger write into a rig.
type idemLines struct{ rig *idemRig }

func (l idemLines) Write(p []byte) (int, error) {
	l.rig.mu.Lock()
	defer l.rig.mu.Unlock()
	return l.rig.lines.Write(p)
}

// watchStore notes every call of the store too.
func (r *idemRig) watchStore() {
	r.store.Watch(func(c storetest.Call) { r.note(c.String()) })
}

func (r *idemRig) note(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, what)
}

// order is everything noted so far.
func (r *idemRig) order() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.notes)
}

// works is how often a Work was noted.
func (r *idemRig) works() int {
	n := 0
	for _, note := range r.order() {
		if note == "work" {
			n++
		}
	}
	return n
}

// payloads are those of all events of a name so far.
func (r *idemRig) payloads(name cmdx.EventName) []map[string]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []map[string]any
	for _, e := range r.events {
		if e.Name == name {
			all = append(all, maps.Clone(e.Payload))
		}
	}
	return all
}

// logged are the lines of the log so far that hold text.
func (r *idemRig) logged(text string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for line := range strings.Lines(r.lines.String()) {
		if strings.Contains(line, text) {
			lines = append(lines, line)
		}
	}
	return lines
}

// run executes a task with an id.
func (r *idemRig) run(task cmdx.Task, id any) *cmdx.Result {
	return r.Execute(context.Background(), task, cmdx.Args{"id": id})
}

// value is what the store holds under key; "" for nothing.
func (r *idemRig) value(key string) string {
	value, _, err := r.memory.Get(context.Background(), key)
	Expect(err).NotTo(HaveOccurred())
	return value
}

// idemApart runs f on a goroutine of its own, which f may end, and waits for
// the goroutine's end.
func idemApart(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// idemOutcome tells a result in a few words: its status, then the code and
// the state of its metadata where there are any.
func idemOutcome(r *cmdx.Result) string {
	words := []string{string(r.Status())}
	for _, name := range []string{"code", "state"} {
		if word, ok := r.Metadata()[name].(string); ok {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// idemEnd matches a result by its words, see idemOutcome: no code and no state
// but those that are named.
func idemEnd(words string) types.GomegaMatcher {
	status, rest, _ := strings.Cut(words, " ")
	code, state, _ := strings.Cut(rest, " ")
	m := map[string]cmdxtest.ResultMatcher{
		"success": cmdxtest.BeSuccess(), "skipped": cmdxtest.BeSkipped(), "failed": cmdxtest.BeFailed(),
	}[status]
	if code != "" {
		m = m.WithMetadata("code", code)
	}
	if state != "" {
		m = m.WithMetadata("state", state)
	}
	return And(m, WithTransform(idemOutcome, Equal(words)))
}
