package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// region table
// Table is a store of one's own: a table of rows behind one lock.
type Table struct {
	mu   sync.Mutex
	rows map[string]row
}

// row is a value with who holds it (nobody, for a plain one) and its end.
type row struct {
	value string
	owner stores.Token
	end   time.Time
}

// find returns the row of a key; one that has ended is not there. Every verb
// looks through it.
func (t *Table) find(key string) (row, bool) {
	r, there := t.rows[key]
	if there && !time.Now().Before(r.end) {
		delete(t.rows, key)
		there = false
	}
	return r, there
}

func (t *Table) put(key, value string, owner stores.Token, ttl time.Duration) {
	if t.rows == nil {
		t.rows = map[string]row{}
	}
	t.rows[key] = row{value, owner, time.Now().Add(rounded(ttl))}
}

// endregion

// region enter
// claim takes an entry for token. What refuses gives its state; "" means that
// token holds the claim.
func (t *Table) claim(token stores.Token, e stores.Entry) (state string, left time.Duration, err error) {
	r, there := t.find(e.Key)
	switch {
	case !there:
		t.put(e.Key, stores.ValueProcessing, token, e.TTL)
		return "", 0, nil
	case r.value != stores.ValueProcessing && r.value != stores.ValueCompleted:
		return "", 0, stores.ErrForeignValue
	case r.owner == token && r.value == stores.ValueProcessing:
		return "", 0, nil // sent again: the end stays
	}
	return r.value, time.Until(r.end), nil
}

// Enter takes entries in order until the first refusal, and gives back what
// it took when there was one.
func (t *Table) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (stores.Entered, error) {
	unlock, err := t.begin(ctx, token)
	if err != nil {
		return stores.Entered{}, err
	}
	defer unlock()
	if from < 0 {
		return stores.Entered{}, stores.ErrFrom
	}
	for i := from; i < len(entries); i++ { // before anything is taken
		if err := check(entries[i], entries[i].TTL); err != nil {
			t.release(token, entries)
			return stores.Entered{Verdict: stores.VerdictError, At: i, Err: err}, nil
		}
	}
	entered := stores.Entered{Verdict: stores.VerdictEntered}
	for i := from; i < len(entries) && entered.Verdict == stores.VerdictEntered; i++ {
		state, left, err := t.claim(token, entries[i])
		switch {
		case err != nil && entries[i].StepOver:
			entered.SteppedOver = append(entered.SteppedOver, stores.SteppedOver{At: i, Err: err})
		case err != nil:
			entered.Verdict, entered.At, entered.Err = stores.VerdictError, i, err
		case state != "":
			entered.Verdict, entered.At, entered.State = stores.VerdictRefused, i, state
			entered.RetryAfter = rounded(left)
		}
	}
	if entered.Verdict != stores.VerdictEntered {
		t.release(token, entries)
	}
	return entered, nil
}

// endregion

// region leave
// change does one part of one entry, if token still holds it.
func (t *Table) change(token stores.Token, e stores.Entry, part stores.Part) stores.Answer {
	r, there := t.find(e.Key)
	held := there && r.owner == token
	switch {
	case part == stores.PartNone:
	case !held, part == stores.PartRelease && r.value != stores.ValueProcessing:
		return stores.Answer{Outcome: stores.OutcomeLost}
	case part == stores.PartComplete:
		t.put(e.Key, stores.ValueCompleted, token, e.Keep)
	default:
		delete(t.rows, e.Key)
	}
	return stores.Answer{Outcome: stores.OutcomeDone}
}

// Leave hands every entry its part, the last one first.
func (t *Table) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	unlock, err := t.begin(ctx, token)
	if err != nil {
		return nil, err
	}
	defer unlock()
	answers := make([]stores.Answer, len(entries))
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		if err := checkPart(e); err != nil {
			answers[i] = stores.Answer{Outcome: stores.OutcomeError, Err: err}
			continue
		}
		answers[i] = t.change(token, e, e.Part)
	}
	return answers, nil
}

// endregion

// Extend lets what token still holds live on.
func (t *Table) Extend(ctx context.Context, token stores.Token, entries []stores.Entry) ([]stores.Answer, error) {
	unlock, err := t.begin(ctx, token)
	if err != nil {
		return nil, err
	}
	defer unlock()
	answers := make([]stores.Answer, len(entries))
	for i, e := range entries {
		r, there := t.find(e.Key)
		switch err := check(e, e.TTL); {
		case err != nil:
			answers[i] = stores.Answer{Outcome: stores.OutcomeError, Err: err}
		case !there || r.owner != token || r.value != stores.ValueProcessing:
			answers[i] = stores.Answer{Outcome: stores.OutcomeLost}
		default:
			t.put(e.Key, r.value, token, e.TTL)
			answers[i] = stores.Answer{Outcome: stores.OutcomeDone}
		}
	}
	return answers, nil
}

// TakeBack gives back what an Enter without an answer may have taken. Nothing
// arrives late in one process, so it is done at once.
func (t *Table) TakeBack(token stores.Token, entries []stores.Entry) {
	if token.IsZero() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release(token, entries)
}

func (t *Table) release(token stores.Token, entries []stores.Entry) {
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Kind == stores.KindClaim {
			t.change(token, entries[i], stores.PartRelease)
		}
	}
}

// begin refuses a call before it touches anything.
func (t *Table) begin(ctx context.Context, token stores.Token) (unlock func(), err error) {
	if token.IsZero() && ctx.Err() == nil {
		return nil, stores.ErrNoToken
	}
	return t.lock(ctx)
}

func (t *Table) lock(ctx context.Context) (unlock func(), err error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("table: %w", context.Cause(ctx))
	}
	t.mu.Lock()
	return t.mu.Unlock, nil
}

func check(e stores.Entry, ttl time.Duration) error {
	switch {
	case e.Kind != stores.KindClaim:
		return stores.ErrUnknownKind
	case ttl <= 0:
		return &stores.TTLError{TTL: ttl}
	}
	return nil
}

func checkPart(e stores.Entry) error {
	switch e.Part {
	case stores.PartNone, stores.PartRelease, stores.PartTakeBack:
		return check(e, 1)
	case stores.PartComplete:
		return check(e, e.Keep)
	}
	return stores.ErrUnknownPart
}

// rounded rounds up to whole milliseconds; the largest Duration stays.
func rounded(d time.Duration) time.Duration {
	return max(d, (d + time.Millisecond - 1).Truncate(time.Millisecond))
}

// Get returns a value.
func (t *Table) Get(ctx context.Context, key string) (value string, found bool, err error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return "", false, err
	}
	defer unlock()
	r, there := t.find(key)
	if !there {
		return "", false, nil
	}
	return r.value, true, nil
}

// Set writes a value that nobody owns.
func (t *Table) Set(ctx context.Context, key, value string, o stores.SetOptions) (stored bool, err error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	if o.TTL <= 0 {
		return false, &stores.TTLError{TTL: o.TTL}
	}
	_, there := t.find(key)
	if o.NX && there || o.XX && !there {
		return false, nil
	}
	t.put(key, value, stores.Token{}, o.TTL)
	return true, nil
}

// Incr adds one; the end of a number that is there stays.
func (t *Table) Incr(ctx context.Context, key string, ttl time.Duration) (int64, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if ttl <= 0 {
		return 0, &stores.TTLError{TTL: ttl}
	}
	r, there := t.find(key)
	if !there {
		t.put(key, "1", stores.Token{}, ttl)
		return 1, nil
	}
	n, err := strconv.ParseInt(r.value, 10, 64)
	switch {
	case err != nil || strconv.FormatInt(n, 10) != r.value:
		return 0, &stores.NumberError{}
	case n == math.MaxInt64:
		return 0, &stores.NumberError{Overflow: true}
	}
	r.value = strconv.FormatInt(n+1, 10)
	t.rows[key] = r
	return n + 1, nil
}

// Delete removes a key, whoever owns it.
func (t *Table) Delete(ctx context.Context, key string) (deleted bool, err error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	_, deleted = t.find(key)
	delete(t.rows, key)
	return deleted, nil
}
