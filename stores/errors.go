package stores

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrAnswerLost says that a command may have been executed although its
// answer did not arrive. Sending the same call again is safe.
var ErrAnswerLost = errors.New("stores: the answer was lost, the command may have been executed")

// ErrUnsupported says that a store has only the four plain verbs, see
// [AsGuards].
var ErrUnsupported = errors.New("stores: the store does not implement stores.Guards")

// ErrNoToken says that a call of [Guards] came with the zero [Token], which
// belongs to nobody. Nothing was changed.
var ErrNoToken = errors.New("stores: the zero token belongs to nobody: draw one with stores.NewToken for each run")

// ErrFrom says that an Enter was to begin at a negative index. Nothing was
// changed.
var ErrFrom = errors.New("stores: Enter begins at a negative index: pass 0, or the index at which the store waits")

// ErrUnknownKind says that a store does not know the [Kind] of an [Entry].
// Nothing was changed.
var ErrUnknownKind = errors.New("stores: the entry's kind is unknown to this store: set Entry.Kind, or use a store that knows it")

// ErrUnknownPart says that a store does not know the [Part] of an [Entry].
// The entry was left as it was.
var ErrUnknownPart = errors.New("stores: the entry's part is unknown: set Entry.Part to one of the stores.Part constants")

// ErrForeignValue says that another program keeps something else under a
// guard's key, such as a claim's that is neither [ValueProcessing] nor
// [ValueCompleted]. It was left as it was.
var ErrForeignValue = errors.New("stores: the key of a guard holds a value that is none of its kind: use another namespace, or delete the key")

// RuleError says that the rule of an [Entry] is missing or out of its bounds.
// Nothing was changed.
type RuleError struct {
	// Field is the field as it is written, such as RateRule.Limit.
	Field string
	// Problem is what is wrong with it.
	Problem string
}

// Error tells the field and what is wrong.
func (e *RuleError) Error() string { return "stores: " + e.Field + " " + e.Problem }

// TTLError says that a lifetime was not positive. Nothing was written.
type TTLError struct{ TTL time.Duration }

// Error tells the lifetime and the rule.
func (e *TTLError) Error() string {
	return fmt.Sprintf("stores: a ttl must be positive, got %s", e.TTL)
}

// NumberError says that [Store.Incr] could not add one. The value under the
// key stays as it was.
type NumberError struct {
	// Overflow is true for a number that is the largest int64 already, and
	// false for a value that is not a whole number in plain digits.
	Overflow bool
}

// Error tells which of the two it was; it does not tell the value.
func (e *NumberError) Error() string {
	if e.Overflow {
		return "stores: the number under the key is the largest there is, nothing can be added: delete the key"
	}
	return "stores: the value under the key is not a whole number, nothing can be added: use another key, or delete this one"
}

// AsGuards returns s as [Guards], or an error that wraps [ErrUnsupported] and
// names the type of s.
func AsGuards(s Store) (Guards, error) {
	if g, ok := s.(Guards); ok {
		return g, nil
	}
	return nil, fmt.Errorf("%w: %T has the four plain verbs only; use stores.NewMemory or stores.NewRedis, or implement stores.Guards", ErrUnsupported, s)
}

// ended gives the error of a call whose ctx has ended before anything was
// done; nil for one that may begin. A nil ctx never ends.
func ended(ctx context.Context) error {
	if ctx == nil || ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("stores: nothing was done, the context has ended: %w", context.Cause(ctx))
}
