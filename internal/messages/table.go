package messages

import (
	"fmt"
	"slices"
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
	KeyStoreUnavailable Key = "guards.store_unavailable"
	KeyRetriesStopped   Key = "retries.stopped"
)

// entry is one built-in text.
type entry struct {
	key     Key
	english string
}

// Held is the word for what a guard holds, such as "claim".
func Held(word string) *Text {
	if key := Key("guards.held." + word); Known(key) {
		return Of(key)
	}
	return Plain(word)
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
	{KeyStoreUnavailable, "the store cannot tell whether the {held} is free: {error}"},
	{"guards.held.claim", "claim"},
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
