package storetest

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/cmdx-go/cmdx/stores"
)

// never is the end of a call whose answer was lost.
const never = math.MaxInt64

// opRestart stands beside the operations of a store in a history.
const opRestart = opCount

// historyCall is what a worker asked of one key.
type historyCall struct {
	op    Op
	run   int // the token's number; nobody for the verbs
	part  stores.Part
	value string
	// lifetime is the TTL, or the Keep of a completion.
	lifetime int64
	nx       bool
	lock     bool // an Enter of a lock
	// began is the instant of the call, in nanoseconds of the round.
	began int64
}

// nobody is the run that owns what the verbs write.
const nobody = -1

// historyAnswer is what came back.
type historyAnswer struct {
	// text is the answer in words, see keyState.apply.
	text string
	// left is the RetryAfter of a refusal; 0 when the store does not know it.
	left int64
	// lost is true when no answer came.
	lost bool
	// ended is the instant of the answer; never when it was lost.
	ended int64
}

// history collects the calls of one round, by key. The order of calls is
// counted and not read off the clock, which stands still inside a bubble.
type history struct {
	born  time.Time
	order atomic.Int64

	mu       sync.Mutex
	keys     []string
	calls    map[string][]porcupine.Operation
	problems []string
}

func newHistory(keys []string) *history {
	return &history{born: time.Now(), keys: keys, calls: make(map[string][]porcupine.Operation)}
}

// failf notes what no history should hold.
func (h *history) failf(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.problems = append(h.problems, fmt.Sprintf(format, args...))
}

// begin notes that a call begins. Its end is noted by one of the two methods
// of what it returns, or by none when the call surely did nothing.
func (h *history) begin(worker int, key string, call historyCall) *openCall {
	call.began = time.Since(h.born).Nanoseconds() // before the count: see keyState.at
	return &openCall{history: h, worker: worker, key: key, call: call, order: h.order.Add(1)}
}

// openCall is a call under way.
type openCall struct {
	history *history
	worker  int
	key     string
	call    historyCall
	order   int64
}

func (c *openCall) answered(text string, left time.Duration) {
	order := c.history.order.Add(1)
	ended := time.Since(c.history.born).Nanoseconds()
	c.note(order, historyAnswer{text: text, left: left.Nanoseconds(), ended: ended})
}

func (c *openCall) lost() { c.note(never, historyAnswer{lost: true, ended: never}) }

func (c *openCall) note(order int64, answer historyAnswer) {
	c.history.mu.Lock()
	defer c.history.mu.Unlock()
	c.history.calls[c.key] = append(c.history.calls[c.key], porcupine.Operation{
		ClientId: c.worker, Input: c.call, Call: c.order, Output: answer, Return: order,
	})
}
