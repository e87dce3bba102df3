package messages

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Key names a text.
type Key string

// Keys of texts that are not about a validation; [All] lists every key.
const (
	KeyOr    Key = "words.or"
	KeyComma Key = "words.comma"

	KeyRequired       Key = "inputs.required"
	KeyNotCoerced     Key = "inputs.not_coerced"
	KeyNoneOfTypes    Key = "inputs.not_coerced_into_any"
	KeyNotTransformed Key = "inputs.not_transformed"
	KeyOutputMissing  Key = "outputs.missing"

	KeyDuplicate        Key = "idempotency.duplicate"
	KeyKeyBlank         Key = "idempotency.key_blank"
	KeyLocked           Key = "lock.held"
	KeyLockedAbove      Key = "lock.held_above"
	KeyRateLimited      Key = "rate_limit.reached"
	KeyCircuitOpen      Key = "circuit_breaker.open"
	KeyNoPlace          Key = "concurrency.full"
	KeyStoreUnavailable Key = "guards.store_unavailable"
	KeyRetriesStopped   Key = "retries.stopped"
)

// entry is one built-in text.
type entry struct {
	key     Key
	english string
}

// Asks is the text for what the guard of a step asks a store.
func Asks(step, english string) *Text {
	return ofName("guards.asks.", strings.ReplaceAll(step, " ", "_"), english)
}

// general are the texts that are not about a validation.
var general = []entry{
	{KeyRequired, "is required"},
	{KeyNotCoerced, "could not coerce into {type}"},
	{KeyNoneOfTypes, "could not coerce into one of: {types}"},
	{KeyNotTransformed, "could not be transformed"},
	{KeyOutputMissing, "must be set in the context"},
	{KeyDuplicate, "duplicate: the idempotency key is already held (state={state})"},
	{KeyKeyBlank, "the idempotency key is blank"},
	{KeyLocked, "locked: another run holds the lock"},
	{KeyLockedAbove, "locked: the lock is held by the run of {task} that encloses this one, which would wait for itself: leave the lock to the outer task, or give the inner one another key"},
	{KeyRateLimited, "rate limited: {limit} per {per} have passed"},
	{KeyCircuitOpen, "circuit open: the run was not let through (state={state})"},
	{KeyNoPlace, "concurrency limited: no place is free (limit={limit})"},
	{KeyStoreUnavailable, "the store cannot tell {asks}: {error}"},
	{"guards.asks.idempotency_claim", "whether the claim is free"},
	{"guards.asks.lock", "whether the lock is free"},
	{"guards.asks.rate_limit", "whether the rate limit lets the run pass"},
	{"guards.asks.circuit_breaker", "whether the circuit is closed"},
	{"guards.asks.concurrency", "whether a place is free"},
	{KeyRetriesStopped, "{reason} (no further attempt: {error})"},
	{KeyOr, "{one} or {other}"},
	{KeyComma, ", "},
}

// builtIn has the English template of every key of the library.
var builtIn = compiled(general, types, validations, tags)

func compiled(tables ...[]entry) map[Key]template {
	templates := map[Key]template{}
	for _, e := range slices.Concat(tables...) {
		t, err := parse(e.english)
		if err != nil || templates[e.key] != nil {
			panic(fmt.Sprintf("messages: the built-in text %q is there twice or broken: %v", e.key, err))
		}
		templates[e.key] = t
	}
	return templates
}

// defined has the templates of the application's own keys.
var defined sync.Map // Key → template

// Define adds a key with its English text. The text may have placeholders only
// where [Of] fills them. An error says that the key is taken or the text is
// broken.
func Define(key Key, english string) error {
	t, err := parse(english)
	if err != nil {
		return err
	}
	if _, taken := original(key); taken {
		return fmt.Errorf("the name is taken")
	}
	if _, taken := defined.LoadOrStore(key, t); taken {
		return fmt.Errorf("the name is taken")
	}
	return nil
}

// original is the English template of a key.
func original(key Key) (template, bool) {
	if t, ok := builtIn[key]; ok {
		return t, true
	}
	if t, ok := defined.Load(key); ok {
		return t.(template), true
	}
	return nil, false
}

// Known tells whether there is a text for the key.
func Known(key Key) bool {
	_, ok := original(key)
	return ok
}

// English is the English text of a key with its placeholders; "" for none.
func English(key Key) string {
	t, _ := original(key)
	return t.String()
}

// All are the English texts of all keys, in a map of the caller's own.
func All() map[string]string {
	all := make(map[string]string, len(builtIn))
	for key, t := range builtIn {
		all[string(key)] = t.String()
	}
	defined.Range(func(key, t any) bool {
		all[string(key.(Key))] = t.(template).String()
		return true
	})
	return all
}
